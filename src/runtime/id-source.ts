/**
 * Unique parts of ids: 26 characters of Crockford's base 32, 48 bits of milliseconds and 80 random bits, in
 * the manner of a ULID. They sort in the order in which one process made them, also when its clock stands
 * still or goes back, because the last time is then kept and the random part is counted up.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

export interface IdSource {
  /** A new seed; greater than every seed before it from the same source. */
  next(): string;
}

/** Random bytes are fetched so many at a time. Measured: with 70 ids a millisecond an id takes half as long. */
const POOL_BYTES = 4_096;

/** `count` random bytes, each handed out once; at most `POOL_BYTES`. */
function pooledRandom(): (count: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (count) => {
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}

/** Digits at the end of an id that are counted as one number, and the text of each such number. */
const COUNTED_LENGTH = 2;
const COUNTED_TEXTS: readonly string[] = [...DIGITS].flatMap((high) => [...DIGITS].map((low) => high + low));

/**
 * `random(n)` gives n random bytes; tests pass their own. Within a millisecond an id costs one addition:
 * every request takes one.
 */
export function createIdSource(
  clock: Pick<Clock, 'nowMs'>,
  random: (bytes: number) => Uint8Array = pooledRandom(),
): IdSource {
  let lastMs = -1;
  /** The random digits but for those that are counted. */
  let digits: number[] = [];
  let counted = 0;
  /** Time and `digits`. */
  let head = '';

  const writeHead = (): void => {
    head = encodeTime(lastMs);
    for (const digit of digits) head += DIGITS.charAt(digit);
  };

  const startMillisecond = (ms: number): void => {
    lastMs = ms;
    const drawn = Array.from(random(RANDOM_LENGTH), (byte) => byte & 31);
    digits = drawn.slice(0, -COUNTED_LENGTH);
    counted = drawn.slice(-COUNTED_LENGTH).reduce((sum, digit) => sum * 32 + digit, 0);
    writeHead();
  };

  const carry = (): void => {
    counted = 0;
    if (countUp(digits)) writeHead();
    else startMillisecond(lastMs + 1);
  };

  return {
    next() {
      const nowMs = Math.floor(clock.nowMs());
      if (nowMs > lastMs) startMillisecond(nowMs);
      else if (++counted === COUNTED_TEXTS.length) carry();
      return head + (COUNTED_TEXTS[counted] ?? '');
    },
  };
}

/** Adds one to a number of base-32 digits in place; false when it is all ones. */
function countUp(digits: number[]): boolean {
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = (digits[index] ?? 0) + 1;
    digits[index] = digit & 31;
    if (digit < 32) return true;
  }
  return false;
}

function encodeTime(ms: number): string {
  let rest = ms;
  let text = '';
  for (let index = 0; index < TIME_LENGTH; index++) {
    text = DIGITS.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
