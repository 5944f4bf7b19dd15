/**
 * The folder of a node's mirror. A file in it holds the id of the cluster, so that the mirror is never used for another
 * database, nor as the log of a single server.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../base/runtime/logger.ts';
import { writeSynced } from '../../base/runtime/synced-files.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import type { ClusterMeter } from '../cluster/node-ports.ts';
import { UnusableDataFileError } from '../log/event-log.ts';
import { dataFileIn, inDataFolder } from '../log/lmdb/data-file.ts';
import { type LmdbEventLog, type LmdbEventLogOptions, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';

/** Name of the file with the id of the cluster, empty before it is known, and a line end. */
const CLUSTER_FILE = 'cluster';
/** Name of the file with the id of the mirror and a line end. */
const MIRROR_FILE = 'mirror';

/** The id of the cluster whose mirror is in the folder, "" before it is known; null when there is no mirror. */
export const clusterOfMirror = (folder: string): string | null => idIn(join(folder, CLUSTER_FILE));

const idIn = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8').trim() : null);

/**
 * Opens the mirror in the folder, or makes it. A damaged mirror is renamed, and a new one is made. Throws
 * `UnusableDataFileError` when the folder cannot be used or holds a log that is not a mirror.
 */
export function openMirror(
  folder: string,
  logger: Pick<Logger, 'error'>,
  meter: Pick<ClusterMeter, 'mirrorsDamaged'>,
  onDiskFull: (isFull: boolean) => void,
): LmdbEventLog {
  const known = clusterOfMirror(folder);
  if (known === null && existsSync(dataFileIn(folder))) {
    throw new UnusableDataFileError(
      `data folder ${folder} holds a log of its own: name another folder, or move it to the database`,
    );
  }
  if (known === null) note(folder, '');
  try {
    return openLmdbEventLog({ path: folder, onDiskFull });
  } catch (error) {
    if (!(error instanceof UnusableDataFileError)) throw error;
    const aside = freeName((number) => `${folder}.damaged-${number}`);
    renameSync(folder, aside);
    logger.error('mirror.set_aside', { folder: aside, error: asError(error) });
    meter.mirrorsDamaged++;
    note(folder, known ?? '');
    return openLmdbEventLog({ path: folder, onDiskFull });
  }
}

/**
 * From now on the mirror is that of this cluster. Throws `UnusableDataFileError` when it is that of another one. Must be
 * called before anything of the cluster is stored in it.
 */
export function requireClusterOf(folder: string, clusterId: string): void {
  const known = clusterOfMirror(folder);
  if (!known) note(folder, clusterId);
  else if (known !== clusterId) {
    throw new UnusableDataFileError(
      `data folder ${folder} is a copy of another database (${known}, not ${clusterId}): name another folder, or remove it`,
    );
  }
}

/**
 * The id of the mirror in the folder, made when it is missing. The authority stores the counts of the node under this
 * id. The mirror stores them too, so a node with a new mirror and a new id neither replaces nor repeats them.
 */
export function idOfMirror(folder: string): string {
  const path = join(folder, MIRROR_FILE);
  const known = idIn(path);
  if (known !== null) return known;
  const id = randomUUID();
  writeSynced(path, `${id}\n`);
  return id;
}

/** Opens the log of a single server. Throws `UnusableDataFileError`, also when the folder holds a mirror. */
export function openOwnLog(folder: string, options: Omit<LmdbEventLogOptions, 'path'> = {}): LmdbEventLog {
  if (clusterOfMirror(folder) === null) return openLmdbEventLog({ ...options, path: folder });
  throw new UnusableDataFileError(
    `data folder ${folder} is the copy of a database: RATEWRIGHT_DATABASE_URL must name it`,
  );
}

function note(folder: string, clusterId: string): void {
  inDataFolder(folder, () => writeSynced(join(folder, CLUSTER_FILE), `${clusterId}\n`));
}

/** The first of the names that no file has yet. */
export function freeName(nameOf: (number: number) => string): string {
  for (let number = 1; ; number++) if (!existsSync(nameOf(number))) return nameOf(number);
}
