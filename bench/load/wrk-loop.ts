/** Closed loop with wrk: it costs less than the servers do, so that a core of its own is enough. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ChildProcesses } from '../process/child-processes.ts';
import type { ClosedLoopPlan, ClosedLoopResult } from './load-target.ts';

/** Each thread of wrk makes its requests once; `done` prints what `readWrkOutput` reads. */
const SCRIPT = `local requests = {}
local at = 0

function init(args)
  local headers = { ["Authorization"] = args[2], ["Content-Type"] = "application/json" }
  for body in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format(args[3], nil, headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("result %d %d %d\\n", summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/** Throws when the text is not that of a finished run. */
export function readWrkOutput(text: string): ClosedLoopResult {
  const found = /^result ([0-9]+) ([0-9]+) ([0-9]+)$/m.exec(text);
  if (found === null) throw new Error(`wrk did not finish: ${text.slice(-500)}`);
  const [requests = 0, microseconds = 0, failures = 0] = found.slice(1).map(Number);
  return { answers: requests - failures, failures, seconds: microseconds / 1e6 };
}

export async function runWrk(children: ChildProcesses, plan: ClosedLoopPlan): Promise<ClosedLoopResult> {
  const { origin, method, path, bodiesFile, authorization } = plan.target;
  const script = join(dirname(bodiesFile), 'load.lua');
  writeFileSync(script, SCRIPT);
  const wrk = children.start(
    'wrk',
    'wrk',
    [
      '-t1',
      `-c${plan.connections}`,
      `-d${Math.max(1, Math.round(plan.seconds))}s`,
      '-s',
      script,
      `${origin}${path}`,
      '--',
      bodiesFile,
      authorization,
      method,
    ],
    { role: 'load' },
  );
  if ((await wrk.ended) !== 0) throw wrk.failure(`ended early: ${wrk.stdout}`);
  return readWrkOutput(wrk.stdout);
}
