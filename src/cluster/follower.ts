/**
 * The follower: brings the shops of this node up to what the authority has, always in one order: read (confirmed by
 * the authority: on a second machine too), mirror, show.
 *
 * A shop is followed from before its first read until it leaves memory, so that no change falls between the read that
 * loads it and the feed. Where the feed begins anew it does not tell earlier changes, and the heads of all followed
 * shops are compared instead.
 *
 * A shop that takes longer than `CATCH_UP_MS`, as after a large import, is held out: the node renews its lease
 * without it, and its answers are marked until it is there.
 */
import { NO_HEAD } from '../log/append-group.ts';
import {
  type Authority,
  AuthorityUnavailableError,
  type Beat,
  type RecordHead,
  type ShopState,
} from '../log/authority.ts';
import { DamagedLogError } from '../log/event-log.ts';
import { asError } from '../runtime/thrown-error.ts';
import { type ClusterClock, waitAtMost } from './cluster-clock.ts';
import type { Mirror, ShopCopies } from './shop-copies.ts';
import { CATCH_UP_MS } from './timing.ts';

/** A shop that is behind what a beat named. */
interface Behind {
  /** The number that it must show. */
  upTo: number;
  /** Under way; null when it failed and waits for the next beat. Never rejects. */
  catchingUp: Promise<void> | null;
  /** The shop was last known to be current then; undefined while the lease covers it. */
  heldOutSinceMs: number | null | undefined;
}

export interface FollowerPorts {
  readonly authority: Pick<Authority, 'tail' | 'start' | 'states'>;
  readonly mirror: Mirror;
  readonly copies: ShopCopies;
  readonly clock: ClusterClock;
}

export class Follower {
  readonly #ports: FollowerPorts;
  readonly #followed = new Set<string>();
  readonly #behind = new Map<string, Behind>();
  /** The feed began anew, and the heads of the followed shops are not compared yet. */
  #mustCompare = true;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
  }

  /** Follows the shop from here on and brings the mirror up to date with it; then it may be loaded from there. */
  async load(shopId: string): Promise<void> {
    this.#followed.add(shopId);
    await this.mirrorTail(shopId);
  }

  /** The shop leaves memory. */
  unload(shopId: string): void {
    this.#followed.delete(shopId);
    this.#behind.delete(shopId);
  }

  /**
   * Brings the mirror up to what the authority has of the shop now, and shows nothing of it. Rejects with
   * `AuthorityUnavailableError`, or `DamagedLogError`.
   */
  async mirrorTail(shopId: string): Promise<void> {
    const { authority, mirror } = this.#ports;
    for (;;) {
      const own = mirror.head(shopId);
      const { sequenceNumber } = own;
      const { state, records } = await authority.tail(shopId, sequenceNumber);
      if (state?.isDeleted === true) {
        if (sequenceNumber > 0) await mirror.drop(shopId);
        return;
      }
      if (isForked(own, state?.head ?? NO_HEAD)) throw forked(shopId, sequenceNumber);
      if (state === null) return;
      if (records.length > 0) await mirror.store(shopId, records);
      else if (sequenceNumber < state.removedUpTo)
        await mirror.restart(shopId, await authority.start(shopId));
      const { sequenceNumber: reached } = mirror.head(shopId);
      if (reached >= state.head.sequenceNumber) return;
      if (reached === sequenceNumber) throw forked(shopId, reached + 1);
    }
  }

  /** The same, and shows it. */
  async catchUp(shopId: string): Promise<void> {
    await this.mirrorTail(shopId);
    await this.#ports.copies.refresh(shopId);
  }

  /** Since when a shop is held out of the lease: null for ever, undefined when it is not held out. */
  heldOutSinceMs(shopId: string): number | null | undefined {
    return this.#behind.get(shopId)?.heldOutSinceMs;
  }

  /**
   * Applies what a beat brought. Afterwards every followed shop shows what the beat named, or is held out.
   * `currentAtMs` is as of when shops were current before. Rejects with `AuthorityUnavailableError` when it is not
   * known what changed.
   */
  async follow({ changed }: Pick<Beat, 'changed'>, currentAtMs: number | null): Promise<void> {
    if (changed === null) {
      this.#ports.copies.forget(null);
      this.#mustCompare = true;
    }
    for (const state of changed ?? []) this.#note(state);
    if (this.#mustCompare) {
      for (const state of await this.#ports.authority.states([...this.#followed])) this.#note(state);
      this.#mustCompare = false;
    }
    for (const [shopId, behind] of this.#behind) behind.catchingUp ??= this.#catchUpTo(shopId, behind);
    const catchingUp = [...this.#behind.values()].map((behind) => behind.catchingUp);
    if (catchingUp.length === 0) return;
    await waitAtMost(this.#ports.clock, CATCH_UP_MS, Promise.all(catchingUp));
    for (const behind of this.#behind.values()) {
      if (behind.heldOutSinceMs === undefined) behind.heldOutSinceMs = currentAtMs;
    }
  }

  #note({ shopId, head, isDeleted }: ShopState): void {
    const { copies, mirror } = this.#ports;
    if (!this.#followed.has(shopId)) {
      copies.forget(shopId);
      return;
    }
    const shownUpTo = copies.shownUpTo(shopId);
    const own = mirror.head(shopId);
    const isOther = own.sequenceNumber === head.sequenceNumber && !own.hash.equals(head.hash);
    if (isDeleted || isOther) {
      this.#drop(shopId, isDeleted ? null : forked(shopId, head.sequenceNumber));
    } else if (shownUpTo < head.sequenceNumber) {
      const known = this.#behind.get(shopId);
      if (known === undefined) {
        const upTo = head.sequenceNumber;
        this.#behind.set(shopId, { upTo, catchingUp: null, heldOutSinceMs: undefined });
      } else {
        known.upTo = Math.max(known.upTo, head.sequenceNumber);
      }
    }
  }

  async #catchUpTo(shopId: string, behind: Behind): Promise<void> {
    const { copies } = this.#ports;
    const isWanted = () => this.#behind.get(shopId) === behind;
    try {
      while (isWanted() && copies.shownUpTo(shopId) < behind.upTo) await this.catchUp(shopId);
      if (isWanted()) this.#behind.delete(shopId);
    } catch (error) {
      if (error instanceof AuthorityUnavailableError) behind.catchingUp = null;
      else if (isWanted()) this.#drop(shopId, asError(error));
    }
  }

  #drop(shopId: string, cause: Error | null): void {
    this.unload(shopId);
    this.#ports.copies.drop(shopId, cause);
  }
}

/** What the mirror has is no beginning of what the authority had at a later moment. */
const isForked = (own: RecordHead, head: RecordHead): boolean =>
  own.sequenceNumber > head.sequenceNumber ||
  (own.sequenceNumber === head.sequenceNumber && !own.hash.equals(head.hash));

const forked = (shopId: string, sequenceNumber: number): DamagedLogError =>
  new DamagedLogError(shopId, sequenceNumber, 'the mirror and the authority differ');
