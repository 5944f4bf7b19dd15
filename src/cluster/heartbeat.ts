/**
 * The heartbeat renews the lease of this node, one beat after the other. The protocol relies on this order:
 *
 *   1. read the clock;            the lease will count from here
 *   2. raise the beat;            two machines have committed it before step 3
 *   3. read the changes;          they include every record that was appended before the commit of step 2,
 *                                 hence every record whose writer did not see this beat in the list of nodes
 *   4. read the list of nodes;
 *   5. apply the changes;
 *   6. renew the lease; only then send the next beat.
 *
 * `Authority.beat` does steps 2 to 4. A beat that fails before step 6 has raised the number all the same, or still may.
 * The lease then ends before the next beat is sent, because a writer concludes from a beat that the node has applied
 * the changes of the beat before it.
 */
import { type Authority, AuthorityUnavailableError, type NodeBeat, type NodeSelf } from '../log/authority.ts';
import type { Barrier } from './barrier.ts';
import type { Follower } from './follower.ts';
import type { Lease } from './lease.ts';
import type { NodeList } from './node-list.ts';
import type { ClusterClock, ClusterMeter } from './node-ports.ts';
import type { PlanShares } from './plan-shares.ts';
import { BEAT_MS } from './timing.ts';

export interface HeartbeatPorts {
  readonly authority: Pick<Authority, 'join' | 'beat' | 'removeNode'>;
  readonly clock: ClusterClock;
  readonly lease: Lease;
  readonly follower: Pick<Follower, 'follow'>;
  readonly barrier: Pick<Barrier, 'see' | 'passed'>;
  readonly nodes: NodeList;
  readonly shares: PlanShares;
  readonly meter: ClusterMeter;
  readonly self: NodeSelf;
  /** Called when a beat fails for another reason than an unreachable authority: a bug. */
  readonly onFatal: (cause: unknown) => void;
}

export class Heartbeat {
  readonly #ports: HeartbeatPorts;
  /** All runs under which this process has joined. */
  readonly #runs = new Set<string>();
  /** The current run; null before it has joined. */
  #run: string | null = null;
  /** Whether all others count the current run among the nodes that share the plans. */
  #counted: 'no' | 'awaited' | 'yes' = 'no';
  #isCarriedThrough = true;
  #epoch: number | null = null;
  #isStopped = false;
  #wake: (() => void) | null = null;

  constructor(ports: HeartbeatPorts) {
    this.#ports = ports;
  }

  /** True for a run of this process: a writer does not wait for itself. */
  isOwn(run: string): boolean {
    return this.#runs.has(run);
  }

  /** Beats until `stop`. Never rejects. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.renew();
      } catch (error) {
        if (!(error instanceof AuthorityUnavailableError)) this.#ports.onFatal(error);
      }
      await this.#pause(BEAT_MS);
    }
  }

  /** Ends the beats and the lease. */
  stop(): void {
    this.#isStopped = true;
    this.#ports.lease.end();
    this.#wake?.();
  }

  /** Sends one beat; joins first where the process has no run. */
  async renew(): Promise<void> {
    const { authority, barrier, clock, follower, lease, meter, shares } = this.#ports;
    if (!this.#isCarriedThrough) lease.end();
    this.#isCarriedThrough = false;
    this.#run ??= await this.#join();
    const sentAtMs = clock.monotonicMs();
    const beat = await authority.beat();
    if (beat === null) {
      // The node was taken off the list: no writer waits for this run any more, and the beat returned no
      // changes.
      lease.end();
      shares.giveUp(clock.monotonicMs());
      this.#run = null;
      this.#epoch = null;
      return;
    }
    meter.clockRead(beat.wallMs);
    if (this.#epoch !== beat.epoch) lease.end();
    barrier.see(beat.nodes);
    const changed = this.#epoch === beat.epoch ? beat.changed : null;
    await follower.follow({ changed }, lease.currentAtMs);
    if (this.#isStopped) return;
    this.#epoch = beat.epoch;
    if (lease.currentAtMs !== null && !lease.isHeld(clock.monotonicMs())) meter.lapses++;
    lease.renew(sentAtMs);
    this.#isCarriedThrough = true;
    this.#rebalance(beat.nodes);
    this.#removeSilent();
  }

  async #join(): Promise<string> {
    const run = await this.#ports.authority.join(this.#ports.self);
    this.#runs.add(run);
    this.#counted = 'no';
    return run;
  }

  /**
   * Shares the plans with the live nodes of the list. A new run first waits until all nodes of its first list
   * count it.
   */
  #rebalance(listed: readonly NodeBeat[]): void {
    const { barrier, clock, nodes, shares } = this.#ports;
    const run = this.#run;
    if (run === null) return;
    if (this.#counted === 'yes') {
      const nowMs = clock.monotonicMs();
      const live = new Set(nodes.live(nowMs).map((seen) => seen.run));
      const runs = listed.map((node) => node.run).filter((other) => live.has(other));
      shares.rebalance(runs, run, nowMs);
      return;
    }
    if (this.#counted === 'awaited') return;
    const others = listed.filter((node) => !this.isOwn(node.run));
    this.#counted = 'awaited';
    if (others.length === 0) shares.startAlone();
    void barrier.passed(others).then(() => {
      if (this.#run === run) this.#counted = 'yes';
    });
  }

  /**
   * Removes nodes that were silent for `NODE_KEPT_MS`; a removal that fails is tried again after a later
   * beat.
   */
  #removeSilent(): void {
    const { authority, clock, nodes } = this.#ports;
    for (const seen of nodes.silent(clock.monotonicMs())) {
      nodes.forget(seen.run);
      if (!this.isOwn(seen.run)) void authority.removeNode(seen).catch(() => {});
    }
  }

  /** Resolves after the delay, or at the stop. */
  #pause(delayMs: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#ports.clock.after(delayMs, () => end());
      const end = () => {
        cancel();
        this.#wake = null;
        resolve();
      };
      this.#wake = end;
    });
  }
}
