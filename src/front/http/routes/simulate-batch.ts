/** `/api/simulate/batch`: up to 100 carts, all answered from one version (contract section 10). */
import {
  SimulateBatchFrame,
  type SimulateRequest,
  simulateBatchSchema,
} from '../../../engine/domain/cart.ts';
import { invalid } from '../../../engine/domain/failure.ts';
import { simulateBatchAnswer } from '../../../engine/wire/answer-schemas.ts';
import { findUnknownOfBatch, toldUnknownOfBatch } from '../../../engine/wire/unknown-field.ts';
import { answerInPool } from '../answer.ts';
import { EXAMPLE_BATCH, EXAMPLE_BATCH_ANSWER } from '../openapi/examples.ts';
import { answerDoc, readRoute, type ShopRoute } from '../route.ts';
import { readAsked, SIMULATION_QUERY } from './simulate.ts';

/** `itemsMax` is the operator's limit on items of one request. */
export function simulateBatchRoute(itemsMax: number): ShopRoute {
  return readRoute({
    counts: 'simulations',
    takesSource: true,
    name: 'simulateBatch',
    verb: 'POST',
    paths: ['/api/simulate/batch'],
    tag: 'Simulation',
    summary: 'Rates for up to 100 carts from one version',
    description:
      'Each request is answered as `/api/simulate` answers it, or with its error, and counts as a simulation. After ' +
      '32 MiB of answers the remaining ones are errors: send fewer carts, or use `fields=rates`.',
    permission: 'simulate',
    query: SIMULATION_QUERY,
    body: {
      schema: simulateBatchSchema(itemsMax),
      checkedSchema: SimulateBatchFrame,
      toldUnknown: toldUnknownOfBatch,
      examples: { carts: EXAMPLE_BATCH },
    },
    success: answerDoc('The answers in the order of the requests', simulateBatchAnswer, EXAMPLE_BATCH_ANSWER),
    simulationsIn: (body) => (body as SimulateBatchFrame).requests.length,
    handle: ({ shop, body, text, query, isTest, dependencies }) => {
      const frame = body as SimulateBatchFrame;
      const at = frame.at ?? null;
      if (at !== null && query['at'] !== undefined && query['at'] !== at) {
        return invalid('/at and query parameter at are given with different values');
      }
      const asked = readAsked(query, isTest, dependencies.clock, at);
      if (!asked.ok) return asked;
      const unknown = asked.value.isStrict ? findUnknownOfBatch(frame) : null;
      if (unknown !== null) return unknown;
      const { nowMs } = asked.value;
      return answerInPool({ kind: 'simulateBatch', ...asked.value, text }, ({ answered, uses }) => {
        // Type-safe: the thread has checked the carts that it answered.
        const carts = answered.map((index) => frame.requests[index] as SimulateRequest);
        shop.simulatedElsewhere(carts, nowMs, uses);
      });
    },
  });
}
