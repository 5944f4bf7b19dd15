/** The verdict on an expectation, word by word as contract section 10.1 has it. It shares no line with src. */

export interface PlainRate {
  readonly serviceCode: string;
  readonly totalPrice: number;
}

export interface PlainExpectation {
  readonly kind: string;
  readonly serviceCode?: string;
  readonly totalPrice?: number;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly rates?: readonly PlainRate[];
}

export function referenceIsMet(expectation: PlainExpectation, offered: readonly PlainRate[]): boolean {
  const prices = offered
    .filter((rate) => rate.serviceCode === expectation.serviceCode)
    .map((rate) => rate.totalPrice);
  switch (expectation.kind) {
    case 'rate':
      return prices.includes(expectation.totalPrice ?? -1);
    case 'rate_between':
      return prices.some(
        (price) => price >= (expectation.minPrice ?? 0) && price <= (expectation.maxPrice ?? 0),
      );
    case 'no_rate':
      return prices.length === 0;
    case 'some_rate':
      return offered.length > 0;
    case 'rates': {
      // Each expected rate takes one offered rate away; in the end none is left.
      const left = offered.map(({ serviceCode, totalPrice }) => JSON.stringify([serviceCode, totalPrice]));
      for (const { serviceCode, totalPrice } of expectation.rates ?? []) {
        const at = left.indexOf(JSON.stringify([serviceCode, totalPrice]));
        if (at < 0) return false;
        left.splice(at, 1);
      }
      return left.length === 0;
    }
    default:
      throw new Error(`${expectation.kind} is no kind of expectation`);
  }
}
