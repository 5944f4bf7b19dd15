/**
 * The part of the heap to which the nursery moves what is still held. The engine looks through all of it to find what
 * is garbage by now: its threads for tens of milliseconds, which with one core are the event loop's, and the loop
 * itself for 5 to 15 at the end.
 */
import { setFlagsFromString } from 'node:v8';

/** Of what may be made until the heap must be looked through: the share from which on the engine does so, in percent. */
const SOON_PERCENT = 70;
/** From which on it does not wait for a moment in which nothing else is to be done. */
const NOW_PERCENT = 90;

/**
 * Has the old heap looked through only when there is reason to. Left to itself the engine begins as soon as there is
 * less room than one nursery takes, and the limit that it sets itself is mostly one nursery above what is in use: with
 * 64 MB each 6 MB that were moved, or were buffers, began a collection. Measured with heavy carts among light ones, ten
 * a second, on one core: one each 3 s and a p99 of 4 to 6 ms, now one each minute and 1.9 to 2.3, where it is 1.3 alone.
 */
export function delayOldHeap(): void {
  setFlagsFromString(`--incremental-marking-soft-trigger=${SOON_PERCENT}`);
  setFlagsFromString(`--incremental-marking-hard-trigger=${NOW_PERCENT}`);
}
