/**
 * One keep-alive connection that carries one request at a time: as little work per request as a socket of
 * Node allows, because the load generator must not be what is measured. Answers need a Content-Length.
 */
import { connect, type Socket } from 'node:net';
import { type Carrier, type Connection, type LoadTarget, readBodies } from './load-target.ts';

const READ_BYTES = 256 * 1024;
const CONTENT_LENGTH = /\r\ncontent-length: *([0-9]+)/i;
const HEAD_END = '\r\n\r\n';
/** More than any server here sends as a head; only so much of a read is looked at as text. */
const HEAD_BYTES_MAX = 2_048;

export class WireConnection implements Connection {
  readonly #socket: Socket;
  readonly #answered: (connection: WireConnection, status: number) => void;
  /** Head read so far; "" between answers. */
  #head = '';
  #status = 0;
  /** Bytes of the body still to come; 0 while a head is awaited. */
  #bodyLeft = 0;

  private constructor(socket: Socket, answered: (connection: WireConnection, status: number) => void) {
    this.#socket = socket;
    this.#answered = answered;
  }

  /** `answered` is called at the end of each answer; `broken` when the connection is of no use any more. */
  static open(
    host: string,
    port: number,
    answered: (connection: WireConnection, status: number) => void,
    broken: (cause: Error) => void,
  ): Promise<WireConnection> {
    return new Promise((resolve, reject) => {
      let connection: WireConnection | undefined;
      const socket = connect({
        host,
        port,
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(READ_BYTES),
          callback: (bytes, buffer) => {
            if (connection !== undefined) connection.#read(buffer as Buffer, bytes);
            return true;
          },
        },
      });
      connection = new WireConnection(socket, answered);
      const opened = connection;
      socket.once('connect', () => resolve(opened));
      socket.once('error', (cause) => {
        reject(cause);
        broken(cause);
      });
      socket.once('end', () => broken(new Error('the server closed the connection')));
    });
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners('end');
    this.#socket.destroy();
  }

  #read(buffer: Buffer, bytes: number): void {
    let at = 0;
    while (at < bytes) {
      if (this.#bodyLeft > 0) {
        const taken = Math.min(this.#bodyLeft, bytes - at);
        this.#bodyLeft -= taken;
        at += taken;
      } else {
        at = this.#readHead(buffer, at, bytes);
        if (this.#head !== '') return;
      }
      if (this.#bodyLeft === 0) this.#answered(this, this.#status);
    }
  }

  /** Returns where the body begins; keeps what it read when the head is not whole yet. */
  #readHead(buffer: Buffer, from: number, to: number): number {
    const before = this.#head.length;
    const head = this.#head + buffer.toString('latin1', from, Math.min(to, from + HEAD_BYTES_MAX));
    const end = head.indexOf(HEAD_END, Math.max(0, before - HEAD_END.length));
    if (end < 0) {
      if (head.length > HEAD_BYTES_MAX) throw new Error(`an answer's head never ends: ${head.slice(0, 200)}`);
      this.#head = head;
      return to;
    }
    this.#head = '';
    this.#status = Number(head.slice(9, 12));
    const length = CONTENT_LENGTH.exec(head.slice(0, end + 2))?.[1];
    if (length === undefined) throw new Error(`answer without Content-Length: ${head.slice(0, 200)}`);
    this.#bodyLeft = Number(length);
    return from + end + HEAD_END.length - before;
  }
}

/** The requests of a target over connections of plain HTTP. */
export function wireCarrier(target: LoadTarget): Carrier {
  const { hostname, port, host } = new URL(target.origin);
  const requests = readBodies(target).map((body) => {
    const head = [
      `${target.method} ${target.path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: ${target.authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
  return {
    requests,
    open: (answered, broken) => WireConnection.open(hostname, Number(port), answered, broken),
  };
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
