/**
 * Lowers the priority of the worker thread that loads it. Loaded before everything else, because loading the rest
 * takes a third of a second of processor time, which would otherwise compete with the event loop as an equal.
 */
import { setPriority } from 'node:os';

/**
 * The least urgent that the system knows, for answers too. Measured on Linux 6.18 with one core and a thread
 * that woke every 80 us to run for 60: at 5 and at 10 the worker gave way within 6 us but for one time in two
 * thousand, when it stayed for 4 ms; at 19 it always did within 30, and the idle class was no better.
 */
const PRIORITY = 19;

// Only Linux takes this for the calling thread alone; elsewhere it would slow the answers as well.
if (process.platform === 'linux') {
  setPriority(0, PRIORITY);
}
