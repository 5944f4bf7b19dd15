/**
 * Turns of several processes that write to one shop. Each process appends only if the head of the shop is the expected
 * one; otherwise it has lost a race and decides again. When a process has lost several races in a row, the next process
 * that appends waits for it, because it could lose any number of times otherwise.
 */
import type { OtherWriters } from '../log/lmdb/lmdb-event-log.ts';
import type { Siblings } from './siblings.ts';

/** After this many lost races in a row, the other processes wait for a process. */
const LOST_MAX = 3;
/** A process waits this long for the append of another one. */
const TURN_MS_MAX = 50;
/** Number of shops whose lost races are counted. */
const SHOPS_MAX = 10_000;

/** The turn of another process. */
interface Turn {
  /** Resolves when this process may append again. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

export class WriteTurns implements OtherWriters {
  readonly #siblings: Pick<Siblings, 'written'>;
  /** Shop -> number of races lost since the last append. */
  readonly #lost = new Map<string, number>();
  readonly #turns = new Map<string, Turn>();

  constructor(siblings: Pick<Siblings, 'written'>) {
    this.#siblings = siblings;
  }

  beforeAppend(shopId: string): Promise<void> | null {
    return this.#turns.get(shopId)?.over ?? null;
  }

  lost(shopId: string): void {
    if (this.#lost.size >= SHOPS_MAX) this.#lost.clear();
    this.#lost.set(shopId, (this.#lost.get(shopId) ?? 0) + 1);
  }

  async written(shopId: string, sequenceNumber: number, mayRevoke: boolean): Promise<void> {
    this.#lost.delete(shopId);
    if (await this.#siblings.written(shopId, sequenceNumber, mayRevoke)) this.#begin(shopId);
  }

  #begin(shopId: string): void {
    this.#turns.get(shopId)?.end();
    let resume = (): void => {};
    const over = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const end = (): void => {
      clearTimeout(timer);
      this.#turns.delete(shopId);
      resume();
    };
    const timer = setTimeout(end, TURN_MS_MAX);
    this.#turns.set(shopId, { over, end });
  }

  /** Another process has appended to this shop. Returns true when this process should append next. */
  heardOf(shopId: string): boolean {
    this.#turns.get(shopId)?.end();
    return (this.#lost.get(shopId) ?? 0) >= LOST_MAX;
  }
}
