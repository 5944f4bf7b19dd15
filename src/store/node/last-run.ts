/**
 * What a node knows of its mirror after a restart: as of which moment the shops in it are. It is written every
 * `NOTED_MS` while the node holds its lease, and at the stop, so that a node which is started while its database cannot be
 * reached can answer, marked with the age.
 *
 * The moment is one of the wall clock, because the monotonic clock begins anew with the machine. The file is not flushed:
 * the records in the mirror were, before the node showed them, so after a power failure the file is at most too old.
 */
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterClock, type MirrorState, momentAt } from '../cluster/node-ports.ts';

const FILE = 'current.json';

interface StoredState {
  readonly wallMs: number;
  readonly heads: readonly (readonly [shopId: string, sequenceNumber: number])[];
}

/** Null when it is not known: in a new folder, when the file cannot be read, or after the clock was set back. */
export function readLastRun(folder: string, clock: ClusterClock): MirrorState | null {
  try {
    const { wallMs, heads } = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as StoredState;
    const currentAt = momentAt(wallMs, clock);
    return currentAt === null ? null : { currentAt, heads: new Map(heads) };
  } catch {
    return null;
  }
}

export async function writeLastRun(folder: string, { currentAt, heads }: MirrorState): Promise<void> {
  const path = join(folder, FILE);
  const state: StoredState = { wallMs: currentAt.wallMs, heads: [...heads] };
  await writeFile(`${path}.draft`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${path}.draft`, path);
}
