/**
 * Costs of WooCommerce's flat rates: arithmetic with numbers, `[qty]`, `[cost]` and `[fee]`. A cost is brought into the form
 * constant + a x qty + b x cost + fees, and then into a rate type, if one fits.
 */
import { PERCENTAGE_MAX, type RateConfig } from '../domain/rate-type.ts';
import { add, divide, type Fraction, fraction, multiply, wholeOf, ZERO } from './source-amounts.ts';

interface WooRate {
  readonly rate: RateConfig;
  /** Cents that are added to the rate. */
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
type ReadNumber = (text: string) => Fraction | string;

/** The message is the reason for refusing a cost. */
class Refusal extends Error {}

/** The rate of a cost; a string is the reason for refusing it. */
export function rateOfCost(text: string, read: ReadNumber): WooRate | string {
  try {
    return rateOfLinear(linearOf(tokensOf(text, read)));
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

const HUNDRED = fraction(100);
const isZero = ({ above }: Fraction): boolean => above === 0n;

function centsOf(amount: Fraction): number {
  const cents = wholeOf(multiply(amount, HUNDRED));
  if (cents !== null && cents >= 0) return cents;
  throw new Refusal('an amount in it is negative or not a whole number of cents');
}

function rateOfLinear({ constant, qty, cost, fees }: Linear): WooRate {
  const [fee, second] = fees;
  if (fee === undefined && isZero(cost)) return rateByQuantity(constant, qty);
  if (second !== undefined || (fee !== undefined && !isZero(cost)) || !isZero(qty)) {
    throw new Refusal('a percentage cannot be joined with a price per item or another percentage');
  }
  const share = fee ?? { percent: multiply(cost, HUNDRED), min: null, max: null };
  const hundredths = wholeOf(multiply(share.percent, HUNDRED));
  if (hundredths === null || hundredths < 0 || hundredths > PERCENTAGE_MAX * 100) {
    throw new Refusal(`a percentage must be 0 to ${PERCENTAGE_MAX} with at most 2 decimals`);
  }
  const surchargeCents = centsOf(constant);
  const bounds = {
    ...(share.min !== null && { minPrice: centsOf(share.min) }),
    ...(share.max !== null && { maxPrice: centsOf(share.max) }),
  };
  const { minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = bounds;
  if (minPrice > maxPrice) throw new Refusal('min_fee is above max_fee');
  return {
    rate: { rateType: 'percentage', config: { percentage: hundredths / 100, ...bounds } },
    surchargeCents,
  };
}

function rateByQuantity(constant: Fraction, qty: Fraction): WooRate {
  const additionalItemPrice = centsOf(qty);
  const firstItemPrice = centsOf(add(constant, qty));
  const rate: RateConfig =
    additionalItemPrice === 0
      ? { rateType: 'flat', config: { price: firstItemPrice } }
      : { rateType: 'by_items', config: { firstItemPrice, additionalItemPrice } };
  return { rate, surchargeCents: 0 };
}

const TOKEN = /\s*(?:([\d.,]+)|\[\s*(qty|cost)\s*\]|\[\s*fee\b([^\]]*)\]|([-+*/()]))/y;

/** An operand, or a sign or bracket. */
type Token = Linear | string;

function tokensOf(text: string, read: ReadNumber): readonly Token[] {
  const numberIn = (digits: string): Fraction => {
    const number = read(digits);
    if (typeof number === 'string') throw new Refusal(number);
    return number;
  };
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const [, number, variable, attributes, sign] = TOKEN.exec(text) ?? [];
    if (number !== undefined) tokens.push(linear({ constant: numberIn(number) }));
    else if (variable !== undefined) tokens.push(linear({ [variable]: fraction(1) }));
    else if (attributes !== undefined) tokens.push(linear({ fees: [feeOf(attributes, numberIn)] }));
    else if (sign !== undefined) tokens.push(sign);
    else throw new Refusal(`"${text.slice(at, at + 20).trim()}" in it is unknown`);
  }
  return tokens;
}

const linear = (parts: Partial<Linear>): Linear => ({
  constant: ZERO,
  qty: ZERO,
  cost: ZERO,
  fees: [],
  ...parts,
});

function feeOf(attributes: string, numberIn: (digits: string) => Fraction): Fee {
  const amounts = new Map<string, Fraction>();
  for (const [, name = '', value = ''] of attributes.matchAll(/(\w+)\s*=\s*["']?([^"'\s]*)["']?/g)) {
    // PHP treats the text "0" as empty, so a bound of 0 is none.
    const isNone = value === '' || (value === '0' && name !== 'percent');
    if (!isNone) amounts.set(name, numberIn(value));
  }
  const percent = amounts.get('percent');
  if (percent === undefined) throw new Refusal(`"[fee${attributes}]" needs a percent`);
  return { percent, min: amounts.get('min_fee') ?? null, max: amounts.get('max_fee') ?? null };
}

/** Reads a sum of products; refuses what is not linear. */
function linearOf(tokens: readonly Token[]): Linear {
  let at = 0;
  const signAmong = (signs: string): string | null => {
    const token = tokens[at];
    if (typeof token !== 'string' || !signs.includes(token)) return null;
    at++;
    return token;
  };
  const readSum = (): Linear => {
    let value = readProduct();
    for (let sign = signAmong('+-'); sign !== null; sign = signAmong('+-')) {
      const term = readProduct();
      value = sum(value, sign === '+' ? term : negated(term));
    }
    return value;
  };
  const readProduct = (): Linear => {
    let value = readOperand();
    for (let sign = signAmong('*/'); sign !== null; sign = signAmong('*/')) {
      const other = readOperand();
      value = sign === '*' ? product(value, other) : quotient(value, other);
    }
    return value;
  };
  const readOperand = (): Linear => {
    const token = tokens[at++];
    if (token === '-') return negated(readOperand());
    if (token === '(') {
      const value = readSum();
      if (tokens[at++] !== ')') throw new Refusal('a bracket is not closed');
      return value;
    }
    if (token === undefined || typeof token === 'string') throw new Refusal('a number is missing in it');
    return token;
  };
  const value = readSum();
  if (at < tokens.length) throw new Refusal('it has text after its end');
  return value;
}

const sum = (a: Linear, b: Linear): Linear => ({
  constant: add(a.constant, b.constant),
  qty: add(a.qty, b.qty),
  cost: add(a.cost, b.cost),
  fees: [...a.fees, ...b.fees],
});

/** Refuses a fee; `done` is the word for the operation in the message. */
function scaled({ constant, qty, cost, fees }: Linear, factor: Fraction, done: string): Linear {
  if (fees.length > 0) throw new Refusal(`a fee is ${done} in it`);
  const by = (part: Fraction): Fraction => multiply(part, factor);
  return linear({ constant: by(constant), qty: by(qty), cost: by(cost) });
}

const negated = (value: Linear): Linear => scaled(value, fraction(-1), 'subtracted');

const isConstant = ({ qty, cost, fees }: Linear): boolean => isZero(qty) && isZero(cost) && fees.length === 0;

function product(a: Linear, b: Linear): Linear {
  const [factor, value] = isConstant(a) ? [a, b] : [b, a];
  if (!isConstant(factor)) throw new Refusal('it multiplies what depends on the cart');
  return scaled(value, factor.constant, 'multiplied');
}

function quotient(a: Linear, b: Linear): Linear {
  if (!isConstant(b)) throw new Refusal('it divides by what depends on the cart');
  const inverse = divide(fraction(1), b.constant);
  if (inverse === null) throw new Refusal('it divides by zero');
  return product(a, linear({ constant: inverse }));
}
