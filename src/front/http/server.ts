/**
 * The server: listens on its port and on a socket for operators, passes every request to the pipeline, and stops without
 * dropping requests in flight.
 */
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { RequestPipeline } from './pipeline.ts';
import { createRouteTable } from './route-table.ts';
import { type ListenSocket, loadUws, type TemplatedApp, type Uws } from './uws.ts';

/** Longer than most requests are on their way, and shorter than a person notices. */
const QUIET_MS = 50;

/** Throws `NoServerBinaryError` where no binary fits. */
export class HttpServer {
  readonly #uws = loadUws();
  readonly #pipeline: RequestPipeline;
  readonly #settings: HttpSettings;
  readonly #onPort = this.#uws.App();
  readonly #onSocket = this.#uws.App();
  /** Null while the server does not listen on its port. */
  #portSocket: ListenSocket | null = null;
  #unixSocket: ListenSocket | null = null;
  #port = 0;

  constructor(dependencies: HttpDependencies, settings: HttpSettings) {
    this.#settings = settings;
    this.#pipeline = new RequestPipeline(dependencies, settings, createRouteTable(settings));
    this.#onPort.any('/*', this.#pipeline.handle);
    this.#onSocket.any('/*', this.#pipeline.handleOnSocket);
  }

  /**
   * Listens on a Unix socket, on which operators need no key; requests about shops are answered with 503 until `open`. The
   * library would replace a socket that another process has at this path.
   */
  async listenAt(path: string): Promise<void> {
    this.#unixSocket = await new Promise<ListenSocket>((resolve, reject) => {
      this.#onSocket.listen_unix((socket) => {
        if (socket) resolve(socket);
        else reject(new Error(`cannot listen on ${path}`));
      }, path);
    });
  }

  /** Closes the Unix socket and its connections. */
  closeSocket(): void {
    if (this.#unixSocket === null) return;
    this.#uws.us_listen_socket_close(this.#unixSocket);
    this.#unixSocket = null;
    this.#onSocket.close();
  }

  /** From now on requests about shops are answered. */
  open(): void {
    this.#pipeline.open();
  }

  /** Opens the server, and listens on its port. Rejects with `ListenError`. */
  async listen(): Promise<void> {
    this.open();
    this.#portSocket = await listen(this.#uws, this.#onPort, this.#settings);
    this.#port = this.#uws.us_socket_local_port(this.#portSocket);
  }

  get port(): number {
    return this.#port;
  }

  /** Requests that are not yet answered to the last byte. */
  get inFlight(): number {
    return this.#pipeline.inFlight;
  }

  /**
   * Accepts no more connections on the port, refuses further requests about shops with 503, closes each open connection with
   * its next answer, and resolves when no request is in flight. It has no timeout: a slow reader can delay it.
   */
  drain(): Promise<void> {
    this.#stopListening();
    return this.#pipeline.drain();
  }

  /**
   * After `drain`: resolves once no request was refused for a moment. What clients had on its way over kept connections is
   * answered before these are closed, which would reset them.
   */
  async quiet(): Promise<void> {
    for (let before = -1; before !== this.#pipeline.lateRequests; ) {
      before = this.#pipeline.lateRequests;
      await wait(QUIET_MS);
    }
  }

  /** Closes all connections of the port at once. */
  close(): void {
    this.#stopListening();
    this.#onPort.close();
    this.#pipeline.close();
  }

  #stopListening(): void {
    if (this.#portSocket !== null) this.#uws.us_listen_socket_close(this.#portSocket);
    this.#portSocket = null;
  }
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
