/**
 * A TCP proxy between a client and a PostgreSQL server that loses answers on demand: it cuts the connection before a
 * statement or before its answer, or passes nothing on and keeps the connection open; or it holds a statement back while
 * another client is served. It recognises a statement by the name in the message that runs it.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';

export type Cut =
  /** The server has carried it out, and the client does not learn of it. */
  | 'beforeAnswer'
  /** The server never hears of it. */
  | 'beforeStatement';

interface ArmedCut {
  readonly statement: string;
  readonly cut: Cut;
  readonly done: () => void;
}

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #targetPort: number;
  #armed: ArmedCut | null = null;
  #isSilent = false;
  #delayMs = 0;
  /** Called with what a client sends: its connection waits for the promise before the server hears of it. */
  beforeServer: (chunk: Buffer) => Promise<void> | null = () => null;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on('connection', (client: Socket) => this.#connect(client));
  }

  static async start(targetPort: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(createServer(), targetPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts at the next statement of this name; resolves once it has. */
  cutAt(statement: string, cut: Cut): Promise<void> {
    return new Promise((done) => {
      this.#armed = { statement, cut, done };
    });
  }

  /** True passes nothing on and keeps all connections open, like a pulled cable; false resumes. */
  set isSilent(isSilent: boolean) {
    this.#isSilent = isSilent;
    for (const socket of this.#sockets) {
      if (isSilent) socket.pause();
      else socket.resume();
    }
  }

  /** Delays each chunk that the server sends. */
  set delayMs(milliseconds: number) {
    this.#delayMs = milliseconds;
  }

  /** Later connections go to this port. */
  set targetPort(port: number) {
    this.#targetPort = port;
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(client: Socket): void {
    const server = new Socket();
    server.connect(this.#targetPort, '127.0.0.1');
    /** Set once the connection is to be cut at the next answer. */
    let isDoomed: (() => void) | null = null;
    const cut = (done: () => void) => {
      client.destroy();
      server.destroy();
      done();
    };
    client.on('data', (chunk: Buffer) => {
      const armed = this.#armed;
      if (armed !== null && chunk.includes(armed.statement)) {
        this.#armed = null;
        if (armed.cut === 'beforeStatement') return cut(armed.done);
        isDoomed = armed.done;
      }
      const waiting = this.beforeServer(chunk);
      if (waiting === null) {
        server.write(chunk);
        return;
      }
      client.pause();
      void waiting.then(() => {
        server.write(chunk);
        client.resume();
      });
    });
    server.on('data', (chunk: Buffer) => {
      if (isDoomed !== null) return cut(isDoomed);
      if (this.#delayMs === 0) client.write(chunk);
      else setTimeout(() => client.write(chunk), this.#delayMs);
    });
    for (const [socket, other] of [[client, server] as const, [server, client] as const]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      if (this.#isSilent) socket.pause();
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
