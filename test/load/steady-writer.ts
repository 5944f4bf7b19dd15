/** A writer that continues after refusals until it is stopped, and records the answers. */
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WriteLedger } from '../fault/write-ledger.ts';
import type { Reply, ServerProcess } from '../support/server-process.ts';

export class SteadyWriter {
  readonly ledger = new WriteLedger();
  /** One of the refusals, for inspection. */
  refusal: Reply | null = null;
  #isOver = false;
  readonly #done: Promise<void>;

  /** Makes groups, `pauseMs` apart, until the end of the test at the latest. */
  constructor(context: TestContext, server: ServerProcess, prefix: string, pauseMs: number) {
    this.#done = this.#run(server, prefix, pauseMs);
    context.after(() => this.stop());
  }

  /** Resolves after the last answer. */
  stop(): Promise<void> {
    this.#isOver = true;
    return this.#done;
  }

  async #run(server: ServerProcess, prefix: string, pauseMs: number): Promise<void> {
    const { ledger } = this;
    for (let index = 0; !this.#isOver; index++) {
      const name = `${prefix}-${index}`;
      const reply = await server.call('/api/groups', { body: { name, skus: [name] } }).catch(() => null);
      if (reply?.status === 201) ledger.accepted.push(name);
      else if (reply === null || reply.status === 500) ledger.unknown.push(name);
      else {
        ledger.refused.push(name);
        this.refusal = reply;
      }
      await wait(pauseMs);
    }
  }
}
