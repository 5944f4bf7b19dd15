/**
 * The socket in a data folder. The process that owns the folder listens there: a server, or a command that works on the folder
 * while no server runs. The mode of the socket says who may connect: only the user of that process.
 *
 * `operator.sock` is a symbolic link to the socket of the owner. To make the link claims the folder, because the system lets
 * one process make it. Its text says of which kind the owner is, and leads to a socket among the temporary files where the
 * path of the folder is too long for one. The owner listens before it makes the link, so a link to a socket on which nobody
 * listens was left by a process that was killed.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readlinkSync, realpathSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The path of a socket may have 104 bytes on macOS and 108 on Linux, including a final zero. */
const SOCKET_PATH_BYTES_MAX = 100;
const LINK = 'operator.sock';
/** Pause before the next look at a folder on which a command works. */
const LOOK_MS = 20;
/** A server that starts waits this long for a command to end. */
const COMMAND_MS_MAX = 30_000;
/** Permission bits that a socket does not get. */
const MASK = 0o177;

/** Error codes when nobody listens, with or without a socket file that a killed process left, or any more. */
const NOBODY_LISTENS: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

export type OwnerKind = 'server' | 'command';

/** The folder cannot be claimed. */
export class FolderClaimError extends Error {
  override readonly name: string = 'FolderClaimError';
}

/** Another process owns this data folder. */
export class DataFolderServedError extends FolderClaimError {
  override readonly name = 'DataFolderServedError';

  constructor(kind: OwnerKind) {
    super(
      kind === 'server' ? 'another process serves this data folder' : 'a command works on this data folder',
    );
  }
}

interface Owner {
  readonly kind: OwnerKind;
  readonly socketPath: string;
  /** The text of the link. */
  readonly text: string;
}

interface FolderClaim {
  readonly socketPath: string;
  /** Removes link and socket. Nobody may listen any more. */
  release(): void;
}

/** The socket of the server that runs on the folder; null when none does. */
export async function findServer(dataFolder: string): Promise<string | null> {
  const owner = ownerOf(dataFolder);
  if (owner?.kind !== 'server') return null;
  return (await isListening(owner.socketPath)) ? owner.socketPath : null;
}

/**
 * Claims the folder, which must exist. `listen` listens at the path that it gets; `stop` ends that. Waits while a command
 * works on the folder, then rejects with `DataFolderServedError`, as at once when a server runs on it.
 */
export async function claimFolder(
  dataFolder: string,
  kind: OwnerKind,
  socket: { readonly listen: (path: string) => Promise<void>; readonly stop: () => void },
): Promise<FolderClaim> {
  const link = join(dataFolder, LINK);
  const own = newOwner(dataFolder, kind);
  await withMask(() => socket.listen(own.socketPath));
  const release = (): void => {
    if (textOf(link) === own.text) rmSync(link);
    removeSocket(own);
  };
  try {
    await makeLink(link, own.text, () => waitForFolder(dataFolder));
  } catch (error) {
    socket.stop();
    release();
    throw error;
  }
  return { socketPath: own.socketPath, release };
}

/** Resolves when nobody owns the folder; rejects with `DataFolderServedError`. */
export async function waitForFolder(dataFolder: string): Promise<void> {
  const endMs = performance.now() + COMMAND_MS_MAX;
  for (;;) {
    const owner = ownerOf(dataFolder);
    if (owner === null) return;
    if (!(await isListening(owner.socketPath))) {
      removeLeft(dataFolder, owner);
      continue;
    }
    if (owner.kind === 'server' || performance.now() > endMs) throw new DataFolderServedError(owner.kind);
    await wait(LOOK_MS);
  }
}

async function makeLink(link: string, text: string, free: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      symlinkSync(text, link);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await free();
    }
  }
}

function newOwner(dataFolder: string, kind: OwnerKind): Owner {
  const name = `${kind}-${randomUUID().slice(0, 8)}.sock`;
  const inFolder = join(realpathSync(dataFolder), name);
  if (Buffer.byteLength(inFolder) < SOCKET_PATH_BYTES_MAX) return { kind, socketPath: inFolder, text: name };
  const socketPath = join(mkdtempSync(join(tmpdir(), 'ratewright-')), name);
  return { kind, socketPath, text: socketPath };
}

function ownerOf(dataFolder: string): Owner | null {
  const text = textOf(join(dataFolder, LINK));
  if (text === null) return null;
  const kind = /(?:^|\/)command-[^/]*$/.test(text) ? 'command' : 'server';
  return { kind, text, socketPath: isAbsolute(text) ? text : join(realpathSync(dataFolder), text) };
}

/** Null without a link. Throws where another file has its name. */
function textOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // The second is that of a data folder which is a file: the log refuses it.
    if (['ENOENT', 'ENOTDIR'].includes(code)) return null;
    if (code === 'EINVAL')
      throw new FolderClaimError(`no socket can be made for operators: ${link} is no link`);
    throw error;
  }
}

/**
 * Removes what a killed process has left. Another start may do so too and claim the folder, so the link is moved aside and
 * compared before it is removed.
 */
function removeLeft(dataFolder: string, left: Owner): void {
  const link = join(dataFolder, LINK);
  const aside = join(dataFolder, `${LINK}.${randomUUID().slice(0, 8)}`);
  try {
    renameSync(link, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (textOf(aside) !== left.text) {
    renameSync(aside, link);
    return;
  }
  rmSync(aside);
  removeSocket(left);
}

function removeSocket({ socketPath, text }: Owner): void {
  rmSync(socketPath, { force: true });
  if (!isAbsolute(text)) return;
  try {
    rmdirSync(dirname(socketPath));
  } catch {
    // It is gone, or somebody put something else into it.
  }
}

/** The socket file is made before `listen` returns, so that with this mask no other user can connect at any time. */
function withMask<T>(listen: () => T): T {
  const mask = process.umask(MASK);
  try {
    return listen();
  } finally {
    process.umask(mask);
  }
}

/** False when no process listens at the path. Rejects with the system's error when that cannot be determined. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // Somebody listens, and the queue of connections is full.
      if (error.code === 'EAGAIN') resolve(true);
      // It ended just now.
      else if (error.code === 'ECONNRESET') resolve(isListening(path));
      else if (NOBODY_LISTENS.has(error.code)) resolve(false);
      else reject(error);
    });
  });
}
