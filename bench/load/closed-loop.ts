/** Closed loop: each connection sends its next request when its answer is there. */
import type { Answered, Carrier, ClosedLoopPlan, ClosedLoopResult } from './load-target.ts';
import { isSuccess } from './wire-connection.ts';

export async function runClosedLoop(
  { connections, seconds }: Omit<ClosedLoopPlan, 'target'>,
  { requests, open }: Carrier,
): Promise<ClosedLoopResult> {
  let next = 0;
  let answers = 0;
  let failures = 0;
  let isOver = false;
  const nextRequest = (): Buffer => requests[next++ % requests.length] as Buffer;
  const answered: Answered = (connection, status) => {
    if (isOver) return;
    if (isSuccess(status)) answers++;
    else failures++;
    connection.send(nextRequest());
  };
  const broken = (): void => {
    if (!isOver) failures++;
  };
  const opened = await Promise.all(Array.from({ length: connections }, () => open(answered, broken)));
  const start = performance.now();
  for (const connection of opened) connection.send(nextRequest());
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  isOver = true;
  const took = (performance.now() - start) / 1_000;
  for (const connection of opened) connection.close();
  return { answers, failures, seconds: took };
}
