/**
 * Costs of WooCommerce's flat rates, as merchants write them: a sum of an amount, an amount times `[qty]`, a share of
 * `[cost]` and a `[fee]`, which becomes a rate type where one fits.
 */
import { PERCENTAGE_MAX, type RateConfig } from '../domain/rate-type.ts';
import { type Decimal, ONE, scaleOf } from './source-amounts.ts';
import type { SourceReport } from './source-report.ts';

interface WooRate {
  readonly rate: RateConfig;
  /** Cents that are added to the rate. */
  readonly surchargeCents: number;
}

/** A sum; each part is 0 or null when the cost does not have it. */
interface CostParts {
  constant: Decimal;
  qty: Decimal;
  /** A share of the cart's price. */
  share: Decimal;
  fee: { readonly percent: Decimal; readonly min: Decimal | null; readonly max: Decimal | null } | null;
}

/** The message is the reason for refusing a cost. */
class Refusal extends Error {}

/** Where amounts are read and rounded: the report, and the row of the method. */
interface CostSource {
  readonly report: SourceReport;
  readonly row: string;
}

const COLUMN = 'cost';

/** The rate of a cost; a string is the reason for refusing it. */
export function rateOfCost(text: string, source: CostSource): WooRate | string {
  try {
    return rateOf(partsOf(text, source), text, source);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function rateOf(
  { constant, qty, share, fee }: CostParts,
  text: string,
  { report, row }: CostSource,
): WooRate {
  const cents = (amount: Decimal): number => report.cents(amount, text, row, COLUMN);
  if (fee === null && share === 0n) {
    const [firstItemPrice, additionalItemPrice] = [cents(constant + qty), cents(qty)];
    const rate: RateConfig =
      additionalItemPrice === 0
        ? { rateType: 'flat', config: { price: firstItemPrice } }
        : { rateType: 'by_items', config: { firstItemPrice, additionalItemPrice } };
    return { rate, surchargeCents: 0 };
  }
  if ((fee !== null && share !== 0n) || qty !== 0n) {
    throw new Refusal('a percentage cannot be joined with a price per item or another percentage');
  }
  const percent = fee?.percent ?? share * 100n;
  const percentage = report.rounded(percent, scaleOf(100), { text, row, column: COLUMN }) / 100;
  if (percentage > PERCENTAGE_MAX) throw new Refusal(`a percentage must be 0 to ${PERCENTAGE_MAX}`);
  const [min, max] = [fee?.min ?? null, fee?.max ?? null];
  if (min !== null && max !== null && min > max) throw new Refusal('min_fee is above max_fee');
  const config = {
    percentage,
    ...(min === null ? {} : { minPrice: cents(min) }),
    ...(max === null ? {} : { maxPrice: cents(max) }),
  };
  return { rate: { rateType: 'percentage', config }, surchargeCents: cents(constant) };
}

const AMOUNT = '([\\d.,]+)';
/** The terms of a sum without spaces; brackets around a term do not count. */
const TERMS: readonly (readonly [RegExp, (parts: CostParts, amount: Decimal) => void])[] = [
  [new RegExp(`^${AMOUNT}$`), (parts, amount) => (parts.constant += amount)],
  [new RegExp(`^(?:${AMOUNT}\\*)?\\[qty\\]$`), (parts, amount) => (parts.qty += amount)],
  [new RegExp(`^\\[qty\\]\\*${AMOUNT}$`), (parts, amount) => (parts.qty += amount)],
  [new RegExp(`^(?:${AMOUNT}\\*)?\\[cost\\]$`), (parts, amount) => (parts.share += amount)],
  [new RegExp(`^\\[cost\\]\\*${AMOUNT}$`), (parts, amount) => (parts.share += amount)],
];

function partsOf(text: string, source: CostSource): CostParts {
  const parts: CostParts = { constant: 0n, qty: 0n, share: 0n, fee: null };
  const amountIn = (written: string): Decimal => {
    const amount = source.report.amount(written, source.row, COLUMN);
    if (typeof amount === 'string') throw new Refusal(amount);
    return amount;
  };
  const withoutFees = text.replace(/\[\s*fee\b([^\]]*)\]/gi, (_, attributes: string) => {
    if (parts.fee !== null) throw new Refusal('a percentage cannot be joined with another percentage');
    parts.fee = feeOf(attributes, amountIn);
    return '[fee]';
  });
  for (const written of withoutFees.replace(/\s+/g, '').split('+')) {
    const term = written.replace(/^\((.*)\)$/, '$1');
    if (term === '[fee]') continue;
    const [known, add] = TERMS.find(([form]) => form.test(term)) ?? [];
    if (known === undefined || add === undefined) {
      throw new Refusal(`"${written}" in it is no amount, amount * [qty], amount * [cost] or [fee ...]`);
    }
    const amount = known.exec(term)?.[1];
    add(parts, amount === undefined ? ONE : amountIn(amount));
  }
  return parts;
}

function feeOf(attributes: string, amountIn: (text: string) => Decimal): NonNullable<CostParts['fee']> {
  const amounts = new Map<string, Decimal>();
  for (const [, name = '', value = ''] of attributes.matchAll(/(\w+)\s*=\s*["']?([^"'\s]*)["']?/g)) {
    // PHP treats the text "0" as empty, so a bound of 0 is none.
    const isNone = value === '' || (value === '0' && name !== 'percent');
    if (!isNone) amounts.set(name, amountIn(value));
  }
  const percent = amounts.get('percent');
  if (percent === undefined) throw new Refusal(`"[fee${attributes}]" needs a percent`);
  return { percent, min: amounts.get('min_fee') ?? null, max: amounts.get('max_fee') ?? null };
}
