/**
 * The barrier delays the acknowledgement of a write until every other node has applied it or has no lease
 * from before it.
 *
 * A writer reads the list of nodes right after it has appended record R. For a listed node with beat b the
 * wait ends when
 * 1. the listed run of the node tells that it shows R or a later record of the shop: a run never shows an
 *    earlier record again; or
 * 2. beat b + 2 or a higher one is seen: the node sent it after it had applied beat b + 1 in full, or without
 *    a lease; and beat b + 1, which was committed after the list was read, named R; or
 * 3. `LAPSE_MS` have passed since beat b was first seen: the leases of beats up to b began before that, and
 *    the changes read with later beats include R. This needs no authority, so every wait ends, whatever
 *    fails.
 * A node that is not on the list joined later: its first beat named R.
 */
import type { NodeBeat, ShopMark } from '../log/authority.ts';
import type { NodeList, SeenBeat } from './node-list.ts';
import type { ClusterClock } from './node-ports.ts';
import { LAPSE_MS } from './timing.ts';

/** The number of later beats that prove that the node has applied the record. */
export const BEATS_UNTIL_APPLIED = 2;

/** The records of a shop that other nodes report as shown while a write to the shop is under way. */
export interface ShownRecords {
  readonly shopId: string;
  /** Run of a node -> number of the last record that it shows. */
  readonly shown: Map<string, number>;
}

/** A write that waits for the nodes in `awaited`. */
interface Wait {
  /**
   * The last record of the write; null when its number is unknown: then only beats and lapses end the wait.
   */
  readonly mark: ShopMark | null;
  readonly awaited: Map<string, SeenBeat>;
  readonly passed: () => void;
}

export class Barrier {
  readonly #clock: ClusterClock;
  readonly #nodes: NodeList;
  readonly #waits = new Set<Wait>();
  /**
   * Writes that are not at the barrier yet: a node may tell of a record before its writer has mirrored it.
   */
  readonly #heard = new Set<ShownRecords>();

  constructor(clock: ClusterClock, nodes: NodeList) {
    this.#clock = clock;
    this.#nodes = nodes;
  }

  /** True while a write waits. */
  get isAwaited(): boolean {
    return this.#waits.size > 0;
  }

  /** Takes note of a list of nodes, for whichever purpose it was read. */
  see(nodes: readonly NodeBeat[]): void {
    this.#nodes.see(nodes, this.#clock.monotonicMs());
    for (const wait of this.#waits) this.#check(wait);
  }

  /** Collects what nodes report of the shop until `forget`. */
  listen(shopId: string): ShownRecords {
    const records = { shopId, shown: new Map<string, number>() };
    this.#heard.add(records);
    return records;
  }

  forget(records: ShownRecords): void {
    this.#heard.delete(records);
  }

  /** The node with this run reports that it shows these records. */
  reported(run: string, shops: readonly ShopMark[]): void {
    for (const { shopId, sequenceNumber } of shops) {
      for (const heard of this.#heard) {
        if (heard.shopId === shopId)
          heard.shown.set(run, Math.max(sequenceNumber, heard.shown.get(run) ?? 0));
      }
      for (const wait of this.#waits) {
        const { mark, awaited } = wait;
        if (mark?.shopId !== shopId || sequenceNumber < mark.sequenceNumber) continue;
        if (awaited.delete(run)) this.#check(wait);
      }
    }
  }

  /**
   * Resolves once every node of `others` has applied everything that was appended before the list was read,
   * or has no lease from before; after `LAPSE_MS` at the latest. The list leaves out this node, which shows
   * its own writes. `mark` is the last record of the write, `shown` what nodes reported of its shop since the
   * write began.
   */
  passed(
    others: readonly NodeBeat[],
    mark: ShopMark | null = null,
    shown: ShownRecords['shown'] = new Map(),
  ): Promise<void> {
    this.see(others);
    const nowMs = this.#clock.monotonicMs();
    const awaited = new Map<string, SeenBeat>();
    for (const { run, beat } of others) {
      if (mark !== null && (shown.get(run) ?? 0) >= mark.sequenceNumber) continue;
      awaited.set(run, { run, beat, firstSeenMs: this.#nodes.beatOf(run)?.firstSeenMs ?? nowMs });
    }
    const lastMs = Math.max(nowMs, ...[...awaited.values()].map(({ firstSeenMs }) => firstSeenMs + LAPSE_MS));
    return new Promise((resolve) => {
      const cancel = this.#clock.after(lastMs - nowMs, () => this.#check(wait));
      const passed = () => {
        cancel();
        resolve();
      };
      const wait: Wait = { mark, awaited, passed };
      this.#waits.add(wait);
      this.#check(wait);
    });
  }

  #check(wait: Wait): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { run, beat, firstSeenMs } of wait.awaited.values()) {
      const hasApplied = (this.#nodes.beatOf(run)?.beat ?? beat) >= beat + BEATS_UNTIL_APPLIED;
      const hasLapsed = nowMs >= firstSeenMs + LAPSE_MS;
      if (hasApplied || hasLapsed) wait.awaited.delete(run);
    }
    if (wait.awaited.size > 0 || !this.#waits.delete(wait)) return;
    wait.passed();
  }
}
