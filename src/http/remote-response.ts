/**
 * The response of a request whose client is connected to another thread: gathers the answer and hands it over in one
 * piece. The other thread reports parts of the body, and that the client has left.
 */
import type { FinishedAnswer, ResponsePort } from './response-port.ts';

/**
 * From this size on a body is handed over in shared memory and counts as being sent until the other thread reports the
 * end, so that clients that ask for the same large answer share one copy of it, whichever thread they are connected to.
 */
const SHARED_BYTES_MIN = 64 * 1024;

/** Body that was sent -> its copy in shared memory; null as long as one client alone asked for it. */
const sharedBodies = new WeakMap<Uint8Array, Uint8Array | null>();

export class RemoteResponse implements ResponsePort {
  readonly #send: (answer: FinishedAnswer | null) => void;
  #statusLine = '200 OK';
  readonly #headers: [string, string][] = [];
  #aborted: () => void = () => {};
  #receive: ((part: ArrayBuffer, isLast: boolean) => void) | null = null;
  #isOver = false;
  /** The body while it counts as being sent: other clients that ask for it get the same bytes. */
  readonly #held: Uint8Array[] = [];

  /** `send` is called once at most; null closes the connection without an answer. */
  constructor(send: (answer: FinishedAnswer | null) => void) {
    this.#send = send;
  }

  /** The other thread received more of the body. */
  receive(part: ArrayBuffer, isLast: boolean): void {
    if (!this.#isOver) this.#receive?.(part, isLast);
  }

  /** The other thread is done with this request: the client left, or has all of a kept answer. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#held.length = 0;
    this.#aborted();
  }

  onAborted(handler: () => void): void {
    this.#aborted = handler;
  }

  onData(handler: (part: ArrayBuffer, isLast: boolean) => void): void {
    this.#receive = handler;
  }

  /** Never called: the other thread takes everything at once. */
  onWritable(): void {}

  cork(task: () => void): void {
    task();
  }

  writeStatus(line: string): void {
    this.#statusLine = line;
  }

  writeHeader(name: string | Uint8Array, value: string | Uint8Array): void {
    this.#headers.push([textOf(name), textOf(value)]);
  }

  end(body: string | Uint8Array, closes: boolean): void {
    this.#finish(typeof body === 'string' ? Buffer.from(body) : body, closes, false);
  }

  endWithoutBody(): void {
    this.#finish(null, false, false);
  }

  takeBody(body: Uint8Array): boolean {
    // A body in shared memory is the area of a worker thread, for this request alone: a copy frees the area at once.
    const isKept = body.byteLength >= SHARED_BYTES_MIN && !(body.buffer instanceof SharedArrayBuffer);
    if (isKept) this.#held.push(body);
    this.#finish(body, false, isKept);
    return !isKept;
  }

  /** Never called: `takeBody` is there. */
  tryEnd(): [isTaken: boolean, isComplete: boolean] {
    return [false, false];
  }

  getWriteOffset(): number {
    return 0;
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#send(null);
  }

  #finish(body: Uint8Array | null, closes: boolean, isKept: boolean): void {
    if (this.#isOver) throw new Error('a response is sent once, and not after an abort');
    this.#isOver = !isKept;
    this.#send({
      statusLine: this.#statusLine,
      headers: this.#headers,
      body: body === null ? null : isKept ? bodyToSend(body) : new Uint8Array(body),
      closes,
      isKept,
    });
  }
}

const textOf = (text: string | Uint8Array): string =>
  typeof text === 'string' ? text : Buffer.from(text).toString('latin1');

/**
 * The bytes for the first client are copied, and shared from the second client on. Shared memory is freed by a collection
 * of the old heap only: sharing at once kept gigabytes of answers that only one client had asked for.
 */
function bodyToSend(body: Uint8Array): Uint8Array {
  const known = sharedBodies.get(body);
  if (known === undefined) {
    sharedBodies.set(body, null);
    return new Uint8Array(body);
  }
  if (known !== null) return known;
  const shared = new Uint8Array(new SharedArrayBuffer(body.byteLength));
  shared.set(body);
  sharedBodies.set(body, shared);
  return shared;
}
