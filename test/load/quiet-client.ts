/**
 * A client with few requests, in a separate process. In the process of the loud client its answers would wait while
 * megabytes of other answers are read, and the measurement would be of the client.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot } from '../house/project-files.ts';

export interface QuietPlan {
  readonly port: number;
  readonly key: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

/** The part of `FloodResult` that is sent between processes; latencies are those of accepted requests. */
export interface QuietResult {
  readonly sent: number;
  readonly accepted: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly refused: number;
  readonly broken: number;
  readonly others: readonly (readonly [status: number, count: number])[];
  readonly text: string;
}

export class QuietClient {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  /** Starts the process, which ends with the test. */
  constructor(context: TestContext) {
    this.#process = fork(join(projectRoot, 'dist/test/load/quiet-process.js'));
    this.#ended = once(this.#process, 'exit').then(() => {
      throw new Error('the quiet client ended early');
    });
    // It may end after the test.
    this.#ended.catch(() => {});
    context.after(() => this.#process.kill());
  }

  /** Rejects when the process ends before it has an answer. */
  async run(plan: QuietPlan): Promise<QuietResult> {
    this.#process.send(plan);
    const [result] = (await Promise.race([once(this.#process, 'message'), this.#ended])) as [QuietResult];
    return result;
  }
}
