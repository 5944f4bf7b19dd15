/**
 * What a disk may hold after a power loss, made from a recorded run: everything that was flushed, and of
 * what was not, any part. Each state is a pure function of the run and its number.
 */
import { SeededRandom } from '../simulator/seeded-random.ts';
import type { TracedStep } from './strace.ts';

const SECTOR_BYTES = 512;

type Write = TracedStep & { readonly kind: 'write' };

/** No disk is known to do this, and LMDB does not expect it: within a sector, any bytes are old and any are new. */
export const BELOW_SECTOR = 'torn meta bytes';

/**
 * The manners in which writes under way are lost. `torn meta` is a loss in the very write of the page that
 * names the newest snapshot. A disk writes each sector whole or not at all, but for the last manner: LMDB rests on
 * that, because this page has no checksum.
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
  /** The power goes after so many steps. */
  readonly steps: number;
  readonly file: Buffer;
  /** Shop -> its last record that was acknowledged before. */
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

/** Where the power goes: for a torn meta page in the very write of one, else anywhere. */
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
      // Most fields of the page are as before, so few pieces have to be kept or lost to mix two snapshots.
      const [bytes, kept] = [random.pick([1, 8]) ?? 1, random.pick([10, 50, 90]) ?? 50];
      return pending.flatMap((write) => piecesOf(write, bytes).filter(() => random.chance(kept)));
    }
  }
}

/** The write as pieces that end at multiples of `size` bytes, as a sector does. */
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
