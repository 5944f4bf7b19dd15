/** `/api/versions`: the history of the configuration, compared and rolled back (contract section 6). */
import Type from '#typebox';
import { invalid, type Outcome } from '../../../engine/domain/failure.ts';
import { ISO_TIME_ACCEPTS, parseIsoTime } from '../../../engine/domain/iso-time.ts';
import { LIVE_VERSION, VersionReference } from '../../../engine/domain/version-reference.ts';
import { versionActionAnswer, versionAnswer, versionsAnswer } from '../../../engine/wire/answer-schemas.ts';
import type { BisectVersions } from '../../../engine/wire/bisect.ts';
import { versionRowView, versionView } from '../../../engine/wire/record-view.ts';
import { versionActionSchema } from '../../../engine/wire/write-bodies.ts';
import { answerInPool, answerValue, type PoolAnswer, planWrite } from '../answer.ts';
import { shownCarts } from '../live-traffic.ts';
import {
  EXAMPLE_CART,
  EXAMPLE_ROLLED_BACK,
  EXAMPLE_VERSION,
  EXAMPLE_VERSION_DETAIL,
} from '../openapi/examples.ts';
import { answerDoc, queryParameter, type Route, readRoute, type ShopRequest, writeRoute } from '../route.ts';
import { limitParameter } from './record-list.ts';

const tag = 'Versions';

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;

function bisect({ shop, dependencies }: ShopRequest<unknown>, body: BisectVersions): Outcome<PoolAnswer> {
  const { at, from, to, serviceCode = null } = body;
  const nowMs = at === undefined ? dependencies.clock.nowMs() : parseIsoTime(at);
  if (nowMs === null) return invalid(`/at must be ${ISO_TIME_ACCEPTS}`);
  const cart = { request: body.request, nowMs, serviceCode };
  const first = from === undefined ? null : shop.history.idOf(from);
  const last = shop.history.idOf(to ?? LIVE_VERSION);
  return answerInPool({ kind: 'bisect', cart, from: first, to: last });
}

/** `itemsMax` is the operator's limit on items of a cart. */
export const versionRoutes = (itemsMax: number): readonly Route[] => [
  readRoute({
    name: 'listVersions',
    verb: 'GET',
    paths: ['/api/versions'],
    tag,
    summary: 'Versions, newest first',
    description:
      'Consecutive versions with the same batch id are one row, the newest of them, unless `includeBatched` is true. ' +
      'Versions older than the history of the plan are removed, except the one that was in force when it begins.',
    permission: 'read',
    query: {
      limit: limitParameter(LIMIT_MAX, `Rows of the page (${LIMIT_DEFAULT})`),
      cursor: queryParameter(VersionReference, 'A version: the page continues with older ones'),
      includeBatched: queryParameter(
        Type.Enum(['true', 'false'], { 'x-accepts': 'true or false' }),
        'List every version of a batch as a row (false)',
        Type.Boolean(),
      ),
    },
    success: answerDoc('One page of versions', versionsAnswer, {
      versions: [EXAMPLE_VERSION],
      nextCursor: null,
    }),
    handle: ({ shop, query }) => {
      const page = shop.history.list({
        limit: query['limit'] === undefined ? LIMIT_DEFAULT : Number(query['limit']),
        cursor: query['cursor'] ?? null,
        includeBatched: query['includeBatched'] === 'true',
      });
      if (!page.ok) return page;
      const { versions, nextCursor } = page.value;
      const { keys } = shop.state;
      return answerValue({ versions: versions.map((row) => versionRowView(row, keys)), nextCursor });
    },
  }),
  readRoute({
    name: 'getVersion',
    verb: 'GET',
    paths: ['/api/versions/:id'],
    tag,
    summary: 'One version, what it changed, and the configuration as it was',
    description:
      'The path takes the id of the version, its number in decimal, or `live` for the current version.',
    permission: 'read',
    target: 'version',
    success: answerDoc('The version', versionAnswer, { version: EXAMPLE_VERSION_DETAIL }),
    handle: ({ id }) => answerInPool({ kind: 'readVersion', versionId: id }),
  }),
  writeRoute({
    name: 'changeVersion',
    verb: 'POST',
    paths: ['/api/versions'],
    tag,
    summary: 'Compare two versions, roll back to one, or find those that changed a price',
    description:
      'Compare answers the changes from version A to version B and, with `effects`, which carts they change. Rollback restores the configuration of a version ' +
      'as a new version and keeps the later ones; it is refused while a changeset is active. A version is named by ' +
      'its id, its number in decimal, or `live` for the current one; compare also takes `staged`, the active changeset. ' +
      'Bisect answers every version from `from` (the oldest that is kept) to `to` (live) at which the rates of a cart ' +
      'changed, or the price of one service, at most 100.',
    permission: 'read',
    permissionByAction: { compare: 'read', rollback: 'write', bisect: 'read' },
    mayNotFind: true,
    body: {
      schema: versionActionSchema(itemsMax),
      examples: {
        compare: { action: 'compare', versionA: EXAMPLE_VERSION.id, versionB: EXAMPLE_VERSION.id },
        rollback: { action: 'rollback', targetVersionId: EXAMPLE_VERSION.id },
        bisect: { action: 'bisect', request: EXAMPLE_CART },
      },
    },
    success: answerDoc(
      'The differences (compare), the new version (rollback), or the versions that changed the answer (bisect)',
      versionActionAnswer,
      EXAMPLE_ROLLED_BACK,
    ),
    handle: (request) => {
      const { shop, body } = request;
      if (body.action === 'rollback') {
        const targetVersionId = shop.history.idOf(body.targetVersionId);
        return planWrite(
          { kind: 'rollback', targetVersionId },
          'rolledBack',
          ({ version, summary }, { keys }) => ({ version: versionView(version, keys), summary }),
        );
      }
      if (body.action === 'bisect') return bisect(request, body);
      const versionA = shop.history.idOf(body.versionA);
      const versionB = shop.history.idOf(body.versionB);
      const effectsAtMs = body.effects === true ? request.dependencies.clock.nowMs() : null;
      const carts = effectsAtMs === null ? [] : shownCarts(request);
      return answerInPool({ kind: 'compare', versionA, versionB, effectsAtMs, carts });
    },
  }),
];
