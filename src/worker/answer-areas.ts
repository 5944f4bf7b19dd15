/**
 * Shared memory in which a worker thread leaves the bytes of large answers. The event loop sends an answer from its area
 * and then releases the area for the next answer.
 *
 * Why not a transferred buffer: V8 counts it as heap of the event loop. With answers of 4 MB, V8 collected the whole
 * heap every fifteen answers, with pauses of 25 ms and more. Shared memory does not count, and its pages are already
 * mapped when it is reused.
 *
 * Bounds: `AREAS_MAX` areas of `AREA_BYTES` for each thread; only pages that were written take memory. They are
 * freed with their thread, so no other thread reuses an area that a terminated thread may be writing.
 */
import { latin1BufferOf } from '../bytes/answer-text.ts';

/** Larger than almost every answer; a larger answer is transferred, as is one that finds no free area. */
const AREA_BYTES = 16 * 1024 * 1024;
/** A smaller answer is transferred, so that it does not occupy an area. */
const AREA_BYTES_MIN = 64 * 1024;
/** A thread can fill an area while the others are being sent; slow clients may hold all of them. */
const AREAS_MAX = 4;

/** Behind the bytes of an area: 1 until its answer is released. */
const flagOf = (area: SharedArrayBuffer): Int32Array => new Int32Array(area, AREA_BYTES, 1);

/** The areas of one thread. */
export class AnswerAreas {
  readonly #areas: SharedArrayBuffer[] = [];

  /** Memory for an answer of this length: a free area for a large one, else a buffer that can be transferred. */
  roomFor(bytes: number) {
    const isLarge = bytes >= AREA_BYTES_MIN && bytes <= AREA_BYTES;
    return latin1BufferOf((isLarge ? this.#take() : null) ?? new ArrayBuffer(bytes), bytes);
  }

  #take(): SharedArrayBuffer | null {
    const free = this.#areas.find((area) => Atomics.load(flagOf(area), 0) === 0);
    if (free === undefined && this.#areas.length === AREAS_MAX) return null;
    const area = free ?? new SharedArrayBuffer(AREA_BYTES + Int32Array.BYTES_PER_ELEMENT);
    if (free === undefined) this.#areas.push(area);
    Atomics.store(flagOf(area), 0, 1);
    return area;
  }
}

/** Releases the area of an answer, to be called when its bytes are no longer read; undefined for a transferred answer. */
export function releaseOf({ buffer }: Uint8Array): (() => void) | undefined {
  return buffer instanceof SharedArrayBuffer ? () => void Atomics.store(flagOf(buffer), 0, 0) : undefined;
}
