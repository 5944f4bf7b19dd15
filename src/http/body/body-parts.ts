/** The bytes of a body that arrives in parts, gathered up to a limit. */
import { Buffer } from 'node:buffer';

const NO_ROOM = Buffer.alloc(0);

/** The buffer of a body that arrives in parts grows by pieces, so that no byte is copied twice. */
const FIRST_PIECE_BYTES = 65_536;
const PIECE_BYTES = 1_048_576;
/** The system assigns memory at its first use, in pages of at least this size. */
const PAGE_BYTES = 4_096;

/** Gathers a body that arrives in parts, up to the limit. Copies each part, which is valid during its call only. */
export class BodyParts {
  readonly #bytesMax: number;
  readonly #declaredBytes: number | null;
  /** All are full but the last, whose free part is `#room`. */
  #pieces: Buffer[] = [];
  #room: Buffer = NO_ROOM;
  /** Pieces allocated before their bytes have arrived. */
  #ahead: Buffer[] = [];
  #aheadBytes = 0;
  #length = 0;

  constructor(bytesMax: number, declaredBytes: number | null) {
    this.#bytesMax = bytesMax;
    this.#declaredBytes = declaredBytes;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * Allocates and touches one more piece of the declared length: a copy into untouched memory takes three times as
   * long. False when the whole length is allocated.
   */
  prepare(): boolean {
    const left = (this.#declaredBytes ?? 0) - this.#length - this.#room.length - this.#aheadBytes;
    if (left <= 0) return false;
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, left));
    for (let at = 0; at < piece.length; at += PAGE_BYTES) piece[at] = 0;
    this.#ahead.push(piece);
    this.#aheadBytes += piece.length;
    return true;
  }

  /** False when the body is over its limit; what was gathered is dropped. */
  add(part: ArrayBuffer): boolean {
    if (this.#length + part.byteLength > this.#bytesMax) {
      this.#pieces = [];
      this.#ahead = [];
      this.#room = NO_ROOM;
      this.#length = this.#bytesMax;
      return false;
    }
    for (let rest = Buffer.from(part); rest.length > 0; ) {
      if (this.#room.length === 0) this.#addPiece(rest.length);
      const copied = rest.copy(this.#room);
      this.#room = this.#room.subarray(copied);
      rest = rest.subarray(copied);
      this.#length += copied;
    }
    return true;
  }

  /** Bytes from `start` on, which is below `length`: at least one, at most `bytesMax`, and not beyond their piece. */
  slice(start: number, bytesMax: number): Buffer {
    let pieceStart = 0;
    for (const piece of this.pieces()) {
      const at = start - pieceStart;
      if (at < piece.length) return piece.subarray(at, at + bytesMax);
      pieceStart += piece.length;
    }
    return NO_ROOM;
  }

  /** The body in one buffer. */
  bytes(): Buffer {
    const pieces = this.pieces();
    return pieces.length === 1 ? (pieces[0] ?? NO_ROOM) : Buffer.concat(pieces);
  }

  /** The body in its pieces, without a copy. */
  pieces(): Buffer[] {
    const last = this.#pieces.length - 1;
    return this.#pieces.map((piece, at) =>
      at === last ? piece.subarray(0, piece.length - this.#room.length) : piece,
    );
  }

  #addPiece(needed: number): void {
    const ready = this.#ahead.shift();
    const piece = ready ?? this.#freshPiece(needed);
    if (ready !== undefined) this.#aheadBytes -= ready.length;
    this.#pieces.push(piece);
    this.#room = piece;
  }

  /** A declared length reserves nothing: the buffer grows with what has arrived, within bounds. */
  #freshPiece(needed: number): Buffer {
    const wanted = Math.min(PIECE_BYTES, Math.max(needed, this.#length, FIRST_PIECE_BYTES));
    const left = (this.#declaredBytes ?? this.#bytesMax) - this.#length;
    return Buffer.allocUnsafeSlow(Math.min(wanted, Math.max(left, Math.min(needed, PIECE_BYTES))));
  }
}
