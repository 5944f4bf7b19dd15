/** The server: listens, hands every request to the dispatcher, and stops without dropping what is in flight. */
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { Dispatcher } from './dispatcher.ts';
import { createRouteTable } from './route-table.ts';
import { loadUws } from './uws.ts';

export interface RunningServer {
  readonly port: number;
  /** Requests that are not yet answered to the last byte. */
  readonly inFlight: number;
  /**
   * Stops accepting connections, answers 503 on `/readyz`, ends each open connection with its next answer,
   * and resolves when nothing is in flight. Without a bound of its own: a slow reader can hold it up.
   */
  drain(): Promise<void>;
  /** Closes everything at once, open connections too. */
  close(): void;
}

/** The address cannot be listened on; the message is one line for a person. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Listens and serves. Rejects with `ListenError`; throws `NoServerBinaryError` where no binary fits. */
export async function startServer(
  dependencies: HttpDependencies,
  settings: HttpSettings,
): Promise<RunningServer> {
  const uws = loadUws();
  const dispatcher = new Dispatcher(dependencies, settings, createRouteTable(settings));
  const app = uws.App();
  app.any('/*', dispatcher.handle);
  const { host, port } = settings;
  const socket = await new Promise<Parameters<typeof uws.us_listen_socket_close>[0]>((resolve, reject) => {
    app.listen(host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (listening) => {
      if (listening !== false) resolve(listening);
      else
        reject(new ListenError(`cannot listen on ${host}:${port}: in use, not permitted or no such address`));
    });
  });
  let isListening = true;
  const stopListening = (): void => {
    if (isListening) uws.us_listen_socket_close(socket);
    isListening = false;
  };
  return {
    port: uws.us_socket_local_port(socket),
    get inFlight() {
      return dispatcher.inFlight;
    },
    drain() {
      stopListening();
      return dispatcher.drain();
    },
    close() {
      stopListening();
      app.close();
    },
  };
}
