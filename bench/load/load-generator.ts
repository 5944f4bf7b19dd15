/** The load generators of a run, each in a process of its own on the core for load. */
import type { LoadToolName } from '../command-line.ts';
import type { PartRun } from '../part.ts';
import { isOnPath } from '../process/executable.ts';
import { scriptPath } from '../project-paths.ts';
import type { LoadMode } from './load-process.ts';
import type { ClosedLoopPlan, ClosedLoopResult, OpenLoopPlan, OpenLoopResult } from './load-target.ts';
import { runWrk } from './wrk-loop.ts';

export const CONNECTIONS = 64;

const DESCRIPTIONS: Readonly<Record<LoadToolName, string>> = {
  wrk: 'Load: wrk. It costs less than the servers do.',
  undici:
    'Load: undici. It costs more than the servers do: on one core it is the limit, and fast servers look alike. ' +
    'The processor time per request tells them apart; with wrk on the PATH throughput does too.',
  sockets:
    'Load: raw sockets. They cost about what the fastest servers do: the processor time per request tells those apart.',
};

export class LoadGenerator {
  readonly tool: LoadToolName;
  readonly #part: PartRun;

  constructor(part: PartRun) {
    this.#part = part;
    this.tool = part.options.load ?? (isOnPath('wrk') ? 'wrk' : 'undici');
  }

  /** What a reader must know of the closed loop. */
  get description(): string {
    return DESCRIPTIONS[this.tool];
  }

  async closedLoop(plan: ClosedLoopPlan, tool: LoadToolName = this.tool): Promise<ClosedLoopResult> {
    const result =
      tool === 'wrk'
        ? await runWrk(this.#part.children, plan)
        : ((await this.#runNode(tool, plan)) as ClosedLoopResult);
    if (result.failures > 0)
      throw new Error(`${result.failures} of ${result.answers + result.failures} failed`);
    return result;
  }

  async openLoop(plan: OpenLoopPlan): Promise<OpenLoopResult> {
    const result = (await this.#runNode('open', plan)) as OpenLoopResult;
    for (const { name, failures } of result.streams) {
      if (failures > 0) throw new Error(`${failures} requests of ${name} failed`);
    }
    return result;
  }

  async #runNode(mode: LoadMode, plan: ClosedLoopPlan | OpenLoopPlan): Promise<unknown> {
    const child = this.#part.children.startNode(
      `load generator (${mode})`,
      scriptPath('load/load-process.js'),
      [mode, JSON.stringify(plan)],
      { role: 'load', hasChannel: true },
    );
    const result = await child.message();
    await child.ended;
    return result;
  }
}
