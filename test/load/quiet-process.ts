/** The process of a `QuietClient`: each message is a plan, and its result is sent back. */
import { runFlood } from './flood.ts';
import { cartRequests } from './load-stage.ts';
import type { QuietPlan, QuietResult } from './quiet-client.ts';

const ITEMS = 3;

process.on('message', async ({ key, ...plan }: QuietPlan) => {
  const requests = cartRequests(key, ITEMS, false);
  const { sent, accepted, refused, broken, others, text } = await runFlood({ ...plan, requests });
  const result: QuietResult = {
    sent,
    accepted: accepted.count,
    p50Us: accepted.quantileUs(0.5),
    p99Us: accepted.quantileUs(0.99),
    refused: refused.count,
    broken,
    others: [...others],
    text,
  };
  process.send?.(result);
});
