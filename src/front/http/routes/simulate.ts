/** `/api/simulate`: the rates that a customer would be offered, and why (contract section 5). */
import Type from '#typebox';
import type { AnswerText } from '../../../base/bytes/answer-text.ts';
import type { Clock } from '../../../base/runtime/clock.ts';
import { type SimulateRequest, simulateRequestSchema } from '../../../engine/domain/cart.ts';
import { invalid, type Outcome, success } from '../../../engine/domain/failure.ts';
import { ISO_TIME_ACCEPTS, ISO_TIME_PATTERN, parseIsoTime } from '../../../engine/domain/iso-time.ts';
import { VersionReference } from '../../../engine/domain/version-reference.ts';
import { type AnswerForm, RatesAnswer, SimulateAnswer } from '../../../engine/wire/answer.ts';
import { ExplainedAnswer } from '../../../engine/wire/explained-answer.ts';
import { findUnknownField, toldUnknown } from '../../../engine/wire/unknown-field.ts';
import type { SimulationView } from '../../../shop/reader/simulating-shop.ts';
import type { SimulationSource } from '../../../shop/reader/version-cache.ts';
import { answerInPool, type PoolAnswer, type TextAnswer } from '../answer.ts';
import { CartReader } from '../body/cart-reader.ts';
import { EXAMPLE_CART, EXAMPLE_SIMULATION } from '../openapi/examples.ts';
import type { QueryValues } from '../query-text.ts';
import {
  answerDoc,
  type ParameterNeeds,
  queryParameter,
  readRoute,
  type ShopRequest,
  type ShopRoute,
  withNeeds,
} from '../route.ts';
import { SIMULATED_VIEW } from './config-view.ts';

const AT_ACCEPTS = `${ISO_TIME_ACCEPTS} (write + as %2B)`;

/** A key of a checkout asks for live rates only. */
const READ_NEEDED: ParameterNeeds = { permission: 'read' };

export const SIMULATION_QUERY = {
  at: queryParameter(
    Type.String({ pattern: ISO_TIME_PATTERN, 'x-accepts': AT_ACCEPTS }),
    'The clock of time conditions; now when absent',
  ),
  view: withNeeds(SIMULATED_VIEW, { ...READ_NEEDED, butFor: 'live' }),
  version: withNeeds(queryParameter(VersionReference, 'The configuration of this version'), READ_NEEDED),
  explain: withNeeds(
    queryParameter(
      Type.Enum(['full'], { 'x-accepts': 'full' }),
      'Adds the steps of each price, the values that each condition compared, the smallest change of the request that ' +
        'would reverse each refusal, and the methods that were not considered. Slower than the plain answer',
    ),
    READ_NEEDED,
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

const sourceOf = ({ view, version }: QueryValues): SimulationSource =>
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

const answerText = (made: Outcome<AnswerText>): Outcome<TextAnswer> =>
  made.ok ? success({ kind: 'text', text: made.value }) : made;

/** The pool answers a cart of more items times methods of its zone, which would hold up the carts behind it. */
const ITEMS_TIMES_METHODS_MAX = 10_000;

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
    permission: 'simulate',
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
    handle: (request) => {
      const { shop, body: cart, query, isTest, dependencies } = request;
      const asked = readAsked(query, isTest, dependencies.clock);
      if (!asked.ok) return asked;
      const unknown = asked.value.isStrict ? findUnknownField(cart) : null;
      if (unknown !== null) return unknown;
      const { source, form } = asked.value;
      if (typeof source !== 'string' || form === 'explained') return simulateInPool(request, asked.value);
      const placed = shop.placed(source, cart);
      if (!placed.ok) return placed;
      const methods = placed.value.place?.zone.records.methods.length ?? 0;
      if (cart.items.length * methods > ITEMS_TIMES_METHODS_MAX) return simulateInPool(request, asked.value);
      return answerText(shop.simulate(cart, asked.value.nowMs, asked.value, placed));
    },
  });
}

const simulateInPool = (
  { shop, text, body: cart }: ShopRequest<SimulateRequest>,
  asked: AskedSimulation,
): Outcome<PoolAnswer> =>
  answerInPool({ kind: 'simulate', ...asked, text }, ({ answered, uses }) =>
    shop.simulatedElsewhere(answered.length === 0 ? [] : [cart], asked.nowMs, uses),
  );
