/** Calls that set a measured server up; what is measured goes over connections of the load generators. */
import type { CallOutcome } from '../../src/front/client/call-outcome.ts';
import { createClient, type RatewrightClient } from '../../src/front/client/client.ts';
import { BENCH_KEY, HOST, type MeasuredServer } from './measured-server.ts';

/** The configuration of a large shop takes its time. */
const DEADLINE_MS = 60_000;

/** Runs `work` with a client of the server, whose connections end with it. */
export async function withClient<T>(
  server: MeasuredServer,
  work: (client: RatewrightClient) => Promise<T>,
): Promise<T> {
  const url = `http://${HOST}:${server.port}`;
  const client = createClient({ url, key: BENCH_KEY, deadlineMs: DEADLINE_MS });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The value of a call that must succeed. */
export function answered<T>(outcome: CallOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.code}: ${outcome.message.slice(0, 500)}`);
}
