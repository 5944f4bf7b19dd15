/** `/api/simulate`: the rates that a customer would be offered, and why (contract section 5). */
import Type from '#typebox';
import type { AnswerText } from '../../bytes/answer-text.ts';
import { type SimulateRequest, simulateRequestSchema } from '../../domain/cart.ts';
import { invalid, type Outcome, success } from '../../domain/failure.ts';
import { ISO_TIME_ACCEPTS, ISO_TIME_PATTERN, parseIsoTime } from '../../domain/iso-time.ts';
import { VersionReference } from '../../domain/version-reference.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ShopAccess } from '../../shop/shop-access.ts';
import { isCounted, type PlacedCart, type SimulationView } from '../../shop/simulating-shop.ts';
import type { SimulationSource } from '../../shop/version-cache.ts';
import { type AnswerForm, RatesAnswer, SimulateAnswer } from '../../wire/answer.ts';
import { ExplainedAnswer } from '../../wire/explained-answer.ts';
import { findUnknownField, toldUnknown } from '../../wire/unknown-field.ts';
import type { HeavyAnswer } from '../../worker/heavy-work.ts';
import { answerLater, type ReadyAnswer, type TextAnswer, type ThreadAnswer } from '../answer.ts';
import { CartReader } from '../body/cart-reader.ts';
import { EXAMPLE_CART, EXAMPLE_SIMULATION } from '../openapi/examples.ts';
import type { QueryValues } from '../query-text.ts';
import { answerDoc, queryParameter, readRoute, type ShopRequest, type ShopRoute } from '../route.ts';
import { SIMULATED_VIEW } from './config-view.ts';

const AT_ACCEPTS = `${ISO_TIME_ACCEPTS} (write + as %2B)`;

export const SIMULATION_QUERY = {
  at: queryParameter(
    Type.String({ pattern: ISO_TIME_PATTERN, 'x-accepts': AT_ACCEPTS }),
    'The clock of time conditions; now when absent',
  ),
  view: SIMULATED_VIEW,
  version: queryParameter(VersionReference, 'The configuration of this version'),
  explain: queryParameter(
    Type.Enum(['full'], { 'x-accepts': 'full' }),
    'Adds the steps of each price, the values that each condition compared, the smallest change of the request that ' +
      'would reverse each refusal, and the methods that were not considered. Slower than the plain answer',
  ),
  fields: queryParameter(
    Type.Enum(['rates'], { 'x-accepts': 'rates' }),
    'Answers the rates alone, which is faster; not together with explain',
  ),
  strict: queryParameter(
    Type.Enum(['true', 'false'], { 'x-accepts': 'true or false' }),
    'Refuse an unknown field instead of ignoring it (false)',
    Type.Boolean(),
  ),
};

interface AskedSimulation extends SimulationView {
  /** The clock of time conditions, ms since the epoch. */
  readonly nowMs: number;
  readonly isStrict: boolean;
  readonly isTest: boolean;
}

export const sourceOf = ({ view, version }: QueryValues): SimulationSource =>
  version !== undefined ? { versionId: version } : view === 'staged' ? view : 'live';

const formOf = ({ explain, fields }: QueryValues): AnswerForm =>
  explain === 'full' ? 'explained' : fields === 'rates' ? fields : 'all';

/** `bodyAt` is the `at` of the body, which replaces that of the query. */
export function readAsked(
  query: QueryValues,
  isTest: boolean,
  clock: Clock,
  bodyAt: string | null = null,
): Outcome<AskedSimulation> {
  const { view, version, explain, fields, strict } = query;
  if (view === 'staged' && version !== undefined) {
    return invalid('query parameters view=staged and version exclude each other');
  }
  if (explain !== undefined && fields !== undefined) {
    return invalid('query parameters fields and explain exclude each other');
  }
  const at = bodyAt ?? query['at'];
  const nowMs = at === undefined ? clock.nowMs() : parseIsoTime(at);
  if (nowMs === null) {
    return invalid(
      bodyAt === null ? `query parameter at must be ${AT_ACCEPTS}` : `/at must be ${ISO_TIME_ACCEPTS}`,
    );
  }
  const asked = { source: sourceOf(query), form: formOf(query), isTest, nowMs, isStrict: strict === 'true' };
  return success(asked);
}

export const answerText = (made: Outcome<AnswerText>): Outcome<TextAnswer> =>
  made.ok ? success({ kind: 'text', text: made.value }) : made;

/** `itemsMax` is the operator's limit on items of one request. */
export function simulateRoute(itemsMax: number): ShopRoute {
  const reader = new CartReader(itemsMax);
  return readRoute({
    counts: 'simulations',
    takesSource: true,
    name: 'simulate',
    verb: 'POST',
    paths: ['/api/simulate', '/simulate'],
    tag: 'Simulation',
    summary: 'Rates for a destination and a cart, with the trace of every rule',
    description:
      'Unknown fields are ignored, unless `strict` is true; the header `X-Unknown-Fields` names them. Null counts as ' +
      'absent. Nothing is stored.',
    permission: 'read',
    query: SIMULATION_QUERY,
    body: {
      schema: simulateRequestSchema(itemsMax),
      examples: { cart: EXAMPLE_CART },
      read: (bytes, text) => reader.read(bytes, text),
      toldUnknown,
    },
    success: answerDoc(
      'The rates, and every method and rule that was considered',
      Type.Union([SimulateAnswer, ExplainedAnswer, RatesAnswer]),
      EXAMPLE_SIMULATION,
    ),
    answerUnread: (shop, text, query, isTest, { clock, heavy }) => {
      const costUs = shop.costOf({ kind: 'unreadSimulation', bytes: text.length });
      if (costUs < heavy.heavyFromUs) return null;
      const asked = readAsked(query, isTest, clock);
      if (!asked.ok) return null;
      const question = questionOf(asked.value, text, false);
      return heavy
        .answerUnread(shop, question)
        .then((answer) => noted(shop, asked.value, answer, () => [JSON.parse(text) as SimulateRequest]));
    },
    handle: (request) => {
      const { shop, body: cart, query, isTest, dependencies } = request;
      const asked = readAsked(query, isTest, dependencies.clock);
      if (!asked.ok) return asked;
      const unknown = asked.value.isStrict ? findUnknownField(cart) : null;
      if (unknown !== null) return unknown;
      const { source } = asked.value;
      if (typeof source !== 'string') {
        // A worker thread reads and compiles an earlier version itself.
        const readingUs = shop.costOf({ kind: 'readConfig', source });
        if (readingUs >= dependencies.heavy.heavyFromUs) return success(inThread(request, asked.value));
      }
      const placed = shop.prepare(source, cart);
      if (!(placed instanceof Promise)) return simulate(request, asked.value, placed);
      return answerLater(placed.then(() => () => simulate(request, asked.value, shop.placed(source, cart))));
    },
  });
}

function simulate(
  asking: ShopRequest<SimulateRequest>,
  asked: AskedSimulation,
  placed: Outcome<PlacedCart>,
): Outcome<ReadyAnswer> {
  const { shop, body: cart, dependencies } = asking;
  if (!placed.ok) return placed;
  const { form, nowMs } = asked;
  const costUs = shop.simulationCost(placed.value, cart, form);
  if (costUs >= dependencies.heavy.heavyFromUs) return success(inThread(asking, asked));
  return answerText(shop.simulate(cart, nowMs, asked, placed));
}

function inThread(
  { shop, body: cart, text, dependencies }: ShopRequest<SimulateRequest>,
  asked: AskedSimulation,
): ThreadAnswer {
  // Bodies of this route are strings, whatever their length.
  const question = questionOf(asked, text as string, true);
  const answer = dependencies.heavy
    .answer(shop, question)
    .then((made) => noted(shop, asked, made, () => [cart]));
  return { kind: 'thread', answer };
}

const questionOf = (asked: AskedSimulation, text: string, isChecked: boolean) => ({
  kind: 'simulate' as const,
  ...asked,
  text,
  isChecked,
});

/** Records an answer of another thread to `carts` in counters and results, like an answer of this thread. */
export function noted<T extends HeavyAnswer | null>(
  shop: ShopAccess,
  asked: AskedSimulation,
  answer: T,
  carts: () => readonly SimulateRequest[],
): T {
  if (answer?.outcome.ok !== true) return answer;
  if (answer.uses !== undefined) shop.usedElsewhere(answer.uses);
  const isWatched = isCounted(asked);
  for (const cart of carts()) shop.simulatedElsewhere(isWatched ? cart : null, asked.nowMs);
  return answer;
}
