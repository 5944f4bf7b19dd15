/** `/api/simulate`: what a customer would be offered, and why (contract section 5). */
import Type from '#typebox';
import { type SimulateRequest, simulateRequestSchema } from '../../domain/cart.ts';
import { type Outcome, success } from '../../domain/failure.ts';
import type { ShopAccess } from '../../shop/shop-access.ts';
import { RatesAnswer, SimulateAnswer } from '../../wire/answer.ts';
import { ExplainedAnswer } from '../../wire/explained-answer.ts';
import { findUnknownField } from '../../wire/unknown-field.ts';
import type { HeavyAnswer } from '../../worker/heavy-work.ts';
import { answerLater, answerText, type ReadyAnswer } from '../answer.ts';
import { CartReader } from '../body/cart-reader.ts';
import { EXAMPLE_CART, EXAMPLE_SIMULATION } from '../openapi/examples.ts';
import { type BodyRow, bodyRow, type ShopRequest, type SimulateRoute } from '../route.ts';
import {
  type AskedSimulation,
  bytesOf,
  formOf,
  readAsked,
  SIMULATION_QUERY,
  sourceOf,
} from './asked-simulation.ts';

function simulateBody(itemsMax: number): BodyRow {
  const reader = new CartReader(itemsMax);
  return bodyRow({
    schema: simulateRequestSchema(itemsMax),
    examples: { cart: EXAMPLE_CART },
    read: (bytes, text) => reader.read(bytes, text),
  });
}

/** `itemsMax` is the operator's limit on items of one request. */
export const simulateRoute = (itemsMax: number): SimulateRoute => ({
  kind: 'simulate',
  name: 'simulate',
  verb: 'POST',
  paths: ['/api/simulate', '/simulate'],
  tag: 'Simulation',
  summary: 'Rates for a destination and a cart, with the trace of every rule',
  description:
    'Unknown fields are ignored, unless `strict` is true, and null counts as absent. Nothing is stored.',
  permission: 'read',
  query: SIMULATION_QUERY,
  body: simulateBody(itemsMax),
  success: {
    status: 200,
    description: 'What would be offered, and every method and rule that was considered',
    schema: Type.Union([SimulateAnswer, ExplainedAnswer, RatesAnswer]),
    example: EXAMPLE_SIMULATION,
  },
  answerUnread: (shop, text, query, { clock, heavy }) => {
    if (!heavy.isHeavy(shop.costOf({ kind: 'unreadSimulation', bytes: text.length }))) return null;
    const asked = readAsked(query, clock);
    if (!asked.ok) return null;
    const question = questionOf(asked.value, text, false);
    return heavy.answerUnread(shop, question).then((answer) => noted(shop, question, answer));
  },
  handle: (request) => {
    const { shop, body, query, isThreadTried, dependencies } = request;
    const { heavy } = dependencies;
    const source = sourceOf(query);
    const cart = body as SimulateRequest;
    const work = { kind: 'simulate', source, form: formOf(query), request: cart } as const;
    // A worker thread reads and compiles an earlier version itself.
    const isElsewhere = typeof source !== 'string' && !isThreadTried && heavy.isHeavy(shop.costOf(work));
    const prepared = isElsewhere ? null : shop.prepare(source, cart);
    if (prepared === null) return simulate(request);
    return answerLater(prepared.then(() => () => simulate(request)));
  },
});

function simulate({
  shop,
  body,
  text,
  query,
  isThreadTried,
  dependencies,
}: ShopRequest<unknown>): Outcome<ReadyAnswer> {
  const { clock, heavy } = dependencies;
  const asked = readAsked(query, clock);
  if (!asked.ok) return asked;
  const request = body as SimulateRequest;
  const unknown = asked.value.isStrict ? findUnknownField(request) : null;
  if (unknown !== null) return unknown;
  // A body of this route comes as text, long or short.
  const cartText = typeof text === 'string' ? text : null;
  const { source, form, nowMs } = asked.value;
  const textHere = () => shop.simulate(request, nowMs, asked.value, cartText);
  const isHere = cartText === null || isThreadTried;
  if (isHere || !heavy.isHeavy(shop.costOf({ kind: 'simulate', source, form, request }))) {
    return answerText(textHere());
  }
  const question = questionOf(asked.value, cartText, true);
  const answerHere = () => bytesOf(textHere());
  const answer = heavy.answer(shop, question, answerHere).then((made) => noted(shop, question, made));
  return success({ kind: 'thread', answer });
}

const questionOf = (asked: AskedSimulation, text: string, isChecked: boolean) => ({
  kind: 'simulate' as const,
  ...asked,
  text,
  isChecked,
  isWatched: asked.source === 'live',
});

/** Records an answer of another thread in counters and shadow results, like an answer of this thread. */
function noted<T extends HeavyAnswer | null>(
  shop: ShopAccess,
  { isWatched, text, nowMs }: ReturnType<typeof questionOf>,
  answer: T,
): T {
  if (!answer?.isFromThread || !answer.outcome.ok) return answer;
  if (answer.uses !== undefined) shop.usedElsewhere(answer.uses);
  // Rules may read other parts of a request by now: then all of it is looked at again.
  const kept = answer.keptAt === shop.sequenceNumber ? answer.kept : undefined;
  if (!isWatched) shop.simulatedElsewhere(null, nowMs, false);
  else shop.simulatedElsewhere(kept ?? text, nowMs, kept !== undefined);
  return answer;
}
