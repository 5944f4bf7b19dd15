/**
 * `/api/simulate/batch`: up to 100 carts, all answered from one version (contract section 10). A batch is answered in one
 * turn of the event loop if it takes no longer than a single request may, otherwise by one task of a worker thread.
 */

import type { AnswerText } from '../../bytes/answer-text.ts';
import {
  SimulateBatchFrame,
  type SimulateRequest,
  simulateBatchSchema,
  simulateRequestSchema,
} from '../../domain/cart.ts';
import { invalid, type Outcome, success } from '../../domain/failure.ts';
import { answerBatch, readBatch } from '../../shop/simulation-batch.ts';
import { simulateBatchAnswer } from '../../wire/answer-schemas.ts';
import { compileSchema } from '../../wire/schema-check.ts';
import { findUnknownOfBatch, toldUnknownOfBatch } from '../../wire/unknown-field.ts';
import { answerLater, type ReadyAnswer } from '../answer.ts';
import { EXAMPLE_BATCH, EXAMPLE_BATCH_ANSWER } from '../openapi/examples.ts';
import { answerDoc, readRoute, type ShopRequest, type ShopRoute } from '../route.ts';
import { answerText, noted, readAsked, SIMULATION_QUERY, sourceOf } from './simulate.ts';

/** `itemsMax` is the operator's limit on items of one request. */
export function simulateBatchRoute(itemsMax: number): ShopRoute {
  const check = compileSchema(simulateRequestSchema(itemsMax));
  const read = (body: unknown, isStrict: boolean): readonly Outcome<SimulateRequest>[] =>
    readBatch((body as SimulateBatchFrame).requests, check, isStrict);
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
    permission: 'read',
    query: SIMULATION_QUERY,
    body: {
      schema: simulateBatchSchema(itemsMax),
      checkedSchema: SimulateBatchFrame,
      toldUnknown: toldUnknownOfBatch,
      examples: { carts: EXAMPLE_BATCH },
    },
    success: answerDoc('The answers in the order of the requests', simulateBatchAnswer, EXAMPLE_BATCH_ANSWER),
    simulationsIn: (body) => (body as SimulateBatchFrame).requests.length,
    handle: (request) => {
      const { shop, body, query } = request;
      const source = sourceOf(query);
      // A version that is not in memory is read when the answer is made, or by a worker thread.
      if (shop.costOf({ kind: 'readConfig', source }) > 0) return simulate(request);
      const prepared = inTurn(acceptedOf(read(body, false)), (cart) => {
        const placed = shop.prepare(source, cart);
        return placed instanceof Promise ? placed : null;
      });
      if (prepared === null) return simulate(request);
      return answerLater(prepared.then(() => () => simulate(request)));
    },
  });

  function simulate({
    shop,
    body,
    text,
    query,
    isTest,
    dependencies,
  }: ShopRequest<unknown>): Outcome<ReadyAnswer> {
    const { clock, heavy } = dependencies;
    const frame = body as SimulateBatchFrame;
    const at = frame.at ?? null;
    if (at !== null && query['at'] !== undefined && query['at'] !== at) {
      return invalid('/at and query parameter at are given with different values');
    }
    const asked = readAsked(query, isTest, clock, at);
    if (!asked.ok) return asked;
    const unknown = asked.value.isStrict ? findUnknownOfBatch(frame) : null;
    if (unknown !== null) return unknown;
    const requests = read(body, asked.value.isStrict);
    const textHere = (): Outcome<AnswerText> =>
      answerBatch(requests, (request) => shop.simulate(request, asked.value.nowMs, asked.value));
    const accepted = acceptedOf(requests);
    const { source, form } = asked.value;
    const costOf = (request: SimulateRequest): number => {
      const placed = shop.placed(source, request);
      return placed.ok ? shop.simulationCost(placed.value, request, form) : 0;
    };
    const readingUs = shop.costOf({ kind: 'readConfig', source });
    const costUs =
      readingUs > 0
        ? readingUs * accepted.length
        : accepted.reduce((sum, request) => sum + costOf(request), 0);
    if (typeof text !== 'string' || costUs < heavy.heavyFromUs) return answerText(textHere());
    const question = { kind: 'simulateBatch', ...asked.value, text, isChecked: true } as const;
    const answer = heavy
      .answer(shop, question)
      .then((made) => noted(shop, asked.value, made, () => accepted));
    return success({ kind: 'thread', answer });
  }
}

const acceptedOf = (requests: readonly Outcome<SimulateRequest>[]): readonly SimulateRequest[] =>
  requests.flatMap((request) => (request.ok ? [request.value] : []));

/** Runs the tasks one after the other; null if none has to wait. */
function inTurn<T>(values: readonly T[], task: (value: T) => Promise<void> | null): Promise<void> | null {
  for (const [index, value] of values.entries()) {
    const waiting = task(value);
    if (waiting !== null) return waiting.then(() => inTurn(values.slice(index + 1), task) ?? undefined);
  }
  return null;
}
