/**
 * A node of a cluster, built from an authority and a mirror: provides the log that its shops write to, keeps the shops
 * in memory up to date, and reports the freshness of answers. It works with any adapter of the authority.
 */

import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { ClusterNode, type SeenNode } from '../cluster/cluster-node.ts';
import { KeyLookup } from '../cluster/key-lookup.ts';
import { DamagedAuthorityError, DifferingMirrorError } from '../cluster/mirror-tail.ts';
import { type ClusterClock, type ClusterMeter, type ShopCopies, waitMs } from '../cluster/node-ports.ts';
import { LEASE_MS } from '../cluster/timing.ts';
import {
  type Authority,
  AuthorityUnavailableError,
  type ClusterState,
  liveShops,
  type NodeBeat,
  type NodeSelf,
} from '../log/authority.ts';
import { DamagedLogError, DiskFullError, type EventLog } from '../log/event-log.ts';
import type { LmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { readLastRun, writeLastRun } from './last-run.ts';
import { LmdbMirror } from './lmdb-mirror.ts';
import { mirroredEventLog } from './mirrored-event-log.ts';

export interface SharedNodePorts {
  readonly authority: Authority;
  /** The log that holds the mirror. */
  readonly copy: LmdbEventLog;
  /** Names the mirror; a UUID. */
  readonly mirrorId: string;
  readonly clock: Clock;
  readonly self: NodeSelf;
  /** Maximum age of an answer that is marked as stale; 0 allows none. */
  readonly staleSeconds: number;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** Contains the counts from the opening of the mirror. */
  readonly meter: ClusterMeter;
  /**
   * Called for a bug, when the mirror cannot be written, and with `UnusableDataFileError` when the database must not be
   * used: the process must stop.
   */
  readonly onFatal: (cause: Error) => void;
}

/** The parts of the process that the node keeps up to date. */
interface NodeParts {
  readonly shops: {
    /** The shop, if it is in memory. */
    peek(shopId: string): { readonly sequenceNumber: number } | undefined;
    /** Resolves when readers see what the mirror has. */
    refresh(shopId: string): Promise<void>;
    /** Resolves when the shop has left memory. */
    drop(shopId: string): Promise<void>;
  };
  readonly keys: {
    /** Cached data about the keys of this shop may be out of date. */
    forgetShop(shopId: string): void;
    forgetAll(): void;
  };
}

/** Maximum difference from the database's clock. The clock of this machine gives records their times. */
const CLOCK_OFF_MS = 5_000;
/** Interval between two checks whether the first lease has begun. */
const LOOK_MS = 5;
/** Interval at which the state of the mirror is noted for the next run. */
const NOTED_MS = 10_000;

/** What a node knows of the cluster. */
interface ClusterStatus extends Pick<ClusterState, 'id' | 'epoch' | 'writeFormat'> {
  readonly nodes: readonly (NodeBeat & SeenNode)[];
}

export class SharedNode {
  readonly authority: Authority;
  readonly log: EventLog;
  readonly keyLookup: KeyLookup;
  readonly node: ClusterNode;
  readonly #clock: ClusterClock;
  readonly #mirror: LmdbMirror;
  readonly #ports: SharedNodePorts;
  #parts: NodeParts | null = null;
  #startedMs = 0;
  #endNotes: () => void = () => {};

  constructor(ports: SharedNodePorts) {
    const { authority, copy, mirrorId, clock, self, staleSeconds, logger, meter, onFatal } = ports;
    this.#ports = ports;
    this.authority = authority;
    this.#clock = timersOf(clock);
    this.#mirror = new LmdbMirror(copy, logger);
    this.keyLookup = new KeyLookup(authority, () => clock.monotonicMs());
    this.node = new ClusterNode({
      meter,
      authority,
      mirror: this.#mirror,
      copies: this.#copies(),
      clock: this.#clock,
      self,
      staleMsMax: staleSeconds * 1_000,
      lastRun: readLastRun(copy.tables.folder, this.#clock),
      onReach: (failure) => {
        if (failure === null) logger.info('database.reached');
        else logger.warn('database.unreachable', { error: failure });
      },
      onFatal: (cause) => onFatal(asError(cause)),
    });
    this.log = mirroredEventLog({ copy, mirror: this.#mirror, mirrorId, authority, node: this.node });
  }

  /**
   * Joins the cluster. Resolves when answers need no mark. Rejects with `AuthorityUnavailableError` when the database cannot
   * be reached; the node goes on trying.
   */
  async start(parts: NodeParts): Promise<void> {
    this.#parts = parts;
    this.#startedMs = this.#ports.clock.monotonicMs();
    this.node.start();
    const notes = setInterval(() => void this.#noteState(), NOTED_MS).unref();
    this.#endNotes = () => clearInterval(notes);
    while (!this.node.isCurrent) {
      const { failure } = this.node;
      if (failure !== null) throw failure;
      await waitMs(this.#clock, LOOK_MS);
    }
  }

  /** Resolves when answers need no mark; not before, whatever fails. */
  async untilCurrent(): Promise<void> {
    while (!this.node.isCurrent) await waitMs(this.#clock, LOOK_MS);
  }

  /** True where the keys in the mirror are as current as the answers about this shop. */
  hasKeysOf(shopId: string): boolean {
    return this.#parts?.shops.peek(shopId) !== undefined || this.node.follower.isOfLastRun(shopId);
  }

  async #noteState(): Promise<void> {
    const state = this.node.mirrorState;
    if (state === null) return;
    const { copy, logger } = this.#ports;
    await writeLastRun(copy.tables.folder, state).catch((error: unknown) => {
      logger.warn('mirror.not_noted', { error: asError(error) });
    });
  }

  /** Calls `prepare` on one node at a time, with the ids of up to two shops, unless one of them was deleted. */
  async prepareDemoShop(prepare: (shopIds: readonly string[]) => Promise<void>): Promise<void> {
    await this.authority.alone('demo shop', async () => {
      const states = await this.authority.statesAfter('', 2);
      if (states.every(({ isDeleted }) => !isDeleted)) await prepare(states.map(({ shopId }) => shopId));
    });
  }

  /** Ids of the shops after this id, sorted, at most `most`. */
  async shopIdsAfter(shopId: string, most: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const found of liveShops(this.authority, shopId)) {
      if (ids.length === most) break;
      ids.push(found.shopId);
    }
    return ids;
  }

  /** Nothing is deleted when the shop was never made, was written to meanwhile, or was deleted before. */
  async deleteShop(shopId: string): Promise<'deleted' | 'unknown' | 'written'> {
    const [state] = await this.authority.states([shopId]);
    if (state === undefined) return 'unknown';
    if (!(await this.node.deleteShop(shopId, state.head))) return 'written';
    await this.#drop(shopId, null);
    return 'deleted';
  }

  /**
   * The cluster and its nodes; null while the database cannot be reached. A node that was not seen for the time of a
   * lease is not current; it is watched for so long.
   */
  async status(): Promise<ClusterStatus | null> {
    const { clock, authority } = this.#ports;
    const watchedMs = clock.monotonicMs() - this.#startedMs;
    if (watchedMs < LEASE_MS) await waitMs(this.#clock, LEASE_MS - watchedMs);
    try {
      const { id, epoch, writeFormat } = await authority.open();
      const nodes = await authority.nodes();
      return {
        id,
        epoch,
        writeFormat,
        nodes: nodes.map((node) => ({ ...node, ...this.node.seen(node.run) })),
      };
    } catch (error) {
      if (error instanceof AuthorityUnavailableError) return null;
      throw error;
    }
  }

  /** Leaves the cluster. The process must answer no more requests. */
  async stop(): Promise<void> {
    if (this.#parts === null) return;
    this.#endNotes();
    await this.#noteState();
    await this.node.stop();
  }

  /**
   * Handles an error of a read of the shop's history. When the mirror is damaged the shop leaves memory, and
   * its next load builds the mirror again.
   */
  readonly noteDamaged = (shopId: string, cause: unknown): void => {
    if (!(cause instanceof DamagedLogError)) return;
    if (cause instanceof DifferingMirrorError || cause instanceof DamagedAuthorityError) return;
    this.node.follower.noteDamaged(shopId, cause);
    void this.#parts?.shops.drop(shopId).catch((error: unknown) => this.#ports.onFatal(asError(error)));
  };

  /** Connects the node's counts with the metrics; returns a function that brings the metrics up to date. */
  meterIn({ durations, values }: Metrics): () => void {
    const { meter, clock, logger } = this.#ports;
    let wasOff = false;
    meter.clockRead = (wallMs) => {
      const aheadMs = clock.nowMs() - wallMs;
      values.cluster_clock_offset_seconds = Math.abs(aheadMs) / 1_000;
      const isOff = Math.abs(aheadMs) > CLOCK_OFF_MS;
      if (isOff && !wasOff) logger.warn('clock.off', { aheadMs });
      wasOff = isOff;
    };
    meter.barrierPassed = (waitedMs) => durations.barrier.observe(waitedMs);
    return () => {
      values.cluster_nodes = this.node.liveNodes;
      values.cluster_lag_seconds = (this.node.lagMs ?? 0) / 1_000;
      values.cluster_lapses = meter.lapses;
      values.appends_unknown = meter.unknownOutcomes;
      values.mirrors_damaged = meter.mirrorsDamaged;
      values.mirrors_differing = meter.mirrorsDiffering;
    };
  }

  #copies(): ShopCopies {
    return {
      shownUpTo: (shopId) => this.#parts?.shops.peek(shopId)?.sequenceNumber ?? 0,
      refresh: async (shopId) => {
        // The shop may have a new key. It reports only revoked keys to its readers.
        this.keyLookup.changed(shopId);
        await this.#parts?.shops.refresh(shopId);
      },
      forget: (shopId) => {
        if (shopId === null) this.#parts?.keys.forgetAll();
        else this.#parts?.keys.forgetShop(shopId);
      },
      drop: (shopId, cause) => this.#drop(shopId, cause),
    };
  }

  /**
   * Removes a deleted shop from the mirror too. An unusable shop stays there, so that an operator can examine it. When
   * the process has shown records that the authority has lost, it stops; its next start saves them to a file.
   */
  async #drop(shopId: string, cause: Error | null): Promise<void> {
    const { logger, onFatal } = this.#ports;
    if (cause instanceof DifferingMirrorError) {
      onFatal(cause);
      return;
    }
    try {
      this.#parts?.keys.forgetShop(shopId);
      if (cause === null) await this.#mirror.drop(shopId).catch(unlessDiskFull);
      else logger.error('shop.unusable', { shopId, error: cause });
      await this.#parts?.shops.drop(shopId);
    } catch (error) {
      onFatal(asError(error));
    }
  }
}

/** What a full disk keeps in the mirror of a deleted shop is removed at its next load. */
function unlessDiskFull(error: unknown): void {
  if (!(error instanceof DiskFullError)) throw error;
}

const timersOf = (clock: Clock): ClusterClock => ({
  monotonicMs: () => clock.monotonicMs(),
  wallMs: () => clock.nowMs(),
  after: (delayMs, run) => {
    // By this clock a timer may fire up to a millisecond early.
    const timer = setTimeout(run, Math.max(0, Math.ceil(delayMs)) + 1);
    return () => clearTimeout(timer);
  },
});
