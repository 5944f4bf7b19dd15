/**
 * The heartbeat: renews the lease of this node, one beat after the other. The order is the whole argument:
 *
 *   1. read the clock;            the lease will count from here
 *   2. raise the beat;            committed on two machines before
 *   3. read what changed;         so whatever was appended before 2. was committed is in it, and so is
 *                                 whatever a writer appended without seeing this beat
 *   4. read the list of nodes;
 *   5. apply what changed;
 *   6. renew the lease, then, and not before, send the next beat.
 *
 * `Authority.beat` does 2. to 4. A beat that is not carried through to 6. has raised the number all the same, or still
 * will; the lease ends before the next beat is sent, because writers take a beat for a sign that the node applied what
 * the beat before it named.
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
  /** A beat failed with something else than an authority that cannot be reached: a bug. */
  readonly onFatal: (cause: unknown) => void;
}

export class Heartbeat {
  readonly #ports: HeartbeatPorts;
  /** Every run that this process was a node as. */
  readonly #runs = new Set<string>();
  /** The present one; null before it has joined. */
  #run: string | null = null;
  /** Whether all others count the present run among the nodes that share the plans. */
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

  /** One beat, joining before it where need be. */
  async renew(): Promise<void> {
    const { authority, barrier, clock, follower, lease, meter, shares } = this.#ports;
    if (!this.#isCarriedThrough) lease.end();
    this.#isCarriedThrough = false;
    this.#run ??= await this.#join();
    const sentAtMs = clock.monotonicMs();
    const beat = await authority.beat();
    if (beat === null) {
      // Taken off the list: no writer waits for this run any more, and what this beat named is not known.
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

  /** Shares the plans with the live nodes of the list. The first list of a run names all that do not count it yet. */
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

  /** Nodes that have been silent for long are gone; what fails here is tried again after a later beat. */
  #removeSilent(): void {
    const { authority, clock, nodes } = this.#ports;
    for (const seen of nodes.silent(clock.monotonicMs())) {
      nodes.forget(seen.run);
      if (!this.isOwn(seen.run)) void authority.removeNode(seen).catch(() => false);
    }
  }

  /** Until the time is up, or the stop ends it. */
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
