/** The verdict on an expectation, word by word as contract section 10.1 has it. It shares no line with src. */

export interface PlainRate {
  readonly serviceCode: string;
  readonly totalPrice: number;
  readonly minDeliveryDate?: string;
  readonly maxDeliveryDate?: string;
}

export interface PlainExpectation {
  readonly kind: string;
  readonly serviceCode?: string;
  readonly totalPrice?: number;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly rates?: readonly PlainRate[];
  readonly minDate?: string;
  readonly maxDate?: string;
}

/** `+5` is five days after the local date of the check's time. Padded, so that texts are in the order of their dates. */
function resolved(text: string, today: string): string {
  if (!text.startsWith('+')) return text.padStart(12, '0');
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day + Number(text.slice(1))));
  const parts = [date.getUTCMonth() + 1, date.getUTCDate()].map((part) => String(part).padStart(2, '0'));
  return [date.getUTCFullYear(), ...parts].join('-').padStart(12, '0');
}

/** `today`: the local date of the check's time. */
export function referenceIsMet(
  expectation: PlainExpectation,
  offered: readonly PlainRate[],
  today: string,
): boolean {
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
    case 'delivery': {
      const { minDate, maxDate, serviceCode } = expectation;
      return offered.some(({ serviceCode: code, minDeliveryDate: min, maxDeliveryDate: max }) => {
        if (code !== serviceCode || min === undefined || max === undefined) return false;
        const isTooEarly = minDate !== undefined && min.padStart(12, '0') < resolved(minDate, today);
        const isTooLate = maxDate !== undefined && max.padStart(12, '0') > resolved(maxDate, today);
        return !isTooEarly && !isTooLate;
      });
    }
    case 'rates': {
      // Each expected rate removes one offered rate; none may be left.
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
