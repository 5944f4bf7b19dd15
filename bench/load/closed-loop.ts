/** Closed loop over raw sockets: each connection sends its next request when its answer is there. */
import { type ClosedLoopPlan, type ClosedLoopResult, wireRequests } from './load-target.ts';
import { isSuccess, WireConnection } from './wire-connection.ts';

export async function runClosedLoop({
  target,
  connections,
  seconds,
}: ClosedLoopPlan): Promise<ClosedLoopResult> {
  const requests = wireRequests(target);
  let next = 0;
  let answers = 0;
  let failures = 0;
  let isOver = false;
  const nextRequest = (): Buffer => requests[next++ % requests.length] as Buffer;
  const answered = (connection: WireConnection, status: number): void => {
    if (isOver) return;
    if (isSuccess(status)) answers++;
    else failures++;
    connection.send(nextRequest());
  };
  const broken = (): void => {
    if (!isOver) failures++;
  };
  const open = await Promise.all(
    Array.from({ length: connections }, () =>
      WireConnection.open(target.host, target.port, answered, broken),
    ),
  );
  const start = performance.now();
  for (const connection of open) connection.send(nextRequest());
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  isOver = true;
  const took = (performance.now() - start) / 1_000;
  for (const connection of open) connection.close();
  return { answers, failures, seconds: took };
}
