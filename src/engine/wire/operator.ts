/** What operators read and write: shops as a whole, the state of the service, and the report of a check of its log. */
import Type, { type Static, type TSchema } from '#typebox';
import { count, countOf, Id, orNull, strict, untitled } from '../domain/schema.ts';
import { ShopSettings } from '../domain/shop.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { KeyRecord } from './answer-schemas.ts';
import { KeyCreate } from './write-bodies.ts';

const { id, name, currency, timezone, plan } = ShopSettings.properties;

/** What a new shop has where its body does not say otherwise. */
export const NEW_SHOP = { currency: 'USD', timezone: 'UTC', plan: 'starter' } as const;

const defaulted = <T extends TSchema>(schema: T, value: string) =>
  Type.Optional({ ...schema, description: `${value} when absent` });

export const ShopCreate = strict('ShopCreate', {
  id: Type.Optional(id),
  name,
  currency: defaulted(currency, NEW_SHOP.currency),
  timezone: defaulted(timezone, NEW_SHOP.timezone),
  plan: defaulted(plan, NEW_SHOP.plan),
  key: Type.Optional(orNull(KeyCreate, { description: 'The first key of the shop; none when it is absent' })),
});
export type ShopCreate = Readonly<Static<typeof ShopCreate>>;

export const PlanUpdate = strict('PlanUpdate', { plan });

export const ShopifySecret = strict('ShopifySecret', {
  secret: orNull(Type.String({ pattern: '^[\\x21-\\x7e]{16,256}$' }), {
    'x-accepts': '16 to 256 visible ASCII characters, or null',
    description: 'The client secret of the Shopify app; null removes it: callbacks are refused from then on',
  }),
});

const OperatedShop = strict('OperatedShop', {
  id,
  name,
  plan,
  currency,
  timezone,
  version: Type.Integer({ minimum: 1, description: 'Number of the live version' }),
  keys: countOf('API keys'),
  hasShopifySecret: Type.Boolean({ description: 'Callbacks of Shopify are answered' }),
});

export const operatedShopView = ({
  settings,
  version,
  keys,
  shopifySecret,
}: ShopState): Static<typeof OperatedShop> => ({
  id: settings.id,
  name: settings.name,
  plan: settings.plan,
  currency: settings.currency,
  timezone: settings.timezone,
  version: version.number,
  keys: keys.length,
  hasShopifySecret: shopifySecret !== undefined,
});

export const operatedShopAnswer = untitled({ shop: OperatedShop });
const DamagedShop = strict('DamagedShop', {
  id,
  message: Type.String({ description: 'What is damaged. Other shops are served; a backup has this one' }),
});
export const operatedShopsAnswer = untitled({
  shops: Type.Array(OperatedShop),
  damaged: Type.Array(DamagedShop, { description: 'Shops whose log cannot be read' }),
  nextCursor: orNull(Id, { description: 'The cursor of the next page; null on the last' }),
});

const NewShopKey = strict('NewShopKey', {
  ...KeyRecord.properties,
  secret: Type.String({ description: 'The key itself. It is shown this once and cannot be read again' }),
});
export const newShopAnswer = untitled({
  shop: OperatedShop,
  key: orNull(NewShopKey, { description: 'Null when no key was asked for' }),
});

const PHASES = ['starting', 'ready', 'outdated', 'failed'] as const;

const NodeStatus = strict('NodeStatus', {
  node: Type.String({ description: 'Name of its machine' }),
  run: Type.String({ description: 'Names this run of the process' }),
  beat: count,
  readsFormat: countOf('The newest record format that it can read'),
  lagMs: orNull(Type.Number({ minimum: 0 }), {
    description: 'Milliseconds since its last beat was seen; null when none was seen',
  }),
  isCurrent: Type.Boolean({ description: 'Its answers need no mark' }),
  isThis: Type.Boolean({ description: 'It answers this request' }),
});

export const OperatorStatus = strict('OperatorStatus', {
  version: Type.String({ description: 'Of the program' }),
  phase: Type.Enum([...PHASES], { description: 'As `/readyz` has it' }),
  uptimeSeconds: count,
  dataFolder: Type.String(),
  fileBytes: countOf('Size of the file of the log'),
  freeBytes: countOf('Free on the disk of the log'),
  shops: orNull(count, { description: 'Null where a database holds them' }),
  plans: Type.Array(Type.String(), { description: 'Names of the plans that a shop can be put on' }),
  isDatabaseReached: orNull(Type.Boolean(), { description: 'Null without a database' }),
  cluster: orNull(
    strict('ClusterStatus', {
      id: Type.String(),
      epoch: count,
      writeFormat: countOf('The record format that is written'),
      nodes: Type.Array(NodeStatus),
    }),
    { description: 'Null without a database, and while it cannot be reached' },
  ),
});
export type OperatorStatus = Readonly<Static<typeof OperatorStatus>>;

export const LogReport = strict('LogReport', {
  shops: count,
  records: count,
  checkpoints: count,
  indexEntries: count,
  defects: Type.Array(
    strict('LogDefect', {
      shopId: Type.String({ description: '`?` where the damage hides it' }),
      sequenceNumber: countOf('0 when the defect is not in one record'),
      what: Type.String(),
    }),
    { description: 'Empty when the log is whole' },
  ),
});
