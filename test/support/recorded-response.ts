/**
 * A response without a connection: records what is written to it, and throws where the response of the library would,
 * which is on any use after its end.
 */
import assert from 'node:assert/strict';
import type { ResponsePort } from '../../src/front/http/output.ts';

export class RecordedResponse implements ResponsePort {
  status = 200;
  /** By name in lower case. */
  readonly headers = new Map<string, string>();
  /** True when it was closed without an answer. */
  isDropped = false;
  #body: Buffer[] = [];
  #length = 0;
  #isOver = false;
  #receive: ((part: ArrayBuffer, isLast: boolean) => void) | null = null;
  #whenOver: (() => void) | null = null;

  get isOver(): boolean {
    return this.#isOver;
  }

  get text(): string {
    return this.#body.length === 1 ? String(this.#body[0]) : Buffer.concat(this.#body).toString();
  }

  /** Resolves with the last byte of the answer. */
  over(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenOver = resolve;
    });
  }

  /** Delivers a part of the body; the memory is overwritten afterwards, as by the library. */
  receive(bytes: Uint8Array, isLast: boolean): void {
    const part = Uint8Array.from(bytes);
    this.#receive?.(part.buffer, isLast);
    part.fill(0x7e);
  }

  onAborted(): void {
    this.#touch();
  }

  onData(handler: (part: ArrayBuffer, isLast: boolean) => void): void {
    this.#touch();
    this.#receive = handler;
  }

  pause(): void {
    this.#touch();
  }

  resume(): void {
    this.#touch();
  }

  onWritable(): void {
    this.#touch();
  }

  cork(task: () => void): void {
    this.#touch();
    task();
  }

  writeStatus(line: string): void {
    this.#touch();
    this.status = Number(line.slice(0, 3));
  }

  writeHeader(name: string | Uint8Array, value: string | Uint8Array): void {
    this.#touch();
    // There may be more lines after the value of the first.
    const lines = `${Buffer.from(name).toString()}: ${Buffer.from(value).toString()}`.split('\r\n');
    for (const line of lines) {
      const colon = line.indexOf(': ');
      this.headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2));
    }
  }

  end(body: string | Uint8Array): void {
    this.#touch();
    this.#body.push(Buffer.from(body as Uint8Array));
    this.#end();
  }

  endWithoutBody(): void {
    this.#touch();
    this.#end();
  }

  tryEnd(body: Uint8Array, total: number): [isTaken: boolean, isComplete: boolean] {
    this.#touch();
    this.#body.push(Buffer.from(body));
    this.#length += body.length;
    const isComplete = this.#length >= total;
    if (isComplete) this.#end();
    return [true, isComplete];
  }

  getWriteOffset(): number {
    this.#touch();
    return this.#length;
  }

  close(): void {
    this.#touch();
    this.isDropped = true;
    this.#end();
  }

  #touch(): void {
    assert.ok(!this.#isOver, 'the response was touched after its end');
  }

  #end(): void {
    this.#isOver = true;
    this.#whenOver?.();
  }
}
