/**
 * The heartbeat renews the lease of this node, one beat after the other. The protocol relies on this order:
 *
 *   1. read the clocks;           the lease will count from here
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

import { asError } from '../../base/runtime/thrown-error.ts';
import { type Authority, AuthorityUnavailableError, type NodeBeat, type NodeSelf } from '../log/authority.ts';
import { type Barrier, BEATS_UNTIL_APPLIED } from './barrier.ts';
import type { Follower } from './follower.ts';
import type { Lease } from './lease.ts';
import type { NodeList } from './node-list.ts';
import { type ClusterClock, type ClusterMeter, momentOf } from './node-ports.ts';
import { ALONE, type Rank, rankAmong } from './plan-shares.ts';
import { BEAT_MS, IDLE_BEAT_MS } from './timing.ts';

export interface HeartbeatPorts {
  readonly authority: Pick<Authority, 'join' | 'beat' | 'removeNode'>;
  readonly clock: ClusterClock;
  readonly lease: Lease;
  readonly follower: Pick<Follower, 'follow'>;
  readonly barrier: Pick<Barrier, 'see'>;
  readonly nodes: NodeList;
  readonly meter: ClusterMeter;
  readonly self: NodeSelf;
  /** True while a write of this node waits for beats, or a shop is behind. */
  readonly isAwaited: () => boolean;
  /** Called when the authority cannot be reached, and with null when it is reached again. */
  readonly onReach: (failure: Error | null) => void;
  /** Called when a beat fails for another reason than an unreachable authority: the node must stop. */
  readonly onFatal: (cause: unknown) => void;
}

export class Heartbeat {
  readonly #ports: HeartbeatPorts;
  /** All runs under which this process has joined. */
  readonly #runs = new Set<string>();
  /** The current run; null before it has joined. */
  #run: string | null = null;
  #isCarriedThrough = true;
  #epoch: number | null = null;
  #rank = ALONE;
  #failure: Error | null = null;
  /** The number of beats to be sent after the short pause. */
  #soon = 0;
  #isStopped = false;
  #wake: (() => void) | null = null;

  constructor(ports: HeartbeatPorts) {
    this.#ports = ports;
  }

  /** True for a run of this process: a writer does not wait for itself. */
  isOwn(run: string): boolean {
    return this.#runs.has(run);
  }

  /** Among the nodes that share the plans, as of the last beat. */
  get rank(): Rank {
    return this.#rank;
  }

  /** Why the last beat failed; null when it did not, and before the first one. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Beats until `stop`. Never rejects. */
  async run(): Promise<void> {
    const { onReach, onFatal } = this.#ports;
    while (!this.#isStopped) {
      const before = this.#failure;
      try {
        await this.renew();
        this.#failure = null;
        if (before !== null) onReach(null);
      } catch (error) {
        this.#failure = asError(error);
        if (!(error instanceof AuthorityUnavailableError)) onFatal(error);
        else if (before === null) onReach(error);
      }
      await this.#rest();
    }
  }

  /** Another node waits for two beats of this one: sends the next one at once, and another one soon. */
  hurry(): void {
    this.#soon = BEATS_UNTIL_APPLIED;
    this.#wake?.();
  }

  /** Ends the beats and the lease. */
  stop(): void {
    this.#isStopped = true;
    this.#ports.lease.end();
    this.#wake?.();
  }

  /** Sends one beat; joins first where the process has no run. */
  async renew(): Promise<void> {
    const { authority, barrier, clock, follower, lease, meter } = this.#ports;
    if (!this.#isCarriedThrough) lease.end();
    this.#isCarriedThrough = false;
    const run = this.#run ?? (await this.#join());
    const sentAt = momentOf(clock);
    this.#soon = Math.max(0, this.#soon - 1);
    const beat = await authority.beat();
    if (beat === null) {
      // The node was taken off the list: no writer waits for this run any more, and the beat returned no
      // changes.
      lease.end();
      this.#run = null;
      this.#epoch = null;
      return;
    }
    meter.clockRead(beat.wallMs);
    if (this.#epoch !== beat.epoch) lease.end();
    barrier.see(beat.nodes);
    const changed = this.#epoch === beat.epoch ? beat.changed : null;
    // A writer may wait until this node has applied them, which its next beat shows.
    if (changed?.length !== 0) this.#soon = Math.max(1, this.#soon);
    await follower.follow({ changed }, lease.currentAt);
    if (this.#isStopped) return;
    this.#epoch = beat.epoch;
    if (lease.hasBegun && !lease.isHeld(momentOf(clock))) meter.lapses++;
    this.#rank = this.#rankIn(beat.nodes, run);
    lease.renew(sentAt);
    this.#isCarriedThrough = true;
    this.#removeSilent();
  }

  async #join(): Promise<string> {
    const run = await this.#ports.authority.join(this.#ports.self);
    this.#runs.add(run);
    this.#run = run;
    return run;
  }

  /** Of the listed nodes those share the plans whose lease may still run. */
  #rankIn(listed: readonly NodeBeat[], run: string): Rank {
    const { clock, nodes } = this.#ports;
    const live = new Set(nodes.live(clock.monotonicMs()).map((seen) => seen.run));
    const sharing = listed.map((node) => node.run).filter((other) => other === run || live.has(other));
    return rankAmong(sharing, run);
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

  /** The pause until the next beat. */
  async #rest(): Promise<void> {
    const { clock, isAwaited } = this.#ports;
    const sinceMs = clock.monotonicMs();
    const isDue = () =>
      this.#soon > 0 ||
      this.#failure !== null ||
      this.#isStopped ||
      isAwaited() ||
      clock.monotonicMs() - sinceMs >= IDLE_BEAT_MS;
    do await this.#pause(BEAT_MS);
    while (!isDue());
  }

  /** Resolves after the delay, at the stop, or when another node asks for beats. */
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
