/**
 * Reads pages of a data file by number, each into the buffer of its level, so that a page stays valid while the pages
 * below it are read. Measured: reading 32 neighbours at a time is no faster, because the pages of a tree are scattered.
 */
import { readSync } from 'node:fs';

/** A page, as bytes and as little-endian words. */
export interface Page {
  readonly bytes: Buffer;
  readonly words: Uint16Array;
}

export class PageReader {
  readonly #file: number;
  readonly #pageSize: number;
  readonly #levels: Page[] = [];

  constructor(file: number, pageSize: number) {
    this.#file = file;
    this.#pageSize = pageSize;
  }

  /** Reads a page; valid until the next read of this level. Bytes beyond the end of the file are zero. */
  read(number: number, level: number): Page {
    this.#levels[level] ??= newPage(this.#pageSize);
    const page = this.#levels[level];
    const read = readSync(this.#file, page.bytes, 0, this.#pageSize, number * this.#pageSize);
    if (read < this.#pageSize) page.bytes.fill(0, read);
    return page;
  }

  /** Reads `length` bytes from offset `at`. Bytes beyond the end of the file are zero. */
  readBytes(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, at);
    return bytes;
  }
}

function newPage(pageSize: number): Page {
  const memory = new ArrayBuffer(pageSize);
  return { bytes: Buffer.from(memory), words: new Uint16Array(memory) };
}
