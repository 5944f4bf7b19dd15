/** `/api/simulate/sweep`: the price curve of a cart (contract section 10.4). */
import { invalid, type Outcome } from '../../../engine/domain/failure.ts';
import { ISO_TIME_ACCEPTS, parseIsoTime } from '../../../engine/domain/iso-time.ts';
import { VersionReference } from '../../../engine/domain/version-reference.ts';
import { PriceCurve, type Sweep, sweepSchema } from '../../../engine/wire/price-curve.ts';
import { answerInPool, type PoolAnswer } from '../answer.ts';
import { EXAMPLE_CART } from '../openapi/examples.ts';
import { EXAMPLE_CURVE } from '../openapi/read-examples.ts';
import { answerDoc, queryParameter, type Route, readRoute, type ShopRequest } from '../route.ts';
import { SIMULATED_VIEW } from './config-view.ts';

function sweep({ shop, body, query, dependencies }: ShopRequest<Sweep>): Outcome<PoolAnswer> {
  const { request, at, vary, itemIndex, from, to } = body;
  const ofBody = {
    view: body.view,
    version: body.version === undefined ? undefined : shop.history.idOf(body.version),
  };
  const twice = (['view', 'version'] as const).find(
    (name) => ofBody[name] !== undefined && query[name] !== undefined && ofBody[name] !== query[name],
  );
  if (twice !== undefined)
    return invalid(`/${twice} and query parameter ${twice} are given with different values`);
  const view = ofBody.view ?? query['view'];
  const versionId = ofBody.version ?? query['version'];
  if (view === 'staged' && versionId !== undefined)
    return invalid('view=staged and version exclude each other');
  const nowMs = at === undefined ? dependencies.clock.nowMs() : parseIsoTime(at);
  if (nowMs === null) return invalid(`/at must be ${ISO_TIME_ACCEPTS}`);
  const source = versionId !== undefined ? { versionId } : view === 'staged' ? view : 'live';
  const sweeping = { request, nowMs, vary, itemIndex, from, to };
  return answerInPool({ kind: 'sweep', source, sweeping });
}

/** `itemsMax` is the operator's limit on items of one request. */
export const sweepRoute = (itemsMax: number): Route =>
  readRoute({
    name: 'sweep',
    verb: 'POST',
    paths: ['/api/simulate/sweep'],
    tag: 'Simulation',
    summary: 'The rates of a cart while its total, its weight or a quantity varies',
    description:
      'The total or weight varies with the unit price or unit weight of one item: a value that no whole unit price or ' +
      'weight reaches has the rates of the nearest one below it. Counts as one request of the key and as no simulation. `view` and ' +
      '`version` stand in the body or in the query, or in both with one value.',
    permission: 'read',
    mayNotFind: true,
    query: {
      view: SIMULATED_VIEW,
      version: queryParameter(VersionReference, 'The configuration of this version'),
    },
    body: {
      schema: sweepSchema(itemsMax),
      examples: { total: { request: EXAMPLE_CART, vary: 'cart_total', from: 0, to: 20_000 } },
    },
    success: answerDoc('The segments of the curve', PriceCurve, EXAMPLE_CURVE),
    handle: sweep,
  });
