/** A proxy in front of a server that loses a request or an answer as configured. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type Loss = 'request' | 'answer';

export class LossyProxy {
  readonly url: string;
  /** The losses of the next connections, in order; later connections lose nothing. */
  readonly losses: Loss[] = [];
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(targetUrl: string): Promise<LossyProxy> {
    const { hostname, port } = new URL(targetUrl);
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const loss = proxy.losses.shift();
      sockets.add(client);
      client.on('error', () => {});
      if (loss === 'request') {
        client.once('data', () => client.destroy());
        return;
      }
      const upstream = connect(Number(port), hostname);
      sockets.add(upstream);
      upstream.on('error', () => client.destroy());
      client.pipe(upstream);
      if (loss === 'answer') upstream.once('data', () => client.destroy());
      else upstream.pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new LossyProxy(server, sockets);
    return proxy;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
