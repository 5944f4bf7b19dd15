/**
 * Possible contents of a disk after a power loss, computed from a recorded run: all flushed data, and any part of the
 * unflushed data. Each state is a pure function of the run and its number.
 */
import { SeededRandom } from '../simulator/seeded-random.ts';
import type { TracedStep } from './strace.ts';

const SECTOR_BYTES = 512;

type Write = TracedStep & { readonly kind: 'write' };

/** Within a sector any bytes may be old or new. No known disk does this, and LMDB does not support it. */
export const BELOW_SECTOR = 'torn meta bytes';

/**
 * The ways in which unflushed writes are lost. `torn meta` is a loss during the write of the meta page, which names
 * the newest snapshot. Except in the last way a disk writes each sector completely or not at all; LMDB requires that,
 * because the meta page has no checksum.
 */
export const LOSSES = [
  'drop all',
  'drop one',
  'random subset',
  'torn sectors',
  'torn meta',
  BELOW_SECTOR,
] as const;
export type Loss = (typeof LOSSES)[number];

export interface PowerLoss {
  readonly loss: Loss;
  /** Number of steps before the power loss. */
  readonly steps: number;
  readonly file: Buffer;
  /** Shop -> its last record that was acknowledged before the loss. */
  readonly acknowledged: ReadonlyMap<string, number>;
}

export function powerLoss(run: readonly TracedStep[], seed: number): PowerLoss {
  const random = new SeededRandom(seed);
  const loss = LOSSES[seed % LOSSES.length] ?? 'drop all';
  const steps = stopOf(run, loss, random);
  const flushed: Write[] = [];
  let pending: Write[] = [];
  const acknowledged = new Map<string, number>();
  for (const [index, step] of run.slice(0, steps).entries()) {
    if (step.kind === 'said') {
      const [shopId = '', number] = step.line.split(' ');
      acknowledged.set(shopId, Number(number));
    } else if (step.kind === 'sync') {
      flushed.push(...pending);
      pending = [];
    } else if (step.isSynced && index < steps - 1) flushed.push(step);
    else pending.push(step);
  }
  return { loss, steps, file: fileOf([...flushed, ...remains(pending, loss, random)]), acknowledged };
}

const isTornMeta = (loss: Loss): boolean => loss === 'torn meta' || loss === BELOW_SECTOR;

/** The step of the power loss: for a torn meta page the write of a meta page, otherwise any step. */
function stopOf(run: readonly TracedStep[], loss: Loss, random: SeededRandom): number {
  const stops = run.flatMap((step, index) => {
    const isMeta = step.kind === 'write' && step.isSynced;
    return !isTornMeta(loss) || isMeta ? [index + 1] : [];
  });
  return random.pick(stops) ?? run.length;
}

function remains(pending: readonly Write[], loss: Loss, random: SeededRandom): Write[] {
  switch (loss) {
    case 'drop all':
      return [];
    case 'drop one': {
      const dropped = random.pick(pending);
      return pending.filter((write) => write !== dropped);
    }
    case 'random subset':
      return pending.filter(() => random.chance(50));
    case 'torn sectors':
    case 'torn meta':
      return pending.flatMap((write) => piecesOf(write, SECTOR_BYTES).filter(() => random.chance(50)));
    case BELOW_SECTOR: {
      // Most fields of the page are unchanged, so few pieces must be kept or lost to mix two snapshots.
      const [bytes, kept] = [random.pick([1, 8]) ?? 1, random.pick([10, 50, 90]) ?? 50];
      return pending.flatMap((write) => piecesOf(write, bytes).filter(() => random.chance(kept)));
    }
  }
}

/** Splits a write into pieces that end at multiples of `size` bytes, like sectors. */
function piecesOf(write: Write, size: number): Write[] {
  const pieces: Write[] = [];
  const end = write.at + write.bytes.length;
  for (let at = write.at; at < end; ) {
    const next = Math.min(end, (Math.floor(at / size) + 1) * size);
    pieces.push({ ...write, at, bytes: write.bytes.subarray(at - write.at, next - write.at) });
    at = next;
  }
  return pieces;
}

function fileOf(writes: readonly Write[]): Buffer {
  const file = Buffer.alloc(Math.max(0, ...writes.map(({ at, bytes }) => at + bytes.length)));
  for (const { at, bytes } of writes) bytes.copy(file, at);
  return file;
}
