/**
 * One node of a cluster: its lease, its beats, the shops that it follows, and the writes that wait at its
 * barrier.
 *
 * The order of a write is: authority, mirror, shown here, barrier, answer (`append`, then
 * `WriteOutcome.seenEverywhere`). A request checks `freshness` when it arrives and is answered in the same
 * turn of the event loop.
 */
import {
  type AppendGroup,
  type Authority,
  AuthorityUnavailableError,
  deletionMark,
  type Hint,
  type NodeBeat,
  type NodeSelf,
  type RecordHead,
  type ShopMark,
  type TurnResult,
} from '../log/authority.ts';
import { lastMark } from '../log/record-codec.ts';
import { Barrier, type ShownRecords } from './barrier.ts';
import { Follower, type FollowerPorts } from './follower.ts';
import { Heartbeat, type HeartbeatPorts } from './heartbeat.ts';
import { CURRENT, type Freshness, freshnessWithoutLease, Lease, passedMs } from './lease.ts';
import { NodeList } from './node-list.ts';
import {
  type ClusterClock,
  type ClusterMeter,
  type Mirror,
  type MirrorState,
  momentOf,
  type ShopCopies,
  waitAtMost,
} from './node-ports.ts';
import { shareOf } from './plan-shares.ts';
import { LEASE_MS, WRITE_CATCH_UP_MS } from './timing.ts';
import { takeFreeTurn, takeLockedTurn, type WriteTurnPorts } from './write-turn.ts';

/** The part of the authority that a node uses. */
export type NodeAuthority = FollowerPorts['authority'] &
  HeartbeatPorts['authority'] &
  WriteTurnPorts['authority'] &
  Pick<Authority, 'deleteShop' | 'leave' | 'onHint' | 'askForBeats'>;

interface ClusterNodePorts {
  readonly authority: NodeAuthority;
  readonly mirror: Mirror;
  readonly copies: ShopCopies;
  readonly clock: ClusterClock;
  readonly self: NodeSelf;
  readonly meter: ClusterMeter;
  /** The greatest age of a marked answer; 0 allows none. */
  readonly staleMsMax: number;
  /** What an earlier run of the process left in the mirror; null when that is not known. */
  readonly lastRun: MirrorState | null;
  readonly onReach: HeartbeatPorts['onReach'];
  /** Called on a bug, and when the process must not use the authority: the node must stop. */
  readonly onFatal: (cause: unknown) => void;
}

/** The result of a write. */
export type WriteOutcome =
  | Exclude<TurnResult, { kind: 'appended' }>
  /**
   * The records are on two machines and in the mirror. The caller shows them, and answers once
   * `seenEverywhere` resolves, which takes at most `LAPSE_MS`.
   */
  | { readonly kind: 'appended'; readonly seenEverywhere: Promise<void> };

export interface SeenNode {
  /** Milliseconds since its last beat was first seen; null when none was. */
  readonly lagMs: number | null;
  /** Its lease still runs. */
  readonly isCurrent: boolean;
  readonly isThis: boolean;
}

export class ClusterNode {
  readonly follower: Follower;
  readonly #ports: ClusterNodePorts;
  readonly #lease: Lease;
  readonly #nodes = new NodeList();
  readonly #barrier: Barrier;
  readonly #heartbeat: Heartbeat;
  #beating: Promise<void> = Promise.resolve();
  #endHints: () => void = () => {};

  constructor(ports: ClusterNodePorts) {
    this.#ports = ports;
    this.#lease = new Lease(ports.lastRun?.currentAt);
    this.#barrier = new Barrier(ports.clock, this.#nodes);
    this.follower = new Follower(ports, ports.lastRun?.heads);
    this.#heartbeat = new Heartbeat({
      ...ports,
      lease: this.#lease,
      follower: this.follower,
      barrier: this.#barrier,
      nodes: this.#nodes,
      isAwaited: () => this.#barrier.isAwaited || this.follower.isBehind,
    });
  }

  /** Joins the cluster and starts the beats. */
  start(): void {
    this.#endHints = this.#ports.authority.onHint((hint) => this.#hear(hint));
    this.#beating = this.#heartbeat.run();
  }

  #hear(hint: Hint): void {
    if (hint.kind === 'shown') this.#barrier.reported(hint.run, hint.shops);
    else if (hint.shops.length > 0) this.follower.hear(hint.shops);
    else this.#heartbeat.hurry();
  }

  /**
   * Ends the lease, then leaves the list, so that no writer waits for this node. It must not answer any more.
   */
  async stop(): Promise<void> {
    this.#endHints();
    this.#heartbeat.stop();
    await this.#beating;
    await this.#ports.authority.leave();
  }

  /** How an answer for a shop in memory must be marked. It must be made in this turn of the event loop. */
  freshness(shopId: string): Freshness {
    const now = momentOf(this.#ports.clock);
    const heldOutSince = this.follower.heldOutSince(shopId);
    if (heldOutSince === undefined && this.#lease.isHeld(now)) return CURRENT;
    const currentAt = heldOutSince === undefined ? this.#lease.currentAt : heldOutSince;
    return freshnessWithoutLease(currentAt, now, this.#ports.staleMsMax);
  }

  /**
   * Before a write: null while the shop shows every write that was acknowledged by now, otherwise a promise that resolves
   * when it does. So a write is decided, and perhaps refused, on the state that an answer without a mark would show. Rejects
   * with `AuthorityUnavailableError`, or as `mirrorTail`.
   */
  upToDate(shopId: string): Promise<void> | null {
    return this.freshness(shopId).kind === 'current' ? null : this.#catchUp(shopId);
  }

  async #catchUp(shopId: string): Promise<void> {
    let isDone = false;
    const catchingUp = this.follower.catchUp(shopId).then(() => {
      isDone = true;
    });
    await waitAtMost(this.#ports.clock, WRITE_CATCH_UP_MS, catchingUp);
    if (!isDone) throw new AuthorityUnavailableError(`shop ${shopId} did not catch up in time`);
  }

  /** True while answers need no mark, except those of shops that are held out. */
  get isCurrent(): boolean {
    return this.#lease.isHeld(momentOf(this.#ports.clock));
  }

  /** Why the authority was not reached with the last beat; null when it was, and before the first beat. */
  get failure(): Error | null {
    return this.#heartbeat.failure;
  }

  /** What the mirror is known to have; null without a lease. */
  get mirrorState(): MirrorState | null {
    const { currentAt } = this.#lease;
    return currentAt === null || !this.isCurrent ? null : { currentAt, heads: this.follower.currentHeads() };
  }

  /** Number of nodes whose lease may still run; this node counts like the others. */
  get liveNodes(): number {
    return this.#nodes.live(this.#ports.clock.monotonicMs()).length;
  }

  /** What this node has seen of another one, or of itself. */
  seen(run: string): SeenNode {
    const seen = this.#nodes.beatOf(run);
    const lagMs = seen === undefined ? null : this.#ports.clock.monotonicMs() - seen.firstSeenMs;
    return { lagMs, isCurrent: lagMs !== null && lagMs < LEASE_MS, isThis: this.#heartbeat.isOwn(run) };
  }

  /**
   * Milliseconds since this node is known to have shown every acknowledged write; null before the first
   * lease.
   */
  get lagMs(): number | null {
    const { currentAt } = this.#lease;
    return currentAt === null ? null : passedMs(currentAt, momentOf(this.#ports.clock));
  }

  /** How many requests of a plan's `rate` this node lets through. */
  planShare(rate: number): number {
    return shareOf(rate, this.#heartbeat.rank);
  }

  /** Resolves once every other node shows all that this node shows now; rejects with `AuthorityUnavailableError`. */
  async seenEverywhere(): Promise<void> {
    const { authority } = this.#ports;
    const nodes = await authority.nodes();
    authority.askForBeats();
    await this.#passed(nodes);
  }

  #passed(listed: readonly NodeBeat[], mark?: ShopMark, shown?: ShownRecords['shown']): Promise<void> {
    const others = listed.filter(({ run }) => !this.#heartbeat.isOwn(run));
    const { clock, meter } = this.#ports;
    const startMs = clock.monotonicMs();
    const passed = this.#barrier.passed(others, mark, shown);
    void passed.then(() => meter.barrierPassed(clock.monotonicMs() - startMs));
    return passed;
  }

  /**
   * One attempt to append records that were decided on the newest record of the mirror; see `takeFreeTurn`.
   */
  async append(group: AppendGroup): Promise<WriteOutcome> {
    return this.#listening(group.shopId, async (records) =>
      this.#outcomeOf(await takeFreeTurn(this.#turnPorts, group), lastMark(group), records),
    );
  }

  /** A turn in which no other node appends to the shop; see `takeLockedTurn`. */
  async appendAlone(shopId: string, decide: () => Promise<AppendGroup | null>): Promise<WriteOutcome> {
    return this.#listening(shopId, async (records) => {
      let mark: ShopMark | undefined;
      const decided = async () => {
        const group = await decide();
        if (group !== null) mark = lastMark(group);
        return group;
      };
      return this.#outcomeOf(await takeLockedTurn(this.#turnPorts, shopId, decided), mark, records);
    });
  }

  /**
   * Deletes the shop. Resolves with true once no node shows it; with false, and nothing is deleted, when
   * `head` is not its head. Rejects with `AuthorityUnavailableError`.
   */
  async deleteShop(shopId: string, head: RecordHead): Promise<boolean> {
    const { authority } = this.#ports;
    return this.#listening(shopId, async ({ shown }) => {
      if (!(await authority.deleteShop(shopId, head))) return false;
      await this.#passed(await authority.nodes(), deletionMark(shopId, head), shown);
      return true;
    });
  }

  get #turnPorts(): WriteTurnPorts {
    return { ...this.#ports, follower: this.follower };
  }

  /**
   * Listens from before the append, because other nodes may tell of a record before the append has returned.
   */
  async #listening<T>(shopId: string, turn: (records: ShownRecords) => Promise<T>): Promise<T> {
    const records = this.#barrier.listen(shopId);
    try {
      return await turn(records);
    } finally {
      this.#barrier.forget(records);
    }
  }

  #outcomeOf(result: TurnResult, mark: ShopMark | undefined, { shown }: ShownRecords): WriteOutcome {
    if (result.kind !== 'appended') return result;
    return { kind: 'appended', seenEverywhere: this.#passed(result.nodes, mark, shown) };
  }
}
