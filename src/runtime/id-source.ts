/**
 * Unique parts of ids: 26 characters of Crockford's base 32, 48 bits of milliseconds and 80 random bits, like a ULID.
 * They sort in the order in which one process made them: when the clock stands still or goes back, the last time is
 * kept and the random part is incremented.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The text of each pair of digits; digits are processed in pairs. */
const PAIR_TEXTS: readonly string[] = [...DIGITS].flatMap((high) => [...DIGITS].map((low) => high + low));
const PAIR_COUNT = PAIR_TEXTS.length;
const TIME_PAIRS = 5;
const RANDOM_PAIRS = 8;
const RANDOM_BYTES = 2 * RANDOM_PAIRS;

export interface IdSource {
  /** Returns a new seed, greater than every earlier seed of this source. */
  readonly next: () => string;
}

/** Number of random bytes per call of the system. Measured with 70 ids per millisecond: halves the time per id. */
const POOL_BYTES = 4_096;

/** Returns a function that returns `count` random bytes, at most `POOL_BYTES`; no byte is used twice. */
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

/**
 * `random(n)` returns n random bytes; tests pass their own. Within a millisecond an id costs one addition, because
 * every request needs one.
 */
export function createIdSource(
  clock: Pick<Clock, 'nowMs'>,
  random: (bytes: number) => Uint8Array = pooledRandom(),
): IdSource {
  let lastMs = -1;
  /** The random pairs except the last, which `counted` holds. */
  const pairs: number[] = new Array(RANDOM_PAIRS - 1).fill(0);
  let counted = 0;
  /** The text of the time and of `pairs`. */
  let head = '';

  const writeHead = (): void => {
    // Joined into one flat string, because every id starts with it.
    head = [...timePairs(lastMs), ...pairs].map((pair) => PAIR_TEXTS[pair]).join('');
  };

  const startMillisecond = (ms: number): void => {
    lastMs = ms;
    const bytes = random(RANDOM_BYTES);
    for (let index = 0; index < pairs.length; index++) pairs[index] = pairIn(bytes, index);
    counted = pairIn(bytes, RANDOM_PAIRS - 1);
    writeHead();
  };

  const carry = (): void => {
    counted = 0;
    if (countUp(pairs)) writeHead();
    else startMillisecond(lastMs + 1);
  };

  return {
    next() {
      const nowMs = Math.floor(clock.nowMs());
      if (nowMs > lastMs) startMillisecond(nowMs);
      else if (++counted === PAIR_COUNT) carry();
      return head + (PAIR_TEXTS[counted] ?? '');
    },
  };
}

const pairIn = (bytes: Uint8Array, index: number): number =>
  (((bytes[2 * index] ?? 0) & 31) << 5) | ((bytes[2 * index + 1] ?? 0) & 31);

/** Adds one to the number that the pairs form, in place; returns false on overflow. */
function countUp(pairs: number[]): boolean {
  for (let index = pairs.length - 1; index >= 0; index--) {
    const pair = ((pairs[index] ?? 0) + 1) % PAIR_COUNT;
    pairs[index] = pair;
    if (pair !== 0) return true;
  }
  return false;
}

function timePairs(ms: number): number[] {
  const pairs: number[] = [];
  for (let rest = ms; pairs.length < TIME_PAIRS; rest = Math.floor(rest / PAIR_COUNT))
    pairs.unshift(rest % PAIR_COUNT);
  return pairs;
}
