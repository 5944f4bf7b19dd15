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

/** `random(n)` gives n random bytes; tests pass their own. */
export function createIdSource(
  clock: Pick<Clock, 'nowMs'>,
  random: (bytes: number) => Uint8Array = randomBytes,
): IdSource {
  let lastMs = -1;
  let time = '';
  let digits: number[] = [];

  const startMillisecond = (ms: number): void => {
    lastMs = ms;
    time = encodeTime(ms);
    digits = Array.from(random(RANDOM_LENGTH), (byte) => byte & 31);
  };

  return {
    next() {
      const nowMs = Math.floor(clock.nowMs());
      if (nowMs > lastMs) startMillisecond(nowMs);
      else if (!countUp(digits)) startMillisecond(lastMs + 1);
      let tail = '';
      for (const digit of digits) tail += DIGITS.charAt(digit);
      return time + tail;
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
