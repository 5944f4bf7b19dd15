/** A load generator in a process of its own: reads its plan from the arguments and sends the result to its parent. */
import { runClosedLoop } from './closed-loop.ts';
import type { ClosedLoopPlan, OpenLoopPlan } from './load-target.ts';
import { runOpenLoop } from './open-loop.ts';
import { runUndiciLoop } from './undici-loop.ts';

export type LoadMode = 'undici' | 'sockets' | 'open';

const [mode, plan] = process.argv.slice(2) as [LoadMode, string];

function run(): Promise<unknown> {
  switch (mode) {
    case 'undici':
      return runUndiciLoop(JSON.parse(plan) as ClosedLoopPlan);
    case 'sockets':
      return runClosedLoop(JSON.parse(plan) as ClosedLoopPlan);
    case 'open':
      return runOpenLoop(JSON.parse(plan) as OpenLoopPlan);
  }
}

const result = await run();
process.send?.(result, () => process.exit(0));
