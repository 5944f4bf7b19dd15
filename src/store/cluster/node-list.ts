/**
 * The other nodes: the highest beat that was seen of each run, and when it was first seen. Lists arrive over
 * several connections and may be out of order, so a lower beat than a known one is ignored, and a run that is
 * missing from a list counts as gone only after `NODE_KEPT_MS`.
 */
import type { NodeBeat } from '../log/authority.ts';
import { LAPSE_MS, NODE_KEPT_MS } from './timing.ts';

/** A run of a node, its highest beat that was seen, and when this node first saw it, by its own clock. */
export interface SeenBeat {
  readonly run: string;
  readonly beat: number;
  readonly firstSeenMs: number;
}

export class NodeList {
  readonly #seen = new Map<string, SeenBeat>();

  /** `nowMs` must be read after the list has arrived. */
  see(nodes: readonly Pick<NodeBeat, 'run' | 'beat'>[], nowMs: number): void {
    for (const { run, beat } of nodes) {
      const known = this.#seen.get(run);
      if (known === undefined || known.beat < beat) this.#seen.set(run, { run, beat, firstSeenMs: nowMs });
    }
  }

  beatOf(run: string): SeenBeat | undefined {
    return this.#seen.get(run);
  }

  /** Nodes whose lease may still run: their highest beat was first seen less than `LAPSE_MS` ago. */
  live(nowMs: number): SeenBeat[] {
    return [...this.#seen.values()].filter(({ firstSeenMs }) => nowMs < firstSeenMs + LAPSE_MS);
  }

  /** Nodes that were silent for so long that they are removed from the list of the authority. */
  silent(nowMs: number): SeenBeat[] {
    return [...this.#seen.values()].filter(({ firstSeenMs }) => nowMs >= firstSeenMs + NODE_KEPT_MS);
  }

  forget(run: string): void {
    this.#seen.delete(run);
  }
}
