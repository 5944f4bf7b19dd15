/**
 * Unique parts of ids: 26 characters of Crockford's base 32, with 48 bits of milliseconds and 80 random bits, like a ULID.
 * They sort in the order in which one process made them: when the clock stands still or goes back, the last time is
 * used again and the random part is incremented.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
/** The random part is two numbers of 8 digits, 40 bits each, which a double holds exactly. */
const HALF_DIGITS = 8;
const HALF_BYTES = 5;
const HALF_COUNT = 2 ** 40;

export interface IdSource {
  /** Returns a new seed, greater than every earlier seed of this source. */
  readonly next: () => string;
}

/** `random(n)` returns n random bytes; tests pass their own. */
export function createIdSource(
  clock: Pick<Clock, 'nowMs'>,
  random: (bytes: number) => Uint8Array = randomBytes,
): IdSource {
  let lastMs = -1;
  let high = 0;
  let low = 0;
  /** The digits of the time and of `high`. */
  let head = '';
  const writeHead = (): void => {
    head = digitsOf(lastMs, TIME_DIGITS) + digitsOf(high, HALF_DIGITS);
  };
  const startMillisecond = (ms: number): void => {
    lastMs = ms;
    const bytes = Buffer.from(random(2 * HALF_BYTES));
    high = bytes.readUIntBE(0, HALF_BYTES);
    low = bytes.readUIntBE(HALF_BYTES, HALF_BYTES);
    writeHead();
  };
  return {
    next() {
      const nowMs = Math.floor(clock.nowMs());
      if (nowMs > lastMs) startMillisecond(nowMs);
      else if (++low === HALF_COUNT) {
        low = 0;
        if (++high === HALF_COUNT) startMillisecond(lastMs + 1);
        else writeHead();
      }
      return head + digitsOf(low, HALF_DIGITS);
    },
  };
}

function digitsOf(value: number, count: number): string {
  let digits = '';
  for (let rest = value; digits.length < count; rest = Math.floor(rest / DIGITS.length))
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
  return digits;
}
