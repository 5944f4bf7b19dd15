/**
 * A client of a simulated cluster. It sends a write to one node, and again to others while it has lost the answer, and
 * concludes from the answers what the client of this project would.
 */
import { type Attempt, effectOfAttempt } from '../../../src/front/client/attempt.ts';
import type { ClusterWitness } from './cluster-witness.ts';
import type { ClientWrite, SimulatedNode } from './simulated-node.ts';
import type { Owner, SimulatedTime } from './simulated-time.ts';

const LOST: Attempt = {
  kind: 'failed',
  code: 'CONNECTION_LOST',
  message: 'the connection is lost',
  isSent: true,
};

export class SimulatedClients implements Owner {
  readonly name = 'clients';
  isDead = false;
  stoppedUntilMs = 0;
  readonly #time: SimulatedTime;
  readonly #witness: ClusterWitness;

  constructor(time: SimulatedTime, witness: ClusterWitness) {
    this.#time = time;
    this.#witness = witness;
  }

  /**
   * Sends the write to the first node, and to the next one each time that no answer came within `patienceMs`. Resolves
   * when the client has an answer, or no node is left.
   */
  async write(
    nodes: readonly SimulatedNode[],
    shopId: string,
    write: ClientWrite,
    patienceMs = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    let mayHaveHappened = false;
    for (const node of nodes) {
      const attempt = await this.#attempt(node.write(shopId, write), patienceMs);
      if (attempt.kind === 'answered' && attempt.status < 300) return;
      const effect = effectOfAttempt(attempt, write.tag);
      if (effect !== 'none') mayHaveHappened = effect === 'unknown';
      if (attempt.kind === 'answered' && attempt.status < 500) break;
    }
    if (!mayHaveHappened) this.#witness.refused(write.tag);
  }

  /** The connection is lost after `patienceMs`; the node works on. */
  #attempt(answer: Promise<Attempt>, patienceMs: number): Promise<Attempt> {
    if (!Number.isFinite(patienceMs)) return answer;
    return new Promise((resolve) => {
      const cancel = this.#time.after(this, patienceMs, () => resolve(LOST));
      void answer.then((answered) => {
        cancel();
        resolve(answered);
      });
    });
  }
}
