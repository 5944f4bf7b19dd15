/** `/api/simulate`: what a customer would be offered, and why (contract section 5). */
import Type from 'typebox';
import type { ShopAccess, SimulationSource } from '../../actor/shop-access.ts';
import { EXPLAINED_FACTOR } from '../../actor/work-cost.ts';
import { SimulateAnswer } from '../../domain/answer.ts';
import type { AnswerText } from '../../domain/answer-text.ts';
import { type SimulateRequest, simulateRequestSchema } from '../../domain/cart.ts';
import { ExplainedAnswer } from '../../domain/explained-answer.ts';
import { invalid, type Outcome, success } from '../../domain/failure.ts';
import { VersionReference } from '../../domain/version-reference.ts';
import type { HeavyAnswer, HeavyPort } from '../../pool/heavy-work.ts';
import type { Clock } from '../../runtime/clock.ts';
import { CartReader } from '../cart-reader.ts';
import { EXAMPLE_CART, EXAMPLE_SIMULATION } from '../examples.ts';
import { ISO_TIME_PATTERN, parseIsoTime } from '../iso-time.ts';
import { ownBytes } from '../output.ts';
import type { QueryValues } from '../query-text.ts';
import { type BodyRow, bodyRow, queryParameter, type SimulateRoute } from '../route.ts';
import { SIMULATED_VIEW } from './config-view.ts';

const sourceOf = ({ view, version }: QueryValues): SimulationSource =>
  version !== undefined ? { versionId: version } : view === 'staged' ? view : 'live';

/** Estimated microseconds of the simulation. */
function costOf(
  shop: ShopAccess,
  request: SimulateRequest,
  source: SimulationSource,
  isExplained: boolean,
  { fromMicroseconds }: Pick<HeavyPort, 'fromMicroseconds'>,
): number {
  const plainUs = shop.simulationCost(source, request, fromMicroseconds);
  return isExplained ? EXPLAINED_FACTOR * plainUs : plainUs;
}

const AT_ACCEPTS = 'an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z (write + as %2B)';

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
  description: 'Unknown fields are ignored and null counts as absent. Nothing is stored.',
  permission: 'read',
  query: {
    at: queryParameter(
      Type.String({ pattern: ISO_TIME_PATTERN, 'x-accepts': AT_ACCEPTS }),
      'The clock of time conditions; now when absent',
    ),
    view: SIMULATED_VIEW,
    version: queryParameter(VersionReference, 'The configuration of this version'),
    explain: queryParameter(
      Type.Enum(['full'], { 'x-accepts': 'full' }),
      'Adds the steps of each price, the smallest change that would turn each refusal, and the methods that were not considered. Slower than the plain answer',
    ),
  },
  body: simulateBody(itemsMax),
  success: {
    status: 200,
    description: 'What would be offered, and every method and rule that was considered',
    schema: Type.Union([SimulateAnswer, ExplainedAnswer]),
    example: EXAMPLE_SIMULATION,
  },
  answerUnread: (shop, { bytes, text }, query, { clock, heavy }) => {
    if (typeof text !== 'string' || !heavy.isHeavy(shop.costOf({ kind: 'unreadSimulation', bytes })))
      return null;
    const asked = readAsked(query, clock);
    if (!asked.ok) return null;
    const question = questionOf(asked.value, text, false);
    return heavy.answerUnread(shop, question).then((answer) => noted(shop, question, answer));
  },
  prepare: (shop, { value, text }, query, { heavy }) => {
    const source = sourceOf(query);
    const request = value as SimulateRequest;
    const isExplained = query['explain'] === 'full';
    const isElsewhere = (): boolean =>
      text !== null && heavy.isHeavy(costOf(shop, request, source, isExplained, heavy));
    return shop.prepare(source, request, isElsewhere)?.() ?? null;
  },
  simulate: (shop, { value, text }, query, { clock, heavy }) => {
    const asked = readAsked(query, clock);
    if (!asked.ok) return asked;
    const { source, isExplained } = asked.value;
    const request = value as SimulateRequest;
    if (text === null) return simulateHere(shop, request, asked.value, text);
    if (!heavy.isHeavy(costOf(shop, request, source, isExplained, heavy))) {
      return simulateHere(shop, request, asked.value, text);
    }
    const question = questionOf(asked.value, text, true);
    const answerHere = (): Outcome<Uint8Array> => {
      const made = simulateHere(shop, request, asked.value, text);
      return made.ok ? success(ownBytes(made.value)) : made;
    };
    return heavy.answer(shop, question, answerHere).then((answer) => noted(shop, question, answer));
  },
});

interface Asked {
  readonly source: SimulationSource;
  readonly nowMs: number;
  readonly isExplained: boolean;
}

function readAsked({ at, view, version, explain }: QueryValues, clock: Clock): Outcome<Asked> {
  if (view === 'staged' && version !== undefined) {
    return invalid('query parameters view=staged and version exclude each other');
  }
  const nowMs = at === undefined ? clock.nowMs() : parseIsoTime(at);
  if (nowMs === null) return invalid(`query parameter at must be ${AT_ACCEPTS}`);
  return success({ source: sourceOf({ view, version }), nowMs, isExplained: explain === 'full' });
}

function simulateHere(
  shop: ShopAccess,
  request: SimulateRequest,
  { source, nowMs, isExplained }: Asked,
  text: string | null,
): Outcome<AnswerText> {
  if (isExplained) {
    const explained = shop.explain(source, request, nowMs, text);
    return explained.ok ? success([explained.value]) : explained;
  }
  return source === 'live' ? shop.simulate(request, nowMs, text) : shop.simulateFrom(source, request, nowMs);
}

const questionOf = (asked: Asked, text: string, isChecked: boolean) => ({
  kind: 'simulate' as const,
  ...asked,
  text,
  isChecked,
  isWatched: asked.source === 'live',
});

/** What was answered in another thread counts, and is watched, like what is answered here. */
function noted<T extends HeavyAnswer | null>(
  shop: ShopAccess,
  { isWatched, text, nowMs }: ReturnType<typeof questionOf>,
  answer: T,
): T {
  if (!answer?.isElsewhere || !answer.outcome.ok) return answer;
  // Rules may read other parts of a request by now: then all of it is looked at again.
  const kept = answer.keptAt === shop.sequenceNumber ? answer.kept : undefined;
  if (!isWatched) shop.simulatedElsewhere(null, nowMs, false);
  else shop.simulatedElsewhere(kept ?? text, nowMs, kept !== undefined);
  return answer;
}
