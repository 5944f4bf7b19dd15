/**
 * Costs of WooCommerce's flat rates: arithmetic over numbers, `[qty]`, `[cost]` and `[fee]`, brought into
 * the form constant + a x qty + b x cost + fees, and from there into a rate type where there is one.
 */
import { PERCENTAGE_MAX, type RateConfig } from '../domain/rate-type.ts';
import { add, divide, type Fraction, fraction, multiply, negate, wholeOf, ZERO } from './fraction.ts';

interface WooRate {
  readonly rate: RateConfig;
  /** Cents on top of the rate; 0 = none. */
  readonly surchargeCents: number;
}

interface Fee {
  readonly percent: Fraction;
  readonly min: Fraction | null;
  readonly max: Fraction | null;
}

interface Linear {
  readonly constant: Fraction;
  readonly qty: Fraction;
  readonly cost: Fraction;
  readonly fees: readonly Fee[];
}

/** Reads a number of a cost; a string is the reason for refusing it. */
export type ReadNumber = (text: string) => Fraction | string;

/** The rate of a cost; a string is the reason for refusing it. */
export function rateOfCost(text: string, read: ReadNumber): WooRate | string {
  const formula = parseFormula(text, read);
  return typeof formula === 'string' ? formula : rateOfLinear(formula);
}

const HUNDRED = fraction(100);
const centsOf = (amount: Fraction): number | null => {
  const cents = wholeOf(multiply(amount, HUNDRED));
  return cents === null || cents < 0 ? null : cents;
};
const isZero = ({ above }: Fraction): boolean => above === 0n;

const NOT_CENTS = 'an amount in it is negative or no whole number of cents';

function rateOfLinear({ constant, qty, cost, fees }: Linear): WooRate | string {
  const [fee, second] = fees;
  if (fee === undefined && isZero(cost)) return rateByQuantity(constant, qty);
  if (second !== undefined || (fee !== undefined && !isZero(cost)) || !isZero(qty)) {
    return 'a percentage cannot be joined with a price per item or another percentage';
  }
  const share = fee ?? { percent: multiply(cost, HUNDRED), min: null, max: null };
  const hundredths = wholeOf(multiply(share.percent, HUNDRED));
  if (hundredths === null || hundredths < 0 || hundredths > PERCENTAGE_MAX * 100) {
    return `a percentage must be 0 to ${PERCENTAGE_MAX} with at most 2 decimals`;
  }
  const surchargeCents = centsOf(constant);
  const minPrice = share.min === null ? undefined : centsOf(share.min);
  const maxPrice = share.max === null ? undefined : centsOf(share.max);
  if (surchargeCents === null || minPrice === null || maxPrice === null) return NOT_CENTS;
  if (minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice)
    return 'min_fee is above max_fee';
  const bounds = {
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
  };
  return {
    rate: { rateType: 'percentage', config: { percentage: hundredths / 100, ...bounds } },
    surchargeCents,
  };
}

function rateByQuantity(constant: Fraction, qty: Fraction): WooRate | string {
  const additionalItemPrice = centsOf(qty);
  const firstItemPrice = centsOf(add(constant, qty));
  if (additionalItemPrice === null || firstItemPrice === null) return NOT_CENTS;
  if (additionalItemPrice === 0) {
    return { rate: { rateType: 'flat', config: { price: firstItemPrice } }, surchargeCents: 0 };
  }
  return {
    rate: { rateType: 'by_items', config: { firstItemPrice, additionalItemPrice } },
    surchargeCents: 0,
  };
}

const TOKEN = /\s*(?:([\d.,]+)|\[\s*(qty|cost)\s*\]|\[\s*fee\b([^\]]*)\]|([-+*/()]))/y;

/** A formula, or the reason for refusing it. */
function parseFormula(text: string, read: ReadNumber): Linear | string {
  const tokens: (Linear | string)[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const [, number, variable, attributes, sign] = TOKEN.exec(text) ?? [];
    const token = number ?? variable ?? attributes ?? sign;
    if (token === undefined) return `"${text.slice(at, at + 20).trim()}" in it is not understood`;
    if (sign !== undefined) {
      tokens.push(sign);
      continue;
    }
    const operand = operandOf(read, number, variable, attributes);
    if (typeof operand === 'string') return operand;
    tokens.push(operand);
  }
  try {
    return new FormulaReader(tokens).whole();
  } catch (error) {
    if (error instanceof FormulaError) return error.message;
    throw error;
  }
}

const linear = (parts: Partial<Linear>): Linear => ({
  constant: ZERO,
  qty: ZERO,
  cost: ZERO,
  fees: [],
  ...parts,
});

/** A string is the reason for refusing it: an unreadable number, or a fee without a percentage. */
function operandOf(read: ReadNumber, number?: string, variable?: string, attributes = ''): Linear | string {
  const one = fraction(1);
  if (variable === 'qty') return linear({ qty: one });
  if (variable === 'cost') return linear({ cost: one });
  if (number !== undefined) {
    const constant = read(number);
    return typeof constant === 'string' ? constant : linear({ constant });
  }
  const amounts = new Map<string, Fraction>();
  for (const [, name = '', value = ''] of attributes.matchAll(/(\w+)\s*=\s*["']?([^"'\s]*)["']?/g)) {
    // PHP takes the text "0" for none: a bound of it is no bound.
    const isNone = value === '' || (value === '0' && name !== 'percent');
    if (isNone) continue;
    const amount = read(value);
    if (typeof amount === 'string') return amount;
    amounts.set(name, amount);
  }
  const percent = amounts.get('percent');
  const [min, max] = [amounts.get('min_fee'), amounts.get('max_fee')];
  if (percent === undefined) return `"[fee${attributes}]" needs a percent`;
  return linear({ fees: [{ percent, min: min ?? null, max: max ?? null }] });
}

class FormulaError extends Error {}

/** Reads sums of products; refuses what is not linear. */
class FormulaReader {
  readonly #tokens: readonly (Linear | string)[];
  #at = 0;

  constructor(tokens: readonly (Linear | string)[]) {
    this.#tokens = tokens;
  }

  whole(): Linear {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw new FormulaError('it does not end where it should');
    return value;
  }

  #sum(): Linear {
    let value = this.#product();
    for (let sign = this.#sign('+', '-'); sign !== null; sign = this.#sign('+', '-')) {
      const term = this.#product();
      value = sum(value, sign === '+' ? term : negated(term));
    }
    return value;
  }

  #product(): Linear {
    let value = this.#operand();
    for (let sign = this.#sign('*', '/'); sign !== null; sign = this.#sign('*', '/')) {
      const other = this.#operand();
      value = sign === '*' ? product(value, other) : quotient(value, other);
    }
    return value;
  }

  #operand(): Linear {
    const token = this.#tokens[this.#at++];
    if (token === '-') return negated(this.#operand());
    if (token === '(') {
      const value = this.#sum();
      if (this.#tokens[this.#at++] !== ')') throw new FormulaError('a bracket is not closed');
      return value;
    }
    if (token === undefined || typeof token === 'string') throw new FormulaError('a number is missing in it');
    return token;
  }

  #sign(...signs: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (typeof token !== 'string' || !signs.includes(token)) return null;
    this.#at++;
    return token;
  }
}

const sum = (a: Linear, b: Linear): Linear => ({
  constant: add(a.constant, b.constant),
  qty: add(a.qty, b.qty),
  cost: add(a.cost, b.cost),
  fees: [...a.fees, ...b.fees],
});

function negated(value: Linear): Linear {
  if (value.fees.length > 0) throw new FormulaError('a fee is subtracted in it');
  return { constant: negate(value.constant), qty: negate(value.qty), cost: negate(value.cost), fees: [] };
}

const isConstant = ({ qty, cost, fees }: Linear): boolean => isZero(qty) && isZero(cost) && fees.length === 0;

function product(a: Linear, b: Linear): Linear {
  const [factor, value] = isConstant(a) ? [a, b] : [b, a];
  if (!isConstant(factor)) throw new FormulaError('it multiplies what depends on the cart');
  if (value.fees.length > 0) throw new FormulaError('a fee is multiplied in it');
  const by = factor.constant;
  return {
    constant: multiply(value.constant, by),
    qty: multiply(value.qty, by),
    cost: multiply(value.cost, by),
    fees: [],
  };
}

function quotient(a: Linear, b: Linear): Linear {
  if (!isConstant(b)) throw new FormulaError('it divides by what depends on the cart');
  const inverse = divide(fraction(1), b.constant);
  if (inverse === null) throw new FormulaError('it divides by zero');
  return product(a, linear({ constant: inverse }));
}
