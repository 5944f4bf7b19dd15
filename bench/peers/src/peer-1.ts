/** Peer 1: Fastify with schemas for request and answer, rules decided by json-rules-engine. */
import { serve } from './app.ts';
import { EngineRules } from './engine-rules.ts';
import { answerSchema, requestSchema } from './schemas.ts';
import { answerOf, NO_ZONE, readSituation } from './simulate.ts';

const rules = new EngineRules();

await serve({
  schema: { body: requestSchema, response: { 200: answerSchema } },
  async simulate(shop, request) {
    const situation = readSituation(shop, request, Date.now());
    if (situation === null) return NO_ZONE;
    return answerOf(shop, request, situation, await rules.decide(situation));
  },
});
