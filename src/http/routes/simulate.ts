/** `/api/simulate`: what a customer would be offered, and why (contract section 5). */
import Type from 'typebox';
import type { SimulationSource } from '../../actor/shop-access.ts';
import { SimulateAnswer } from '../../domain/answer.ts';
import { type SimulateRequest, simulateRequestSchema } from '../../domain/cart.ts';
import { ExplainedAnswer } from '../../domain/explained-answer.ts';
import { invalid } from '../../domain/failure.ts';
import { Id } from '../../domain/id.ts';
import { EXAMPLE_CART, EXAMPLE_SIMULATION } from '../examples.ts';
import { ISO_TIME_PATTERN, parseIsoTime } from '../iso-time.ts';
import type { QueryValues } from '../query-text.ts';
import { bodyRow, queryParameter, type SimulateRoute } from '../route.ts';
import { SIMULATED_VIEW } from './config-view.ts';

const AT_ACCEPTS = 'an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z (write + as %2B)';

const sourceOf = ({ view, version }: QueryValues): SimulationSource =>
  version !== undefined ? { versionId: version } : view === 'staged' ? view : 'live';

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
    version: queryParameter(Id, 'The configuration of this version'),
    explain: queryParameter(
      Type.Enum(['full'], { 'x-accepts': 'full' }),
      'Adds the steps of each price, the smallest change that would turn each refusal, and the methods that were not considered. Slower than the plain answer',
    ),
  },
  body: bodyRow({ schema: simulateRequestSchema(itemsMax), examples: { cart: EXAMPLE_CART } }),
  success: {
    status: 200,
    description: 'What would be offered, and every method and rule that was considered',
    schema: Type.Union([SimulateAnswer, ExplainedAnswer]),
    example: EXAMPLE_SIMULATION,
  },
  prepare: (shop, { value }, query) => shop.prepare(sourceOf(query), value as SimulateRequest),
  simulate: (shop, { value, text }, query, { clock }) => {
    const { at, view, version, explain } = query;
    if (view === 'staged' && version !== undefined) {
      return invalid('query parameters view=staged and version exclude each other');
    }
    const nowMs = at === undefined ? clock.nowMs() : parseIsoTime(at);
    if (nowMs === null) return invalid(`query parameter at must be ${AT_ACCEPTS}`);
    const request = value as SimulateRequest;
    const source = sourceOf(query);
    if (explain === 'full') return shop.explain(source, request, nowMs);
    return source === 'live'
      ? shop.simulate(request, nowMs, text)
      : shop.simulateFrom(source, request, nowMs);
  },
});
