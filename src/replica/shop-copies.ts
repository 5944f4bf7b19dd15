/**
 * The shops of which a replica keeps a copy, and how they stay up to date: each look compares the copy with the
 * shared board, and one that is behind reads the rest of the log before it is used. So a simulation that begins
 * after a write was acknowledged sees it. Where there is much to read, it is read beside other work, and the copy is not
 * used meanwhile.
 *
 * A copy holds what was published, never more: a record that is on disk but not yet published stays unseen.
 *
 * Bounds: `shopsMax` copies; idle ones make room (second chance). `BORROWS_MAX` shops are asked for at a time.
 */

import { applyEvent } from '../change/apply.ts';
import { failure, type Outcome } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { SizedLog } from '../log/event-log.ts';
import type { Replayed } from '../log/replay.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import { followShop, recoverShop } from '../shop/recovery.ts';
import type { ShopAccess, ShopDirectory, WriteAnswer } from '../shop/shop-access.ts';
import { type ReaderPorts, ShopReader } from '../shop/shop-reader.ts';
import type { Loan } from './published-shops.ts';
import { isGone, type SharedBoard, sequenceNumberOf, wordOf } from './shared-board.ts';

/** Shops that are asked for at a time; the slots have room for as many beside the copies. */
export const BORROWS_MAX = 64;
/** A shop that could not be lent or read is not asked for again sooner. */
const RETRY_MS = 1_000;
/** Bytes of records that are applied in the turn of a look: most writes have a few hundred. More are beside other work. */
const TAIL_AT_ONCE_BYTES = 32_768;
/** Shops of which that is remembered. */
const REFUSED_MAX = 10_000;

export interface CopiesPorts extends ReaderPorts {
  readonly log: ReaderPorts['log'] & SizedLog;
  readonly board: SharedBoard;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shopsMax: number;
  /** Asks the owner for the slot of a shop; `lent` is its answer. */
  readonly borrow: (shopId: string) => void;
  readonly release: (shopId: string, slot: number) => void;
}

/** The owner could not lend the shop: it is unknown or its log is damaged, which the owner will say better. */
export class NotLentError extends Error {
  override readonly name = 'NotLentError';
}

/** A replica answers live simulations; requests of every other kind are forwarded to the owner of the shops. */
class ShopCopy extends ShopReader implements ShopAccess {
  async write(): Promise<Outcome<WriteAnswer>> {
    return failure('INTERNAL_ERROR', 'this thread does not write');
  }
}

interface Entry {
  readonly copy: ShopCopy;
  readonly slot: number;
  /** Of the last record in the copy. */
  word: number;
  sequenceNumber: number;
  wasUsed: boolean;
  /** While a long rest of the log is read beside other work: resolves when the copy is up to date or gone. */
  following: Promise<void> | null;
}

export class ShopCopies implements ShopDirectory {
  readonly #ports: CopiesPorts;
  readonly #entries = new Map<string, Entry>();
  /** Shops that were asked for, and who waits for them. */
  readonly #borrowing = new Map<string, (() => void)[]>();
  /** Shop -> before which moment it is not asked for again. */
  readonly #refused = new Map<string, number>();

  constructor(ports: CopiesPorts) {
    this.#ports = ports;
  }

  /**
   * The copy, up to date; undefined while there is none, or while it follows a large change beside other work. Never
   * throws: a copy that cannot be read is dropped.
   */
  loaded(shopId: string): ShopAccess | undefined {
    const entry = this.#entries.get(shopId);
    if (entry === undefined) {
      this.#borrow(shopId);
      return undefined;
    }
    entry.wasUsed = true;
    const word = this.#ports.board.word(entry.slot);
    return word === entry.word || this.#catchUp(shopId, entry, word) ? entry.copy : undefined;
  }

  /** Rejects with `NotLentError`. */
  async load(shopId: string): Promise<ShopAccess> {
    const known = this.loaded(shopId);
    if (known !== undefined) return known;
    const waiting = this.#borrowing.get(shopId);
    if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
    let copy = this.loaded(shopId);
    // Another change may have come meanwhile.
    for (let entry = this.#entries.get(shopId); copy === undefined && entry?.following != null; ) {
      await entry.following;
      copy = this.loaded(shopId);
      entry = this.#entries.get(shopId);
    }
    if (copy === undefined) throw new NotLentError(`there is no copy of shop ${shopId}`);
    return copy;
  }

  /** The owner's answer. */
  lent(shopId: string, loan: Loan | null): void {
    if (loan === null) this.#refuse(shopId);
    void (loan === null ? Promise.resolve() : this.#open(shopId, loan)).then(() => {
      const waiting = this.#borrowing.get(shopId) ?? [];
      this.#borrowing.delete(shopId);
      for (const resolve of waiting) resolve();
    });
  }

  /** The shop left the owner's memory. */
  gone(shopId: string, slot: number): void {
    const entry = this.#entries.get(shopId);
    if (entry?.slot === slot) this.#drop(shopId, entry);
  }

  #borrow(shopId: string): void {
    if (this.#borrowing.has(shopId) || this.#borrowing.size >= BORROWS_MAX) return;
    const refusedUntilMs = this.#refused.get(shopId);
    if (refusedUntilMs !== undefined) {
      if (refusedUntilMs > this.#ports.clock.monotonicMs()) return;
      this.#refused.delete(shopId);
    }
    this.#borrowing.set(shopId, []);
    this.#ports.borrow(shopId);
  }

  #refuse(shopId: string): void {
    if (this.#refused.size >= REFUSED_MAX) this.#refused.clear();
    this.#refused.set(shopId, this.#ports.clock.monotonicMs() + RETRY_MS);
  }

  async #open(shopId: string, { slot, sequenceNumber }: Loan): Promise<void> {
    const replayed = await this.#attempt(shopId, () => this.#recover(shopId, sequenceNumber));
    // It may have left the owner's memory meanwhile, who said so before there was a copy.
    const hasLeft = isGone(this.#ports.board.word(slot));
    if (replayed === null || hasLeft) {
      this.#ports.release(shopId, slot);
      if (!hasLeft) this.#refuse(shopId);
      return;
    }
    this.#makeRoom();
    const copy = new ShopCopy(this.#ports, replayed);
    const word = wordOf(sequenceNumber);
    this.#entries.set(shopId, { copy, slot, word, sequenceNumber, wasUsed: true, following: null });
    this.#ports.metrics.values.replica_shops = this.#entries.size;
  }

  /** False when the copy had to be dropped, or is not up to date yet. */
  #catchUp(shopId: string, entry: Entry, word: number): boolean {
    if (isGone(word)) {
      this.#drop(shopId, entry);
      this.#borrow(shopId);
      return false;
    }
    if (entry.following !== null) return false;
    const upTo = sequenceNumberOf(word, entry.sequenceNumber);
    const state = this.#followAtOnce(shopId, entry, upTo);
    if (state === null) {
      entry.following = this.#followBeside(shopId, entry, upTo);
      return false;
    }
    this.#publish(entry, state, upTo);
    return true;
  }

  #publish(entry: Entry, state: ShopState, upTo: number): void {
    entry.word = wordOf(upTo);
    entry.sequenceNumber = upTo;
    entry.copy.publish(state, upTo);
  }

  /** Null when that takes long, or does not lead there: the records behind an old copy may have been removed. */
  #followAtOnce(shopId: string, { copy, sequenceNumber }: Entry, upTo: number): ShopState | null {
    const { log } = this.#ports;
    let { state } = copy;
    let last = sequenceNumber;
    try {
      if (log.tailBytes(shopId, last, upTo, TAIL_AT_ONCE_BYTES) > TAIL_AT_ONCE_BYTES) return null;
      for (const record of log.read(shopId, last, upTo)) {
        state = applyEvent(state, record.event);
        last = record.sequenceNumber;
      }
    } catch {
      // Whoever follows beside other work meets it again, and says so.
      return null;
    }
    return last === upTo ? state : null;
  }

  /** Meanwhile requests of this shop are forwarded. */
  async #followBeside(shopId: string, entry: Entry, upTo: number): Promise<void> {
    const replayed = await this.#attempt(shopId, () => this.#follow(shopId, entry, upTo));
    entry.following = null;
    if (this.#entries.get(shopId) !== entry) return;
    if (replayed === null) {
      this.#drop(shopId, entry);
      this.#refuse(shopId);
    } else this.#publish(entry, replayed.state, upTo);
  }

  async #follow(shopId: string, { copy, sequenceNumber }: Entry, upTo: number): Promise<Replayed<ShopState>> {
    const { log, logger, slices } = this.#ports;
    try {
      const from = { state: copy.state, sequenceNumber };
      const followed = await followShop(log, from, slices, () => {}, upTo);
      if (followed.sequenceNumber === upTo) return followed;
    } catch (error) {
      // The records behind an old copy may have been removed meanwhile: a checkpoint serves.
      logger.info('replica.copy_restarted', { shopId, error: asError(error) });
    }
    return this.#recover(shopId, upTo);
  }

  async #recover(shopId: string, upTo: number): Promise<Replayed<ShopState>> {
    const { log, slices } = this.#ports;
    const replayed = await recoverShop(log, shopId, slices, upTo);
    if (replayed?.sequenceNumber !== upTo) {
      throw new RangeError(`the log of shop ${shopId} has no record ${upTo}`);
    }
    return replayed;
  }

  /** null when it fails: requests of this shop are forwarded then. */
  async #attempt<T>(shopId: string, task: () => Promise<T>): Promise<T | null> {
    try {
      return await task();
    } catch (error) {
      this.#ports.logger.error('replica.copy_failed', { shopId, error: asError(error) });
      return null;
    }
  }

  #drop(shopId: string, entry: Entry): void {
    this.#entries.delete(shopId);
    entry.copy.close();
    this.#ports.release(shopId, entry.slot);
    this.#ports.metrics.values.replica_shops = this.#entries.size;
  }

  /** Goes round at most twice: the first round may only clear marks. */
  #makeRoom(): void {
    while (this.#entries.size >= this.#ports.shopsMax) {
      const oldest = this.#entries.entries().next();
      if (oldest.done === true) return;
      const [shopId, entry] = oldest.value;
      if (entry.wasUsed) {
        entry.wasUsed = false;
        this.#entries.delete(shopId);
        this.#entries.set(shopId, entry);
      } else this.#drop(shopId, entry);
    }
  }
}
