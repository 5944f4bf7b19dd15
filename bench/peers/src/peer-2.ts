/** Peer 2: Fastify with a schema for the request, rules in plain TypeScript, the answer by `JSON.stringify`. */
import { serve } from './app.ts';
import { PlainRules } from './rule-traces.ts';
import { requestSchema } from './schemas.ts';
import { answerOf, NO_ZONE, readSituation } from './simulate.ts';

const rules = new PlainRules();

await serve({
  schema: { body: requestSchema },
  simulate(shop, request) {
    const situation = readSituation(shop, request, Date.now());
    if (situation === null) return JSON.stringify(NO_ZONE);
    const decided = situation.methods.map((considered) => ({
      ...considered,
      traces: rules.tracesOf(considered.method, situation, considered.group),
    }));
    return JSON.stringify(answerOf(shop, request, situation, decided));
  },
});
