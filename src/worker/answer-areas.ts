/**
 * Shared memory in which worker threads store the bytes of large answers. The event loop sends an answer from its area
 * and then releases the area for the next answer.
 *
 * Why not a transferred buffer: V8 counts it as heap of the event loop. With answers of 4 MB, V8 collected the whole
 * heap every fifteen answers, with pauses of 25 ms and more. Shared memory does not count, and its pages are already
 * mapped when it is reused.
 *
 * Bounds: `AREAS_MAX` areas of `AREA_BYTES`; only pages that were written take memory. When no area is free, the buffer
 * of the answer is transferred.
 */

/** Larger than almost every answer; a larger answer is transferred. */
const AREA_BYTES = 16 * 1024 * 1024;
/** A thread can fill an area while the others are being sent; slow clients may hold all of them. */
const AREAS_MAX = 4;

export class AnswerAreas {
  readonly #bytes: number;
  readonly #free: SharedArrayBuffer[] = [];
  readonly #inUse = new Set<SharedArrayBuffer>();

  constructor(bytes = AREA_BYTES) {
    this.#bytes = bytes;
  }

  /** The area that was released last, whose pages are most likely in the CPU cache; null when all areas are in use. */
  take(): SharedArrayBuffer | null {
    if (this.#inUse.size === AREAS_MAX) return null;
    const area = this.#free.pop() ?? new SharedArrayBuffer(this.#bytes);
    this.#inUse.add(area);
    return area;
  }

  /** Releases an area that is no longer read or written. */
  giveBack(area: SharedArrayBuffer): void {
    if (this.#inUse.delete(area)) this.#free.push(area);
  }

  /** Removes an area that a thread may still write to: it is not used again. */
  abandon(area: SharedArrayBuffer): void {
    this.#inUse.delete(area);
  }
}
