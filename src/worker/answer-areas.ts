/**
 * Shared memory in which worker threads leave the bytes of large answers: the event loop sends them from
 * there, and gives the area back for the next one.
 *
 * Why not a buffer that changes hands: the event loop's collector counts it as its own. Answers of 4 MB
 * made it collect its whole heap once every fifteen answers, with pauses of 25 ms and more; shared memory does
 * not count, and its pages are there already when they are written again.
 *
 * Bounds: `AREAS_MAX` areas of `AREA_BYTES`, of which only what was written to takes memory. Who finds none
 * does without.
 */

/** Larger than almost every answer; a larger one changes hands after all. */
const AREA_BYTES = 16 * 1024 * 1024;
/** One is written while others are being sent; slow readers may hold them all. */
const AREAS_MAX = 4;

export class AnswerAreas {
  readonly #bytes: number;
  readonly #free: SharedArrayBuffer[] = [];
  readonly #inUse = new Set<SharedArrayBuffer>();

  constructor(bytes = AREA_BYTES) {
    this.#bytes = bytes;
  }

  /** The area that was given back last, whose pages are the warmest; null when all are in use. */
  take(): SharedArrayBuffer | null {
    if (this.#inUse.size === AREAS_MAX) return null;
    const area = this.#free.pop() ?? new SharedArrayBuffer(this.#bytes);
    this.#inUse.add(area);
    return area;
  }

  /** Once nobody reads or writes it any more. */
  giveBack(area: SharedArrayBuffer): void {
    if (this.#inUse.delete(area)) this.#free.push(area);
  }

  /** Instead of giving back an area that a thread may still write to: it is not used again. */
  abandon(area: SharedArrayBuffer): void {
    this.#inUse.delete(area);
  }
}
