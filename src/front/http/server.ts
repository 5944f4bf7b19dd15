/** The server: listens, passes every request to the pipeline, and stops without dropping requests in flight. */
import { createServer } from 'node:net';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { RequestPipeline } from './pipeline.ts';
import { createRouteTable } from './route-table.ts';
import { type ListenSocket, loadUws, type TemplatedApp, type Uws } from './uws.ts';

export interface RunningServer {
  readonly port: number;
  /** Requests that are not yet answered to the last byte. */
  readonly inFlight: number;
  /**
   * Stops accepting connections, refuses further requests about shops with 503, closes each open connection with its next
   * answer, and resolves when no request is in flight. It has no timeout: a slow reader can delay it.
   */
  drain(): Promise<void>;
  /** Closes all connections at once. */
  close(): void;
}

/** Listens and serves. Rejects with `ListenError`; throws `NoServerBinaryError` where no binary fits. */
export async function startServer(
  dependencies: HttpDependencies,
  settings: HttpSettings,
): Promise<RunningServer> {
  const uws = loadUws();
  const pipeline = new RequestPipeline(dependencies, settings, createRouteTable(settings));
  const app = uws.App();
  app.any('/*', pipeline.handle);
  const socket = await listen(uws, app, settings);
  let isListening = true;
  const stopListening = (): void => {
    if (isListening) uws.us_listen_socket_close(socket);
    isListening = false;
  };
  return {
    port: uws.us_socket_local_port(socket),
    get inFlight() {
      return pipeline.inFlight;
    },
    drain() {
      stopListening();
      return pipeline.drain();
    },
    close() {
      stopListening();
      app.close();
    },
  };
}

async function listen(
  uws: Uws,
  app: TemplatedApp,
  { host, port }: Pick<HttpSettings, 'host' | 'port'>,
): Promise<ListenSocket> {
  const listening = await new Promise<ListenSocket | false>((resolve) => {
    app.listen(host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, resolve);
  });
  if (listening !== false) return listening;
  throw new ListenError(host, port, await findObstacle(host, port));
}

type ListenObstacle = 'inUse' | 'notPermitted' | 'noSuchAddress' | 'unknown';

/** Error codes of the system and of its resolver. */
const OBSTACLES: Readonly<Record<string, ListenObstacle>> = {
  EADDRINUSE: 'inUse',
  EACCES: 'notPermitted',
  EPERM: 'notPermitted',
  EADDRNOTAVAIL: 'noSuchAddress',
  EAFNOSUPPORT: 'noSuchAddress',
  EINVAL: 'noSuchAddress',
  ENOTFOUND: 'noSuchAddress',
  EAI_AGAIN: 'noSuchAddress',
};

const MESSAGES: Readonly<Record<ListenObstacle, (place: string, host: string) => string>> = {
  inUse: (place) =>
    `cannot listen on ${place}: another process uses this port; RATEWRIGHT_PORT names another one`,
  notPermitted: (place) => `cannot listen on ${place}: this user may not use this port`,
  noSuchAddress: (place, host) => `cannot listen on ${place}: this machine has no address ${host}`,
  unknown: (place) => `cannot listen on ${place}: the system does not say why`,
};

/** The server cannot listen on its address; the message is one line for a person. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly obstacle: ListenObstacle;

  constructor(host: string, port: number, obstacle: ListenObstacle) {
    super(MESSAGES[obstacle](`${host.includes(':') ? `[${host}]` : host}:${port}`, host));
    this.obstacle = obstacle;
  }
}

/** Listens once more, with Node, because the server library gives no reason; `unknown` if that succeeds. */
function findObstacle(host: string, port: number): Promise<ListenObstacle> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(OBSTACLES[code ?? ''] ?? 'unknown'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve('unknown')));
  });
}
