/** `/operator/...`: shops as a whole, and the service itself, for operators (contract section 12.4). */
import Type, { type Static } from '#typebox';
import { asError } from '../../../base/runtime/thrown-error.ts';
import { newKeySecret, printOf } from '../../../base/secrets/key-secret.ts';
import { conflict, type Outcome, success } from '../../../engine/domain/failure.ts';
import { Id } from '../../../engine/domain/schema.ts';
import { comparable, OptionalName } from '../../../engine/domain/text.ts';
import { deletedAnswer } from '../../../engine/wire/answer-schemas.ts';
import {
  LogReport,
  NEW_SHOP,
  newShopAnswer,
  OperatorStatus,
  operatedShopAnswer,
  operatedShopsAnswer,
  operatedShopView,
  PlanUpdate,
  ShopCreate,
  ShopifySecret,
} from '../../../engine/wire/operator.ts';
import { keyView } from '../../../engine/wire/record-view.ts';
import { DamagedLogError } from '../../../store/log/event-log.ts';
import { answerOperator, planWrite } from '../answer.ts';
import type { OperatorAccess } from '../dependencies.ts';
import { thrownFailure } from '../failure-answer.ts';
import { EXAMPLE_KEY_END } from '../openapi/examples.ts';
import { EXAMPLE_NEW_SHOP, EXAMPLE_OPERATED_SHOP, EXAMPLE_STATUS } from '../openapi/operator-examples.ts';
import {
  answerDoc,
  OPERATED_SHOPS,
  operatorRoute,
  queryParameter,
  type Route,
  SHOP_SEGMENT,
  writeRoute,
} from '../route.ts';
import { limitParameter } from './record-list.ts';

const SHOPS_PER_PAGE = 100;
const SHOPS_PER_PAGE_MAX = 1_000;
/** How many shops one request with a search looks at. */
const SHOPS_SEARCHED_MAX = 1_000;

const SHOPS = OPERATED_SHOPS.slice(0, -1);
const ONE_SHOP = `${OPERATED_SHOPS}${SHOP_SEGMENT}`;

const success200 = answerDoc('The shop as it is now', operatedShopAnswer, { shop: EXAMPLE_OPERATED_SHOP });

/** The page after `cursor`, the id of a shop, which need not exist any more. */
async function shopsPage(
  operators: OperatorAccess,
  cursor: string,
  most: number,
  text: string,
): Promise<Static<typeof operatedShopsAnswer>> {
  // One more shows whether there is another page.
  const looked = text === '' ? most : SHOPS_SEARCHED_MAX;
  const ids = await operators.shopIdsAfter(cursor, looked + 1);
  const page: Static<typeof operatedShopsAnswer> = { shops: [], damaged: [], nextCursor: null };
  const { shops, damaged } = page;
  const isFound = (own: string): boolean => comparable(own).includes(text);
  let last = cursor;
  for (const id of ids.slice(0, looked)) {
    if (shops.length === most) return { ...page, nextCursor: last };
    last = id;
    try {
      const state = await operators.stateOf(id);
      // Null for one that was deleted meanwhile.
      if (state !== null && [id, state.settings.name].some(isFound)) shops.push(operatedShopView(state));
    } catch (error) {
      if (!(error instanceof DamagedLogError)) throw error;
      if (isFound(id)) damaged.push({ id, message: thrownFailure(error, id).message });
    }
  }
  return { ...page, nextCursor: ids.length > looked ? last : null };
}

/** The sealed secret; CONFLICT when this process has no key to seal it. */
function sealed(seal: () => string): Outcome<string> {
  try {
    return success(seal());
  } catch (error) {
    return conflict(`the secret cannot be sealed: ${asError(error).message}`);
  }
}

export const OPERATOR_ROUTES: readonly Route[] = [
  operatorRoute({
    name: 'listShops',
    verb: 'GET',
    paths: [SHOPS],
    summary: 'The shops, by id',
    description:
      'In pages: `nextCursor` is the `cursor` of the next one, and null on the last. With `search` a page may be short, or ' +
      `empty, before the last one, because a request looks at ${SHOPS_SEARCHED_MAX.toLocaleString('en-US')} shops at most.`,
    query: {
      limit: limitParameter(SHOPS_PER_PAGE_MAX, `Shops of the page (default: ${SHOPS_PER_PAGE})`),
      cursor: queryParameter(Id, 'The list continues after this id'),
      search: queryParameter(OptionalName, 'Only shops with this text in their id or name; case is ignored'),
    },
    failures: [],
    success: answerDoc('The shops', operatedShopsAnswer, {
      shops: [EXAMPLE_OPERATED_SHOP],
      damaged: [],
      nextCursor: null,
    }),
    handle: async ({ operators, query: { limit, cursor, search } }) => {
      const most = limit === undefined ? SHOPS_PER_PAGE : Number(limit);
      return answerOperator(await shopsPage(operators, cursor ?? '', most, comparable(search ?? '')));
    },
  }),
  operatorRoute({
    name: 'createShop',
    verb: 'POST',
    paths: [SHOPS],
    summary: 'Make a shop, and its first key',
    description: 'The secret of the key is in this answer only.',
    body: {
      schema: ShopCreate,
      examples: {
        withKey: {
          name: 'Corner shop',
          currency: 'EUR',
          timezone: 'Europe/Berlin',
          key: { label: 'Setup', permission: 'admin', expiresAt: EXAMPLE_KEY_END },
        },
        alone: { name: 'Corner shop' },
      },
    },
    failures: ['CONFLICT', 'PLAN_LIMIT_EXCEEDED'],
    success: answerDoc('The new shop, and its key with the secret', newShopAnswer, EXAMPLE_NEW_SHOP, 201),
    handle: async ({ operators, body, idempotency }) => {
      const { key: wanted = null, ...named } = body;
      const secret = newKeySecret();
      const made = await operators.createShop({
        settings: { ...NEW_SHOP, ...named },
        key: wanted === null ? null : { ...wanted, ...printOf(secret) },
        idempotency,
        render: (state, key) =>
          JSON.stringify({
            shop: operatedShopView(state),
            key: key === null ? null : { ...keyView(key, null), secret },
          }),
      });
      if (!made.ok) return made;
      const { shop } = JSON.parse(made.value) as { readonly shop: { readonly id: string } };
      return success({
        status: 201,
        body: made.value,
        // Where the shop is read.
        headers: [['Location', `${OPERATED_SHOPS}${shop.id}/api/shop`]],
      });
    },
  }),
  writeRoute({
    name: 'setShopPlan',
    verb: 'PUT',
    paths: [ONE_SHOP],
    isForOperators: true,
    tag: 'Operators',
    summary: 'Put a shop on a plan',
    permission: 'admin',
    isConfiguration: false,
    mayNotFind: true,
    body: { schema: PlanUpdate, examples: { larger: { plan: 'pro' } } },
    success: success200,
    handle: ({ body: { plan } }) =>
      planWrite({ kind: 'setPlan', plan }, 'shop', (_, state) => ({ shop: operatedShopView(state) })),
  }),
  writeRoute({
    name: 'setShopifySecret',
    verb: 'PUT',
    paths: [`${ONE_SHOP}/secrets/shopify`],
    isForOperators: true,
    tag: 'Operators',
    summary: 'Set the secret with which Shopify signs its callbacks',
    description: 'It is stored sealed and never shown.',
    permission: 'admin',
    isConfiguration: false,
    mayNotFind: true,
    body: {
      schema: ShopifySecret,
      examples: { set: { secret: 'shpss_0123456789abcdef0123456789abcdef' }, removed: { secret: null } },
    },
    success: success200,
    handle: ({ body: { secret }, shop: { shopId }, dependencies: { secrets } }) => {
      const text = secret === null ? success(null) : sealed(() => secrets.seal(secret, shopId));
      if (!text.ok) return text;
      return planWrite({ kind: 'setShopifySecret', sealed: text.value }, 'shop', (_, state) => ({
        shop: operatedShopView(state),
      }));
    },
  }),
  operatorRoute({
    name: 'deleteShop',
    verb: 'DELETE',
    paths: [ONE_SHOP],
    summary: 'Delete a shop with its history and its keys, permanently',
    description: 'Its id is not used again. A shop that was deleted before is answered the same.',
    failures: ['CONFLICT'],
    success: answerDoc('It is deleted', deletedAnswer, { deleted: true, id: EXAMPLE_OPERATED_SHOP.id }),
    handle: async ({ operators, shopId: id }) => {
      const deleted = await operators.deleteShop(id);
      return deleted.ok ? answerOperator({ deleted: true, id }) : deleted;
    },
  }),
  operatorRoute({
    name: 'getStatus',
    verb: 'GET',
    paths: ['/operator/status'],
    summary: 'The state of the service, and of the nodes of a cluster',
    failures: [],
    success: answerDoc('The state', OperatorStatus, EXAMPLE_STATUS),
    handle: async ({ operators }) => answerOperator(await operators.status()),
  }),
  operatorRoute({
    name: 'verifyLog',
    verb: 'POST',
    paths: ['/operator/verify'],
    isWrite: false,
    isLong: true,
    summary: 'Check every record of the log',
    description:
      'In a cluster the log in the database. Damage is part of the answer. The answer comes when all is read, which takes minutes for a large log.',
    failures: ['CONFLICT'],
    success: answerDoc('What was read, and what is damaged', LogReport, {
      ...{ shops: 12, records: 48_210, checkpoints: 190, indexEntries: 61_334 },
      defects: [],
    }),
    handle: async ({ operators }) => {
      const report = await operators.verify();
      return report.ok ? answerOperator(report.value) : report;
    },
  }),
  operatorRoute({
    name: 'backUpLog',
    verb: 'GET',
    paths: ['/operator/backup'],
    type: 'bytes',
    isLong: true,
    summary: 'A copy of the log',
    description:
      'The copy is checked as `verify` does before its first byte is sent. To restore it, put it as `data.mdb` into an empty ' +
      'folder. A cluster has none: back its database up.',
    failures: ['CONFLICT'],
    success: answerDoc('The file', Type.String(), ''),
    handle: async ({ operators }) => {
      const copy = await operators.backup();
      return copy.ok ? success({ status: 200, body: copy.value, headers: [] }) : copy;
    },
  }),
];
