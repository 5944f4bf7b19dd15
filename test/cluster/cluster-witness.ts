/**
 * What a simulated cluster may show: no answer without a mark lacks what was acknowledged before it, no two nodes ever
 * have different records in the same place, what was acknowledged is never lost, what was refused is not there, and no
 * writer loses more than two races in a row.
 */

import type { Freshness } from '../../src/cluster/lease.ts';
import type { HashedRecord, RecordHead } from '../../src/log/authority.ts';

export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A write whose client has its answer. */
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

/** Above what a machine's clock may stand still: a marked age does not count that. */
const FREEZE_MS_MAX = 1_000;
const STALE_TURNS_MAX = 2;

export class ClusterWitness {
  readonly #hashes = new Map<string, string>();
  readonly #acknowledged = new Map<string, Acknowledged[]>();
  readonly #refused = new Set<string>();
  readonly #staleTurns = new Map<string, number>();
  /** The first promise that was broken, kept because it may have been thrown into a promise of the program. */
  broken: Violation | null = null;
  acknowledgements = 0;
  answers = { current: 0, old: 0, refused: 0 };

  hold(condition: boolean, promise: string): void {
    if (!condition) this.broken ??= new Violation(promise);
  }

  check(): void {
    if (this.broken !== null) throw this.broken;
  }

  /** A node keeps a record, and may show it from here on. */
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

  /** A client was told that nothing of its write was stored. */
  refused(tag: string): void {
    this.#refused.add(tag);
  }

  /** A question that came at `nowMs` is answered. */
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

  /** A turn of a node's writer ended. */
  turnEnded(node: string, shopId: string, isStale: boolean): void {
    const writer = `${node} ${shopId}`;
    const inRow = isStale ? (this.#staleTurns.get(writer) ?? 0) + 1 : 0;
    this.#staleTurns.set(writer, inRow);
    this.hold(inRow <= STALE_TURNS_MAX, `${writer}: a writer loses at most two races in a row`);
  }

  /** The history that counts has everything that was acknowledged, once, and nothing that was refused. */
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
