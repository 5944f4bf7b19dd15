/** The server: listens, hands every request to the pipeline, and stops without dropping what is in flight. */
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { findObstacle, ListenError } from './listen-error.ts';
import { RequestPipeline } from './pipeline.ts';
import { createRouteTable } from './route-table.ts';
import { type ListenSocket, loadUws, type TemplatedApp, type Uws } from './uws.ts';

export interface RunningServer {
  readonly port: number;
  /** Requests that are not yet answered to the last byte. */
  readonly inFlight: number;
  /**
   * Stops accepting connections, answers 503 on `/readyz`, ends each open connection with its next answer,
   * and resolves when nothing is in flight. It has no timeout: a slow reader can delay it.
   */
  drain(): Promise<void>;
  /** Closes everything at once, open connections too. */
  close(): void;
}

/** The default of uWebSockets.js: other processes with the same option may listen on the same port. */
const SHARED_PORT = 0;

/**
 * How the port is taken: by this server alone; by it as the first of several, which makes sure that no other
 * process has it; or as one of several.
 */
export type PortUse = 'alone' | 'first' | 'joining';

/** Listens and serves. Rejects with `ListenError`; throws `NoServerBinaryError` where no binary fits. */
export async function startServer(
  dependencies: HttpDependencies,
  settings: HttpSettings,
  use: PortUse = 'alone',
): Promise<RunningServer> {
  const uws = loadUws();
  const pipeline = new RequestPipeline(dependencies, settings, createRouteTable(settings));
  const app = uws.App();
  app.any('/*', pipeline.handle);
  const socket = await listen(uws, app, settings, use);
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
  use: PortUse,
): Promise<ListenSocket> {
  const listenAt = async (at: number, options: number): Promise<ListenSocket> => {
    const listening = await new Promise<ListenSocket | false>((resolve) => {
      app.listen(host, at, options, resolve);
    });
    if (listening !== false) return listening;
    throw new ListenError(host, at, await findObstacle(host, at));
  };
  if (use === 'joining') return listenAt(port, SHARED_PORT);
  const alone = await listenAt(port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT);
  if (use === 'alone') return alone;
  // A port that was taken alone cannot be shared afterwards.
  const free = uws.us_socket_local_port(alone);
  uws.us_listen_socket_close(alone);
  return listenAt(free, SHARED_PORT);
}
