/** A load generator in a process of its own: reads its plan from the arguments and sends the result to its parent. */
import { runClosedLoop } from './closed-loop.ts';
import type { ClosedLoopPlan, OpenLoopPlan } from './load-target.ts';
import { runOpenLoop } from './open-loop.ts';
import { undiciCarrier } from './undici-carrier.ts';
import { wireCarrier } from './wire-connection.ts';

export type LoadMode = 'undici' | 'sockets' | 'open';

const [mode, plan] = process.argv.slice(2) as [LoadMode, string];

function run(): Promise<unknown> {
  if (mode === 'open') return runOpenLoop(JSON.parse(plan) as OpenLoopPlan);
  const closed = JSON.parse(plan) as ClosedLoopPlan;
  const { target, connections } = closed;
  return runClosedLoop(closed, mode === 'undici' ? undiciCarrier(target, connections) : wireCarrier(target));
}

const result = await run();
process.send?.(result, () => process.exit(0));
