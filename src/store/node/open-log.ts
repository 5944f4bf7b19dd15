/** Opens the log of a process: in the data folder, or in a database with a mirror in the data folder. */
import { hostname } from 'node:os';
import { systemClock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { newMeter } from '../cluster/node-ports.ts';
import { UnusableDataFileError } from '../log/event-log.ts';
import type { LmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import type { DatabaseCopies } from '../log/postgres/primary-link.ts';
import { RECORD_FORMAT } from '../log/record-codec.ts';
import type { LogReport } from '../log/verification.ts';
import { idOfMirror, openMirror, openOwnLog, requireClusterOf } from './mirror-folder.ts';
import { SharedNode } from './shared-node.ts';

interface LogSettings {
  readonly dataPath: string;
  readonly databaseUrl: string | null;
  readonly databaseCopies: DatabaseCopies;
  readonly staleSeconds: number;
}

interface LogUser {
  readonly logger: Logger;
  /** Called after each part was opened, with a function that closes it. */
  readonly opened: (close: () => Promise<void>) => void;
  /** Checks the probe of a cluster with the key of this process. */
  readonly secrets: ClusterSecrets;
  readonly onFatal: (cause: Error) => void;
}

interface ClusterSecrets {
  /** For a cluster that has no probe yet; null without a key. */
  readonly probe: string | null;
  /** Throws when the key of this process does not open the probe. */
  admit(probe: string | null): void;
}

export interface OpenLog {
  /** The log in the data folder. */
  readonly copy: LmdbEventLog;
  /** Null without a database. */
  readonly shared: SharedNode | null;
}

/**
 * Does not wait for a database: the node connects when it is started. Rejects with `UnusableDataFileError`, whose message
 * is one line.
 */
export async function openLog(settings: LogSettings, user: LogUser): Promise<OpenLog> {
  const { logger, opened, secrets, onFatal } = user;
  const { dataPath, databaseUrl, databaseCopies, staleSeconds } = settings;
  const onDiskFull = (isFull: boolean) => {
    if (isFull) logger.error('disk.full', { folder: dataPath });
    else logger.info('disk.has_room', { folder: dataPath });
  };
  if (databaseUrl === null) {
    const copy = openOwnLog(dataPath, { onDiskFull });
    opened(() => copy.close());
    return { copy, shared: null };
  }
  const meter = newMeter();
  const copy = openMirror(dataPath, logger, meter, onDiskFull);
  opened(() => copy.close());
  const { postgresAuthority } = await loadClient();
  const authority = postgresAuthority({
    url: databaseUrl,
    copies: databaseCopies,
    guard: {
      probe: secrets.probe,
      admit({ id, probe }) {
        requireClusterOf(dataPath, id);
        requireKeyOf(probe, secrets);
      },
    },
  });
  opened(() => authority.close());
  const shared = new SharedNode({
    authority,
    copy,
    mirrorId: idOfMirror(dataPath),
    clock: systemClock,
    self: { node: hostname(), readsFormat: RECORD_FORMAT },
    staleSeconds,
    logger,
    meter,
    onFatal,
  });
  return { copy, shared };
}

function requireKeyOf(probe: string | null, secrets: ClusterSecrets): void {
  try {
    secrets.admit(probe);
  } catch (error) {
    throw new UnusableDataFileError(asError(error).message, { cause: error });
  }
}

/**
 * Checks every record in the database. Rejects with `AuthorityUnavailableError`, whose one line gives for each server the
 * reason why it is not used, and with `UnusableDataFileError`.
 */
export async function verifyDatabase(url: string, copies: DatabaseCopies): Promise<LogReport> {
  const client = await import('../log/postgres/database-copy.ts');
  return client.verifyDatabase({ url, copies });
}

/** The PostgreSQL client is loaded only when it is needed. */
const loadClient = () => import('../log/postgres/postgres-authority.ts');
