/** The versions that a log's records make, kept as the port says: for logs that are not on a real disk. */
import type { NewRecord, VersionEntry } from '../../src/log/event-log.ts';

export class VersionList {
  readonly #entries: VersionEntry[] = [];

  /** To be called for every record, in order. */
  add({ event }: NewRecord, sequenceNumber: number): void {
    if (!('version' in event)) return;
    const { version } = event;
    const before = this.#entries.at(-1);
    const isRun = version.batchId !== null && before?.version.batchId === version.batchId;
    const batchRun = version.batchId === null ? 0 : isRun ? before.batchRun + 1 : 1;
    this.#entries.push({ version, sequenceNumber, batchRun });
  }

  /** The first that is wanted of those whose record is there. */
  find(
    isThere: (sequenceNumber: number) => boolean,
    isWanted: (entry: VersionEntry) => boolean = () => true,
  ): VersionEntry | null {
    return this.#entries.find((entry) => isThere(entry.sequenceNumber) && isWanted(entry)) ?? null;
  }

  at(isThere: (sequenceNumber: number) => boolean, number: number): VersionEntry | null {
    const entry = this.#entries[number - 1];
    // Numbers are places, unless a test makes them up.
    if (entry?.version.number === number) return isThere(entry.sequenceNumber) ? entry : null;
    return this.find(isThere, ({ version }) => version.number === number);
  }
}
