/** The versions of a log's records, as the port requires, for logs that are not on a real disk. */
import type { NewRecord, VersionEntry } from '../../src/store/log/event-log.ts';

export class VersionList {
  readonly #entries: VersionEntry[] = [];

  /** Call for every record, in order. */
  add({ event }: NewRecord, sequenceNumber: number): void {
    if (!('version' in event)) return;
    const { version } = event;
    const before = this.#entries.at(-1);
    const isRun = version.batchId !== null && before?.version.batchId === version.batchId;
    const batchRun = version.batchId === null ? 0 : isRun ? before.batchRun + 1 : 1;
    this.#entries.push({ version, sequenceNumber, batchRun });
  }

  /** The first matching version whose record exists. */
  find(
    isThere: (sequenceNumber: number) => boolean,
    isWanted: (entry: VersionEntry) => boolean = () => true,
  ): VersionEntry | null {
    return this.#entries.find((entry) => isThere(entry.sequenceNumber) && isWanted(entry)) ?? null;
  }

  at(isThere: (sequenceNumber: number) => boolean, number: number): VersionEntry | null {
    const entry = this.#entries[number - 1];
    // A number is the position in the list, unless a test invents numbers.
    if (entry?.version.number === number) return isThere(entry.sequenceNumber) ? entry : null;
    return this.find(isThere, ({ version }) => version.number === number);
  }
}
