/**
 * The server library. It is native, with one binary for each Node major and libc. Two releases are installed under two
 * aliases; the first that loads is used. No other file imports it.
 */
import { createRequire } from 'node:module';
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uws-modern';

export type { HttpRequest, HttpResponse, TemplatedApp };
export type ListenSocket = us_listen_socket;

export interface Uws {
  App(): TemplatedApp;
  /** Refuses a port that another process listens on, where the default would silently share it. */
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: 1;
  us_listen_socket_close(socket: ListenSocket): void;
  us_socket_local_port(socket: ListenSocket): number;
}

interface Release {
  readonly alias: string;
  readonly nodeMajors: readonly number[];
  /** On Linux. */
  readonly glibc: string;
}

/** Newest first, with the Node majors that both the release and this package support. */
export const RELEASES: readonly Release[] = [
  { alias: 'uws-modern', nodeMajors: [22, 24, 26], glibc: '2.38' },
  { alias: 'uws-compat', nodeMajors: [20, 22], glibc: '2.27' },
];

/** No release of the server library fits this process; the message is one line for a person. */
export class NoServerBinaryError extends Error {
  override readonly name = 'NoServerBinaryError';

  constructor(releases: readonly Release[], nodeVersion = process.versions.node) {
    const running = `Node ${nodeVersion} on ${process.platform} ${process.arch}`;
    const major = Number.parseInt(nodeVersion, 10);
    const fitting = releases.filter(({ nodeMajors }) => nodeMajors.includes(major));
    super(
      fitting.length > 0
        ? `no binary of the HTTP server is installed for ${running}: after each change of Node run 'npm ci' again in ` +
            `a clone, or 'npm install' of the package where it is installed (on Linux it needs glibc ${fitting.map(({ glibc }) => glibc).join(' or ')} or newer, and optional dependencies)`
        : `there is no binary of the HTTP server for ${running}: use ${releases.map(textOf).join('; or ')}`,
    );
  }
}

const textOf = ({ nodeMajors, glibc }: Release): string =>
  `Node ${nodeMajors.join(', ')} with glibc ${glibc} or newer on Linux`;

/** Loads the first release that fits. Throws `NoServerBinaryError`. */
export function loadUws(
  load: (alias: string) => unknown = createRequire(import.meta.url),
  releases: readonly Release[] = RELEASES,
): Uws {
  for (const { alias } of releases) {
    try {
      return load(alias) as Uws;
    } catch {
      // It is not installed, or for another Node or libc.
    }
  }
  throw new NoServerBinaryError(releases);
}
