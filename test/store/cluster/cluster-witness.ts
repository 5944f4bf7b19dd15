/**
 * The promises of a simulated cluster: an answer without a mark has every write that was acknowledged before
 * it, no two nodes ever have different records in the same place, an acknowledged write is never lost, a
 * refused write is not stored, and no writer loses more than two races in a row.
 */

import type { Freshness } from '../../../src/store/cluster/lease.ts';
import type { HashedRecord, RecordHead } from '../../../src/store/log/authority.ts';

export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A write whose client has received its answer. */
interface Acknowledged extends RecordHead {
  readonly tag: string;
  readonly atMs: number;
}

/** A shop as a node shows it. */
export interface Shown {
  readonly node: string;
  readonly shopId: string;
  readonly upTo: number;
}

/** The longest time for which a clock stands still: it may be missing in the age of an answer. */
const FREEZE_MS_MAX = 1_000;
const STALE_TURNS_MAX = 2;

export class ClusterWitness {
  readonly #hashes = new Map<string, string>();
  readonly #acknowledged = new Map<string, Acknowledged[]>();
  readonly #refused = new Set<string>();
  readonly #staleTurns = new Map<string, number>();
  /**
   * The first broken promise; kept here, because an error thrown into a promise of the program may get lost.
   */
  broken: Violation | null = null;
  acknowledgements = 0;
  answers = { current: 0, old: 0, refused: 0 };

  hold(condition: boolean, promise: string): void {
    if (!condition) this.broken ??= new Violation(promise);
  }

  check(): void {
    if (this.broken !== null) throw this.broken;
  }

  /** A node has stored a record, and may show it from now on. */
  mirrored(node: string, shopId: string, { sequenceNumber, hash }: RecordHead): void {
    const place = `${shopId} ${sequenceNumber}`;
    const known = this.#hashes.get(place) ?? hash.toString('hex');
    this.#hashes.set(place, known);
    this.hold(known === hash.toString('hex'), `no fork: ${place} of ${node} is that of all others`);
  }

  acknowledged(shopId: string, tag: string, { sequenceNumber, hash }: RecordHead, atMs: number): void {
    this.acknowledgements++;
    const list = this.#acknowledged.get(shopId) ?? [];
    this.#acknowledged.set(shopId, [...list, { tag, sequenceNumber, hash, atMs }]);
  }

  /** A client received the answer that none of its write was stored. */
  refused(tag: string): void {
    this.#refused.add(tag);
  }

  /** A request that arrived at `nowMs` is answered. */
  answered({ node, shopId, upTo }: Shown, freshness: Freshness, nowMs: number): void {
    this.answers[freshness.kind]++;
    if (freshness.kind === 'refused') return;
    const ageMs = freshness.kind === 'current' ? 0 : freshness.ageSeconds * 1_000 + FREEZE_MS_MAX;
    const due = this.#acknowledged.get(shopId)?.filter(({ atMs }) => atMs <= nowMs - ageMs) ?? [];
    for (const { tag, sequenceNumber } of due) {
      const text =
        freshness.kind === 'current' ? 'without a mark' : `marked as ${freshness.ageSeconds} s old`;
      this.hold(sequenceNumber <= upTo, `${shopId} of ${node}: an answer ${text} shows ${tag}`);
    }
  }

  turnsBegin(node: string, shopId: string): void {
    this.#staleTurns.delete(`${node} ${shopId}`);
  }

  turnEnded(node: string, shopId: string, isStale: boolean): void {
    const writer = `${node} ${shopId}`;
    const inRow = isStale ? (this.#staleTurns.get(writer) ?? 0) + 1 : 0;
    this.#staleTurns.set(writer, inRow);
    this.hold(inRow <= STALE_TURNS_MAX, `${writer}: a writer loses at most two races in a row`);
  }

  /** Checks the history that survived: it has every acknowledged write once, and no refused one. */
  lookAtHistory(
    recordsOf: (shopId: string) => readonly HashedRecord[],
    tagOf: (stored: Buffer) => string,
  ): void {
    for (const [shopId, list] of this.#acknowledged) {
      const records = recordsOf(shopId);
      const tags = records.map(({ stored }) => tagOf(stored));
      this.hold(new Set(tags).size === tags.length, 'a write is stored once');
      this.hold(
        !tags.some((tag) => this.#refused.has(tag.split('.')[0] ?? '')),
        'what was refused is not there',
      );
      for (const { tag, sequenceNumber, hash } of list) {
        const record = records[sequenceNumber - 1];
        this.hold(record?.hash.equals(hash) === true, `${shopId}: ${tag} is acknowledged and not lost`);
      }
    }
  }
}
