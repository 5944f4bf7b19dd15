/** Closed loop with undici, the client that Node itself ships: what a checkout written in Node would use. */
import { readFileSync } from 'node:fs';
import { type Dispatcher, Pool } from 'undici';
import type { ClosedLoopPlan, ClosedLoopResult } from './load-target.ts';
import { isSuccess } from './wire-connection.ts';

export async function runUndiciLoop({
  target,
  connections,
  seconds,
}: ClosedLoopPlan): Promise<ClosedLoopResult> {
  const pool = new Pool(`http://${target.host}:${target.port}`, { connections, pipelining: 1 });
  const bodies = readFileSync(target.bodiesFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line));
  const headers = { authorization: target.authorization, 'content-type': 'application/json' };
  let next = 0;
  let answers = 0;
  let failures = 0;
  let isOver = false;
  const send = (): void => {
    const body = bodies[next++ % bodies.length] as Buffer;
    pool.dispatch({ path: target.path, method: target.method, headers, body }, handler());
  };
  const handler = (): Dispatcher.DispatchHandler => {
    let status = 0;
    return {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData() {},
      onResponseEnd() {
        if (isOver) return;
        if (isSuccess(status)) answers++;
        else failures++;
        send();
      },
      onResponseError() {
        if (isOver) return;
        failures++;
        send();
      },
    };
  };
  const start = performance.now();
  for (let i = 0; i < connections; i++) send();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  isOver = true;
  const took = (performance.now() - start) / 1_000;
  await pool.destroy();
  return { answers, failures, seconds: took };
}
