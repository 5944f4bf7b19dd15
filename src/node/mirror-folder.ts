/**
 * The folder of a node's mirror. It notes the cluster that the mirror is of, so that it is never taken for a copy of
 * another database, nor for a log that is the only one there is.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableDataFileError } from '../log/event-log.ts';
import { dataFileIn } from '../log/lmdb/data-file.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import type { Logger } from '../runtime/logger.ts';
import { writeSynced } from '../runtime/synced-files.ts';
import { asError } from '../runtime/thrown-error.ts';

/** The id of the cluster, and a line end. */
const CLUSTER_FILE = 'cluster';

/** The cluster whose mirror the folder holds, or null. */
export function clusterOfMirror(folder: string): string | null {
  const path = join(folder, CLUSTER_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/**
 * Opens the mirror of the cluster, made when it is missing. One that is damaged is set aside and made anew. Throws
 * `UnusableDataFileError` for the mirror of another cluster, and for a log that is none.
 */
export function openMirror(folder: string, clusterId: string, logger: Pick<Logger, 'error'>): LmdbEventLog {
  const known = clusterOfMirror(folder);
  if (known === null && existsSync(dataFileIn(folder))) {
    throw new UnusableDataFileError(
      `data folder ${folder} holds a log of its own: name another folder, or move it to the database`,
    );
  }
  if (known !== null && known !== clusterId) {
    throw new UnusableDataFileError(
      `data folder ${folder} is a copy of another database (${known}, not ${clusterId}): name another folder, or remove it`,
    );
  }
  if (known === null) note(folder, clusterId);
  try {
    return openLmdbEventLog({ path: folder });
  } catch (error) {
    if (!(error instanceof UnusableDataFileError)) throw error;
    const aside = freeName(folder);
    renameSync(folder, aside);
    logger.error('mirror.set_aside', { folder: aside, error: asError(error) });
    note(folder, clusterId);
    return openLmdbEventLog({ path: folder });
  }
}

/** Opens a log that is no mirror. Throws `UnusableDataFileError`. */
export function openOwnLog(folder: string): LmdbEventLog {
  if (clusterOfMirror(folder) === null) return openLmdbEventLog({ path: folder });
  throw new UnusableDataFileError(
    `data folder ${folder} is the copy of a database: RATEWRIGHT_DATABASE_URL must name it`,
  );
}

function note(folder: string, clusterId: string): void {
  mkdirSync(folder, { recursive: true });
  writeSynced(join(folder, CLUSTER_FILE), `${clusterId}\n`, 'w');
}

function freeName(folder: string): string {
  for (let number = 1; ; number++) {
    const name = `${folder}.damaged-${number}`;
    if (!existsSync(name)) return name;
  }
}
