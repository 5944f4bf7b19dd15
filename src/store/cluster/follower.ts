/**
 * The follower keeps the shops of this node up to date with the authority. The order is always: read (the
 * authority confirms that a second machine has the records, too), mirror, show.
 *
 * A shop is followed from before its first read until it leaves memory, so no change falls between the read
 * that loads it and the feed. A feed that begins anew does not tell earlier changes; the heads of all
 * followed shops are compared instead.
 *
 * A shop that takes longer than `CATCH_UP_MS`, as after a large import or while the disk with the mirror is full, is held out:
 * the node renews its lease without it, and the answers of the shop are marked until it has caught up.
 */

import { asError } from '../../base/runtime/thrown-error.ts';
import {
  type Authority,
  AuthorityUnavailableError,
  type Beat,
  type RecordHead,
  type ShopMark,
  type ShopState,
} from '../log/authority.ts';
import { DamagedLogError, DiskFullError } from '../log/event-log.ts';
import { NO_HEAD } from '../log/record-codec.ts';
import {
  DifferingMirrorError,
  isAhead,
  type MirrorTailPorts,
  mirrorTail,
  setTailAside,
} from './mirror-tail.ts';
import {
  type ClusterClock,
  type ClusterMeter,
  type Moment,
  type ShopCopies,
  waitAtMost,
} from './node-ports.ts';
import { CATCH_UP_MS } from './timing.ts';

/** A followed shop that does not show a record which a beat or a hint named. */
interface Behind {
  /**
   * Number of the newest named record. A read that began after that and does not return the record proves it
   * lost.
   */
  upTo: number;
  /** A beat named another record than the mirror has: only a confirmed read shows which of them is valid. */
  mustCompare: boolean;
  /** A hint named the shop: its writer waits until this node tells which record it shows. */
  mustTell: boolean;
  /** The attempt under way; null between a failed attempt and the next beat. Never rejects. */
  catchingUp: Promise<void> | null;
  /**
   * Undefined while the lease covers the shop. Once it is held out: when it was last known to be current,
   * null for never.
   */
  heldOutSince: Moment | null | undefined;
}

export interface FollowerPorts extends MirrorTailPorts {
  readonly authority: MirrorTailPorts['authority'] & Pick<Authority, 'tellShown'>;
  readonly copies: ShopCopies;
  readonly clock: ClusterClock;
  readonly meter: Pick<ClusterMeter, 'mirrorsDamaged' | 'mirrorsDiffering'>;
}

/** Errors after which a later beat tries again. */
const LATER = [AuthorityUnavailableError, DiskFullError, DifferingMirrorError];

export class Follower {
  readonly #ports: FollowerPorts;
  readonly #followed = new Set<string>();
  readonly #behind = new Map<string, Behind>();
  /**
   * Shops that this process has ever loaded. It may still hold data of them after they left memory, so the
   * process ends when the mirror of one differs from the authority.
   */
  readonly #loaded = new Set<string>();
  /**
   * Shop -> the damage found in its mirror. The next load of the shop drops the mirror and reads it anew.
   */
  readonly #damaged = new Map<string, Error>();
  /** Shops that are refused already but have not left memory yet. */
  readonly #leaving = new Set<string>();
  /** Shop -> the change of its mirror that is under way. */
  readonly #changing = new Map<string, Promise<void>>();
  /**
   * Shops of which the mirror is as of the moment that the lease knows from an earlier run, with their last records; empty
   * once the authority has been asked.
   */
  readonly #ofLastRun: Map<string, number>;
  /** The feed began anew, and the heads of the followed shops have not been compared since. */
  #mustCompare = true;

  constructor(ports: FollowerPorts, ofLastRun: ReadonlyMap<string, number> = new Map()) {
    this.#ports = ports;
    this.#ofLastRun = new Map(ofLastRun);
  }

  /**
   * Follows the shop from now on and brings its mirror up to date, so that the shop can be loaded from the
   * mirror. A mirror that differs from the authority is replaced, unless this process has loaded the shop
   * before. Before the authority has been asked, a shop of the last run is loaded as it is. Rejects as `mirrorTail`.
   */
  async load(shopId: string): Promise<void> {
    this.#followed.add(shopId);
    if (!this.isOfLastRun(shopId)) await this.#mirrorWhole(shopId);
    this.#loaded.add(shopId);
  }

  /** True while answers about this shop may be made from what an earlier run left in the mirror. */
  isOfLastRun(shopId: string): boolean {
    const upTo = this.#ofLastRun.get(shopId);
    if (upTo === undefined) return false;
    const own = this.#ownHead(shopId);
    return !(own instanceof DamagedLogError) && own.sequenceNumber >= upTo;
  }

  /** True while a followed shop does not show a record that was named. */
  get isBehind(): boolean {
    return this.#behind.size > 0;
  }

  /** The shops in memory that the lease covers, with the last record that each shows. */
  currentHeads(): ReadonlyMap<string, number> {
    const heads = new Map<string, number>();
    for (const shopId of this.#followed) {
      const upTo = this.#ports.copies.shownUpTo(shopId);
      if (upTo > 0 && !this.#behind.has(shopId)) heads.set(shopId, upTo);
    }
    return heads;
  }

  async #mirrorWhole(shopId: string): Promise<void> {
    const own = this.#ownHead(shopId);
    const damage = this.#damaged.get(shopId) ?? (own instanceof DamagedLogError ? own : undefined);
    if (damage !== undefined) {
      await this.#inTurn(shopId, () => this.#ports.mirror.drop(shopId, damage));
      this.#ports.meter.mirrorsDamaged++;
      this.#damaged.delete(shopId);
    }
    try {
      await this.mirrorTail(shopId);
    } catch (error) {
      if (!(error instanceof DifferingMirrorError) || this.#loaded.has(shopId)) throw error;
      await this.#inTurn(shopId, () => setTailAside(this.#ports, shopId));
      this.#ports.meter.mirrorsDiffering++;
      await this.mirrorTail(shopId);
    }
  }

  /** The head of the mirror, or the damage found there. */
  #ownHead(shopId: string): RecordHead | DamagedLogError {
    try {
      return this.#ports.mirror.head(shopId);
    } catch (error) {
      if (error instanceof DamagedLogError) return error;
      throw error;
    }
  }

  /** As `load`, for a shop whose mirror is damaged: the mirror is dropped first. */
  async loadAnew(shopId: string, damage: Error): Promise<void> {
    this.noteDamaged(shopId, damage);
    await this.load(shopId);
  }

  /**
   * The mirror of a shop in memory is damaged: the next load of the shop drops the mirror and reads it anew.
   */
  noteDamaged(shopId: string, damage: Error): void {
    this.#damaged.set(shopId, damage);
    this.#ofLastRun.delete(shopId);
  }

  /** Stops following a shop that leaves memory. A change that it did not show yet may have revoked one of its keys. */
  unload(shopId: string): void {
    if (this.#unfollow(shopId).wasBehind) this.#ports.copies.forget(shopId);
  }

  #unfollow(shopId: string): { readonly wasBehind: boolean } {
    this.#followed.delete(shopId);
    return { wasBehind: this.#behind.delete(shopId) };
  }

  /** Brings the mirror of the shop up to date; for its errors see `mirrorTail` in `mirror-tail.ts`. */
  async mirrorTail(shopId: string): Promise<void> {
    try {
      await this.#inTurn(shopId, () => mirrorTail(this.#ports, shopId));
    } catch (error) {
      if (error instanceof DifferingMirrorError) this.#noteDiffering(error);
      throw error;
    }
  }

  /**
   * Changes the mirror of a shop, one change at a time. Otherwise a restart or a drop could delete records
   * that another call has stored and that a load then reads.
   */
  async #inTurn(shopId: string, change: () => Promise<void>): Promise<void> {
    const underWay = () => this.#changing.get(shopId);
    for (let other = underWay(); other !== undefined; other = underWay()) await other.catch(() => {});
    const changing = change();
    this.#changing.set(shopId, changing);
    try {
      await changing;
    } finally {
      this.#changing.delete(shopId);
    }
  }

  /** Brings the mirror of the shop up to date and shows it. */
  async catchUp(shopId: string): Promise<void> {
    await this.mirrorTail(shopId);
    await this.#ports.copies.refresh(shopId);
  }

  /**
   * When a shop that is held out of the lease was last known to be current, null for never; undefined when it
   * is not held out.
   */
  heldOutSince(shopId: string): Moment | null | undefined {
    if (this.#leaving.size > 0 && this.#leaving.has(shopId)) return null;
    return this.#behind.get(shopId)?.heldOutSince;
  }

  /**
   * Applies the changes of a beat. Afterwards every followed shop shows them or is held out. `currentAt` is
   * when shops were last known to be current before this beat. Rejects with `AuthorityUnavailableError` when
   * the changes cannot be read.
   */
  async follow({ changed }: Pick<Beat, 'changed'>, currentAt: Moment | null): Promise<void> {
    if (changed === null) {
      this.#ports.copies.forget(null);
      this.#mustCompare = true;
    }
    for (const state of changed ?? []) this.#note(state);
    if (this.#mustCompare) {
      await this.#compare();
      this.#mustCompare = false;
    }
    for (const [shopId, behind] of this.#behind) behind.catchingUp ??= this.#catchUpTo(shopId, behind);
    const catchingUp = [...this.#behind.values()].map((behind) => behind.catchingUp);
    if (catchingUp.length === 0) return;
    await waitAtMost(this.#ports.clock, CATCH_UP_MS, Promise.all(catchingUp));
    for (const behind of this.#behind.values()) {
      if (behind.heldOutSince === undefined) behind.heldOutSince = currentAt;
    }
  }

  /**
   * Another node appended these records, or deleted the shop. Catches up the followed shops at once, then
   * tells the other nodes which record each shows. Tells of the other shops immediately: their next load
   * reads the record.
   */
  hear(shops: readonly ShopMark[]): void {
    const { authority, copies } = this.#ports;
    const known: ShopMark[] = [];
    for (const mark of shops) {
      const { shopId, sequenceNumber } = mark;
      if (!this.#followed.has(shopId)) copies.forget(shopId);
      else if (copies.shownUpTo(shopId) < sequenceNumber) {
        const behind = this.#noteBehind(shopId, sequenceNumber, false);
        behind.mustTell = true;
        behind.catchingUp ??= this.#catchUpTo(shopId, behind);
        continue;
      }
      known.push(mark);
    }
    if (known.length > 0) authority.tellShown(known);
  }

  /**
   * Reads the heads of the mirror first, so that the authority has these records by the time it is asked.
   */
  async #compare(): Promise<void> {
    const { authority } = this.#ports;
    // From now on a shop that is loaded is not among those that are compared.
    this.#ofLastRun.clear();
    const own = new Map<string, RecordHead>();
    for (const shopId of [...this.#followed]) {
      const head = this.#ownHead(shopId);
      if (head instanceof DamagedLogError) this.#drop(shopId, head);
      else own.set(shopId, head);
    }
    const states = new Map((await authority.states([...own.keys()])).map((state) => [state.shopId, state]));
    for (const [shopId, head] of own) {
      const state = states.get(shopId);
      if (state?.isDeleted !== true && isAhead(head, state?.head ?? NO_HEAD))
        this.#noteDiffering(new DifferingMirrorError(shopId, head.sequenceNumber));
      else if (state !== undefined) this.#note(state);
    }
  }

  #note({ shopId, head, isDeleted }: ShopState): void {
    const { copies } = this.#ports;
    if (!this.#followed.has(shopId)) {
      copies.forget(shopId);
      return;
    }
    const own = isDeleted ? null : this.#ownHead(shopId);
    if (own === null || own instanceof DamagedLogError) {
      this.#drop(shopId, own);
      return;
    }
    const shownUpTo = copies.shownUpTo(shopId);
    const isOther = own.sequenceNumber === head.sequenceNumber && !own.hash.equals(head.hash);
    if (isOther || shownUpTo < head.sequenceNumber) this.#noteBehind(shopId, head.sequenceNumber, isOther);
  }

  #noteBehind(shopId: string, upTo: number, mustCompare: boolean): Behind {
    const known = this.#behind.get(shopId);
    if (known !== undefined) {
      known.upTo = Math.max(known.upTo, upTo);
      known.mustCompare ||= mustCompare;
      return known;
    }
    const behind: Behind = {
      upTo,
      mustCompare,
      mustTell: false,
      catchingUp: null,
      heldOutSince: undefined,
    };
    this.#behind.set(shopId, behind);
    return behind;
  }

  async #catchUpTo(shopId: string, behind: Behind): Promise<void> {
    const { copies } = this.#ports;
    const isWanted = () => this.#behind.get(shopId) === behind;
    // A record that was named before a read and is missing after it was on one machine only, and was lost
    // with that.
    let readFor = 0;
    const isBehind = () => readFor < behind.upTo && copies.shownUpTo(shopId) < behind.upTo;
    try {
      while (isWanted() && (behind.mustCompare || isBehind())) {
        behind.mustCompare = false;
        readFor = behind.upTo;
        await this.catchUp(shopId);
        if (behind.mustTell) this.#tell(shopId, behind.upTo);
      }
      if (isWanted()) this.#behind.delete(shopId);
    } catch (error) {
      // A mirror that differs before the shop was first loaded is replaced by `load`; a later beat catches
      // up.
      if (LATER.some((kind) => error instanceof kind)) {
        behind.catchingUp = null;
        behind.mustCompare = true;
      } else if (isWanted()) this.#drop(shopId, asError(error));
    }
  }

  /** Tells which record is shown; for a deleted shop that has left memory, the number from the hint. */
  #tell(shopId: string, heard: number): void {
    const { authority, copies } = this.#ports;
    const sequenceNumber = copies.shownUpTo(shopId);
    if (!this.#followed.has(shopId)) this.hear([{ shopId, sequenceNumber: heard }]);
    else if (sequenceNumber > 0) authority.tellShown([{ shopId, sequenceNumber }]);
  }

  #noteDiffering(error: DifferingMirrorError): void {
    if (this.#loaded.has(error.shopId)) this.#drop(error.shopId, error);
  }

  /**
   * From now on the shop is refused. It may stay in memory for a while, because its waiting writes are
   * answered first.
   */
  #drop(shopId: string, cause: Error | null): void {
    this.#unfollow(shopId);
    this.#leaving.add(shopId);
    void this.#ports.copies.drop(shopId, cause).then(() => {
      if (!(cause instanceof DifferingMirrorError)) this.#leaving.delete(shopId);
    });
  }
}
