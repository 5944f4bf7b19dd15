/** Exact fractions: a decimal of a source is not rounded before it is converted to whole units. */

export interface Fraction {
  readonly above: bigint;
  /** Always positive. */
  readonly below: bigint;
}

const DECIMAL = /^(\d{0,15})(?:\.(\d{0,15}))?$/;

/** A decimal without sign and exponent, such as `12.50`; null for any other text. */
export function parseFraction(text: string): Fraction | null {
  const [, whole = '', decimals = ''] = DECIMAL.exec(text.trim()) ?? [];
  if (whole === '' && decimals === '') return null;
  return { above: BigInt(whole + decimals), below: 10n ** BigInt(decimals.length) };
}

export const fraction = (above: number | bigint, below: number | bigint = 1): Fraction => ({
  above: BigInt(above),
  below: BigInt(below),
});

export const ZERO = fraction(0);

export const add = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.below + b.above * a.below,
  below: a.below * b.below,
});

export const negate = ({ above, below }: Fraction): Fraction => ({ above: -above, below });

export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.above,
  below: a.below * b.below,
});

/** null for a division by zero. */
export function divide(a: Fraction, b: Fraction): Fraction | null {
  if (b.above === 0n) return null;
  const sign = b.above < 0n ? -1n : 1n;
  return { above: a.above * b.below * sign, below: a.below * b.above * sign };
}

/** The value when it is a safe integer, else null. */
export function wholeOf({ above, below }: Fraction): number | null {
  if (above % below !== 0n) return null;
  const value = Number(above / below);
  return Number.isSafeInteger(value) ? value : null;
}

/** The greatest whole number not above one that is not negative. */
export const floorOf = ({ above, below }: Fraction): number => Number(above / below);

/** The least whole number not below one that is not negative. */
export const ceilOf = ({ above, below }: Fraction): number => Number((above + below - 1n) / below);
