/** Opens the log of a process: in the data folder, or in a database with a mirror in the data folder. */
import { hostname } from 'node:os';
import { newMeter } from '../cluster/node-ports.ts';
import { type Authority, AuthorityUnavailableError } from '../log/authority.ts';
import { UnusableDataFileError } from '../log/event-log.ts';
import type { LmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import type { DatabaseCopies } from '../log/postgres/primary-link.ts';
import { RECORD_FORMAT } from '../log/record-codec.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { idOfMirror, openMirror, openOwnLog } from './mirror-folder.ts';
import { SharedNode } from './shared-node.ts';

export interface LogSettings {
  readonly dataPath: string;
  readonly databaseUrl: string | null;
  readonly databaseCopies: DatabaseCopies;
  readonly staleSeconds: number;
}

export interface LogUser {
  readonly logger: Logger;
  /** Called after each part was opened, with a function that closes it. */
  readonly opened: (close: () => Promise<void>) => void;
  readonly onFatal: (cause: Error) => void;
}

export interface OpenLog {
  /** The log in the data folder. */
  readonly copy: LmdbEventLog;
  /** Null without a database. */
  readonly shared: SharedNode | null;
}

/** Rejects with `UnusableDataFileError`, whose message is one line. */
export async function openLog(settings: LogSettings, user: LogUser): Promise<OpenLog> {
  const { logger, opened, onFatal } = user;
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
  const authority = await openAuthority(databaseUrl, databaseCopies);
  opened(() => authority.close());
  const meter = newMeter();
  const copy = openMirror(dataPath, authority.cluster.id, logger, meter, onDiskFull);
  opened(() => copy.close());
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

/** As `openAuthority`, for `work`; closes it afterwards. */
export async function withAuthority<T>(
  url: string,
  copies: DatabaseCopies,
  work: (authority: Authority) => Promise<T>,
): Promise<T> {
  const authority = await openAuthority(url, copies);
  try {
    return await work(authority);
  } finally {
    await authority.close();
  }
}

/**
 * Loads the PostgreSQL client and opens the authority. Rejects with `UnusableDataFileError`, whose one line gives for
 * each server the reason why it is not used.
 */
async function openAuthority(url: string, copies: DatabaseCopies): Promise<Authority> {
  const { openPostgresAuthority } = await import('../log/postgres/postgres-authority.ts');
  try {
    return await openPostgresAuthority({ url, copies });
  } catch (error) {
    if (!(error instanceof AuthorityUnavailableError)) throw error;
    throw new UnusableDataFileError(`the database cannot be used: ${error.message}`, { cause: error });
  }
}
