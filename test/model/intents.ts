/**
 * Requests of clients as plain data. Records and versions are named by a number that selects one of those that the
 * client sees, so that a run can be printed, shrunk and repeated.
 */
import fc from 'fast-check';
import type { PlainConfig, PlainPreference } from './plain-config.ts';
import type { PlainHeaders, PlainKey, PlainRequest, PlainShop } from './plain-shop.ts';
import type { PlainWrite } from './plain-writes.ts';

const NAMES = ['Standard', 'Express Air', 'Pickup'];
const pick = fc.nat(50);
const name = fc.constantFrom(...NAMES);
const position = fc.nat(4);
const optional = <T extends object>(
  fields: {
    readonly [F in keyof T]: fc.Arbitrary<T[F]>;
  },
): fc.Arbitrary<Partial<T>> => fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const zoneFields = optional({ name, countries: fc.constantFrom(['US'], ['FR', '*'], []), position });
/** The subzones that a zone will have: some that it has, one of another zone, new ones. */
const subzones = fc.option(
  fc.record({
    kept: fc.array(pick, { maxLength: 2 }),
    isRenamed: fc.boolean(),
    foreign: fc.option(pick, { freq: 8 }),
    added: fc.nat(2),
  }),
);
type SubzonesIntent = typeof subzones extends fc.Arbitrary<infer T> ? T : never;
const groupFields = optional({
  name,
  isDefault: fc.boolean(),
  skus: fc.constantFrom([], ['HVY-*']),
  position,
});
const rate = fc.constantFrom(
  { rateType: 'flat' as const, config: { price: 500 } },
  { rateType: 'flat' as const, config: { price: 900 } },
  { rateType: 'free' as const, config: {} },
);
const methodFields = optional({
  name,
  enabled: fc.boolean(),
  freeShippingThreshold: fc.constantFrom(null, 5000),
  thresholdBasis: fc.constantFrom('cart_total', 'order_total'),
  delivery: fc.constantFrom(null, { minDays: 1, maxDays: 3 }),
  phoneRequired: fc.boolean(),
  position,
});
const methodBinding = optional({ zone: pick, group: pick });
const methodRate = fc.oneof(
  fc.constant({}),
  rate,
  // Valid only for its rate type.
  fc.constantFrom({ config: { price: 700 } }, { config: {} }, { rateType: 'flat' as const }),
);
const ruleFields = optional({
  action: fc.constantFrom('hide', 'free', 'adjust_add', 'adjust_subtract'),
  adjustmentValue: fc.constantFrom(100, 250),
  enabled: fc.boolean(),
  name: fc.constantFrom('', 'Islands cost more'),
  position,
});
const blendedFields = optional({ name, enabled: fc.boolean(), position });
const preferences = fc.option(
  fc.array(fc.record({ method: pick, isLowest: fc.boolean() }), { maxLength: 2 }),
);
const checkFields = optional({
  name,
  request: fc.constantFrom(
    { destination: { country: 'US' }, items: [{ quantity: 1, grams: 500, price: 2_000 }] },
    { destination: { country: 'FR' }, items: [{ quantity: 3, grams: 500, price: 2_000 }] },
  ),
  at: fc.constantFrom(null, '2026-01-07T17:00:00Z'),
  expectations: fc.constantFrom([{ kind: 'some_rate' }], [{ kind: 'no_rate', serviceCode: 'express' }]),
  enabled: fc.boolean(),
  position,
});
const bulkEdit = fc.constantFrom(
  'same' as const,
  'turnMethods' as const,
  'dropMethod' as const,
  'dropZone' as const,
  'addZone' as const,
  'dropGroup' as const,
  'clearBlended' as const,
  'turnChecks' as const,
  'addMethods' as const,
  'noDefault' as const,
  'turnGroups' as const,
);

const of = <K extends string, T extends object>(
  kind: K,
  fields: { readonly [F in keyof T]: fc.Arbitrary<T[F]> },
): fc.Arbitrary<{ readonly kind: K } & Readonly<T>> =>
  fc.record(fields).map((values) => ({ kind, ...(values as T) }));
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const gate = fc.constantFrom(
  null,
  { noLostCarts: true },
  { evaluatedMin: 2 },
  { noLostCarts: true, evaluatedMin: 1 },
  { secondPerson: true },
);

export const requestIntent = fc.oneof(
  weighted(3, of('createZone', { fields: zoneFields, subzones })),
  weighted(4, of('updateZone', { target: pick, fields: zoneFields, subzones })),
  weighted(2, of('deleteZone', { target: pick })),
  weighted(3, of('createGroup', { fields: groupFields })),
  weighted(3, of('updateGroup', { target: pick, fields: groupFields })),
  weighted(2, of('deleteGroup', { target: pick })),
  weighted(6, of('createMethod', { fields: methodFields, binding: methodBinding, rate })),
  weighted(5, of('updateMethod', { target: pick, fields: methodFields, binding: methodBinding, methodRate })),
  weighted(3, of('deleteMethod', { target: pick })),
  weighted(4, of('createRule', { target: pick, fields: ruleFields })),
  weighted(4, of('updateRule', { target: pick, fields: ruleFields })),
  weighted(2, of('deleteRule', { target: pick })),
  weighted(3, of('createBlended', { fields: blendedFields, zone: pick, preferences })),
  weighted(
    3,
    of('updateBlended', { target: pick, fields: blendedFields, zone: fc.option(pick), preferences }),
  ),
  weighted(2, of('deleteBlended', { target: pick })),
  weighted(3, of('createCheck', { fields: checkFields })),
  weighted(3, of('updateCheck', { target: pick, fields: checkFields })),
  weighted(1, of('deleteCheck', { target: pick })),
  weighted(4, of('execute', { edit: bulkEdit, target: pick })),
  weighted(3, of('rollback', { target: pick })),
  weighted(4, of('enterStaging', {})),
  weighted(4, of('promoteStaging', {})),
  weighted(1, of('discardStaging', {})),
  weighted(5, of('setGate', { gate })),
  weighted(2, of('setDirectWrites', { directWrites: fc.constantFrom(true, true, false) })),
  weighted(1, of('setSecret', { isSet: fc.boolean() })),
  weighted(1, of('createKey', { label: fc.constantFrom('Checkout', 'Contractor') })),
  weighted(1, of('renameKey', { target: pick, label: fc.constantFrom('Checkout', 'Renamed') })),
  weighted(1, of('revokeKey', { target: pick })),
  weighted(1, of('setPlan', { plan: fc.constantFrom('wide', 'wide', 'tight') })),
);
export type RequestIntent = typeof requestIntent extends fc.Arbitrary<infer T> ? T : never;

/** The intent without parts that make several new ids, because the model could not match them. */
export function withoutBulkIds(intent: RequestIntent): RequestIntent {
  if (intent.kind === 'execute' && ['addMethods', 'noDefault', 'dropGroup'].includes(intent.edit)) {
    return { ...intent, edit: 'same' };
  }
  return intent.kind === 'createZone' || intent.kind === 'updateZone'
    ? { ...intent, subzones: null }
    : intent;
}

/** Most requests have neither; a batch is a few consecutive requests. */
export const headersIntent = fc.record({
  by: fc.constantFrom<PlainKey>('admin', 'write'),
  batchId: fc.constantFrom(null, null, 'batch-a', 'batch-a', 'batch-b'),
  ifMatch: fc.oneof(
    weighted(12, fc.constant('none')),
    weighted(3, fc.constant('current')),
    weighted(1, fc.constant('first')),
    weighted(3, fc.constant('shown')),
    weighted(2, fc.constant('shownBefore')),
  ),
});
export type HeadersIntent = typeof headersIntent extends fc.Arbitrary<infer T> ? T : never;

export function headersOf({ by, batchId, ifMatch }: HeadersIntent, shop: PlainShop): PlainHeaders {
  const wanted: Readonly<Record<HeadersIntent['ifMatch'], string | undefined>> = {
    none: undefined,
    current: shop.current.id,
    first: shop.versions[0]?.id,
    shown: shop.tag,
    shownBefore: shop.tags.at(-1),
  };
  return { by, batchId, ifMatch: wanted[ifMatch] ?? null };
}

/** One element, or sometimes none. */
function idOf(records: readonly { readonly id: string }[], choice: number): string {
  return choice % 29 === 28 ? 'nobody' : (records[choice % Math.max(1, records.length)]?.id ?? 'nobody');
}

const zonesIn = ({ zones }: PlainConfig) => zones.flatMap((zone) => [zone, ...zone.subzones]);

function subzonesOf(config: PlainConfig, zoneId: string, intent: SubzonesIntent) {
  if (intent === null) return {};
  const own = config.zones.find(({ id }) => id === zoneId)?.subzones ?? [];
  const ids = intent.kept.map((choice) => idOf(own, choice));
  const kept = own.filter(({ id }) => ids.includes(id));
  const named = intent.isRenamed ? kept.map((subzone) => ({ ...subzone, name: 'Renamed' })) : kept;
  const added = Array.from({ length: intent.added }, () => ({ name: 'New', postalCodes: '1*, 20-30' }));
  const { foreign } = intent;
  const id = foreign === null ? undefined : idOf(zonesIn(config), foreign);
  return {
    subzones: [...named, ...added, ...(id === undefined ? [] : [{ id, name: 'Foreign', postalCodes: '' }])],
  };
}

function preferencesOf(
  config: PlainConfig,
  intents: readonly { readonly method: number; readonly isLowest: boolean }[],
): PlainPreference[] {
  return intents.map(({ method: choice, isLowest }) => {
    const id = idOf(config.methods, choice);
    const method = config.methods.find((one) => one.id === id);
    const productGroupId = method?.productGroupId ?? idOf(config.productGroups, choice);
    return { productGroupId, preferredMethodId: isLowest ? null : id };
  });
}

type Data = Extract<PlainWrite, { kind: 'executeConfig' }>['data'];

let bulkMethods = 0;

function edited(
  config: PlainConfig,
  edit: typeof bulkEdit extends fc.Arbitrary<infer T> ? T : never,
  choice: number,
): Data {
  const data: Data = structuredClone(config);
  const drop = (records: { id?: string }[]): void => {
    if (records.length > 0) records.splice(choice % records.length, 1);
  };
  switch (edit) {
    case 'same':
      break;
    case 'turnMethods':
      data.methods.reverse();
      break;
    case 'turnGroups':
      data.productGroups.push(...data.productGroups.splice(0, 1));
      break;
    case 'dropMethod':
      drop(data.methods);
      break;
    case 'dropZone':
      drop(data.zones);
      break;
    case 'dropGroup':
      drop(data.productGroups);
      break;
    case 'clearBlended':
      data.blendedRates = [];
      break;
    case 'turnChecks':
      data.checks.reverse();
      break;
    case 'addZone': {
      const id = `zone_bulk_${choice}`;
      if (!data.zones.some((zone) => zone.id === id)) {
        data.zones.unshift({ id, name: id, countries: ['FR'], subzones: [] });
      }
      break;
    }
    case 'addMethods': {
      const [zone] = zonesIn(config);
      for (let added = 0; added < 2; added++) {
        data.methods.push({
          name: 'Bulk',
          subtitle: '',
          serviceCode: `bulk-${++bulkMethods}`,
          zoneId: zone?.id ?? 'nobody',
          productGroupId: idOf(config.productGroups, choice),
          rateType: 'free',
          config: {},
          enabled: true,
          freeShippingThreshold: null,
          thresholdBasis: 'cart_total',
          delivery: null,
          phoneRequired: false,
          rules: [],
        });
      }
      break;
    }
    case 'noDefault':
      for (const group of data.productGroups) group.isDefault = false;
      break;
  }
  return data;
}

/** The request of an intent for a client that sees `shop`. */
export const requestOf = (intent: RequestIntent, shop: PlainShop): PlainRequest =>
  JSON.parse(JSON.stringify(requestFor(intent, shop)));

function requestFor(intent: RequestIntent, shop: PlainShop): unknown {
  const config = shop.viewed;
  const rules = config.methods.flatMap((method) => method.rules);
  const zoneId = (choice: number | undefined) => idOf(zonesIn(config), choice ?? 0);
  const { kind } = intent;
  switch (kind) {
    case 'createZone':
      return {
        kind,
        body: {
          name: 'Zone',
          countries: ['FR'],
          ...intent.fields,
          ...subzonesOf(config, idOf(config.zones, 0), intent.subzones),
        },
      };
    case 'updateZone': {
      const id = idOf(config.zones, intent.target);
      return { kind, id, body: { ...intent.fields, ...subzonesOf(config, id, intent.subzones) } };
    }
    case 'deleteZone':
      return { kind, id: idOf(config.zones, intent.target) };
    case 'createGroup':
      return { kind, body: { name: 'Group', ...intent.fields } };
    case 'updateGroup':
      return { kind, id: idOf(config.productGroups, intent.target), body: intent.fields };
    case 'deleteGroup':
      return { kind, id: idOf(config.productGroups, intent.target) };
    case 'createMethod': {
      const { zone, group } = intent.binding;
      const productGroupId = group === undefined ? undefined : idOf(config.productGroups, group);
      return {
        kind,
        body: { name: 'Standard', ...intent.fields, zoneId: zoneId(zone), productGroupId, ...intent.rate },
      };
    }
    case 'updateMethod': {
      const { zone, group } = intent.binding;
      const bound = {
        zoneId: zone === undefined ? undefined : zoneId(zone),
        productGroupId: group === undefined ? undefined : idOf(config.productGroups, group),
      };
      return {
        kind,
        id: idOf(config.methods, intent.target),
        body: { ...intent.fields, ...bound, ...intent.methodRate },
      };
    }
    case 'deleteMethod':
      return { kind, id: idOf(config.methods, intent.target) };
    case 'createRule':
      return {
        kind,
        methodId: idOf(config.methods, intent.target),
        body: { action: 'hide', ...intent.fields },
      };
    case 'updateRule':
      return { kind, id: idOf(rules, intent.target), body: intent.fields };
    case 'deleteRule':
      return { kind, id: idOf(rules, intent.target) };
    case 'createBlended':
      return {
        kind,
        body: {
          name: 'Mixed',
          ...intent.fields,
          zoneId: zoneId(intent.zone),
          preferences: intent.preferences === null ? undefined : preferencesOf(config, intent.preferences),
        },
      };
    case 'updateBlended':
      return {
        kind,
        id: idOf(config.blendedRates, intent.target),
        body: {
          ...intent.fields,
          zoneId: intent.zone === null ? undefined : zoneId(intent.zone),
          preferences: intent.preferences === null ? undefined : preferencesOf(config, intent.preferences),
        },
      };
    case 'deleteBlended':
      return { kind, id: idOf(config.blendedRates, intent.target) };
    case 'createCheck': {
      const request = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
      return {
        kind,
        body: { name: 'Check', request, expectations: [{ kind: 'some_rate' }], ...intent.fields },
      };
    }
    case 'updateCheck':
      return { kind, id: idOf(config.checks, intent.target), body: intent.fields };
    case 'deleteCheck':
      return { kind, id: idOf(config.checks, intent.target) };
    case 'execute':
      return { kind: 'executeConfig', data: edited(config, intent.edit, intent.target) };
    case 'rollback':
      return { kind, targetVersionId: idOf(shop.versions, intent.target) };
    case 'setPlan':
      return { kind, plan: intent.plan };
    case 'setGate':
      return { kind, gate: intent.gate };
    case 'setDirectWrites':
      return { kind, directWrites: intent.directWrites };
    case 'setSecret':
      return { kind, isSet: intent.isSet };
    case 'createKey':
      return { kind, label: intent.label };
    case 'renameKey':
      return { kind, id: idOf(shop.keys, intent.target), label: intent.label };
    case 'revokeKey': {
      // The keys that write stay.
      const others = shop.keys.filter(({ permission }) => permission === 'read');
      return { kind, id: idOf(others, intent.target) };
    }
    default:
      return { kind };
  }
}
