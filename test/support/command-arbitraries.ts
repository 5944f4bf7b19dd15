/**
 * Random commands. The generated value is an intent: plain data that names records of the shop by number; `commandOf`
 * makes a command from it for the current state. So a run of intents can be printed, shrunk and repeated, and later
 * commands name records that earlier ones made.
 *
 * Bodies pass their schemas. A few of the references and bodies are wrong in a way that only the decision detects.
 */
import fc from 'fast-check';
import type { Command } from '../../src/engine/change/command.ts';
import type { ShopState } from '../../src/engine/domain/shop-event.ts';
import type { BlendedCreate } from '../../src/engine/wire/write-bodies.ts';
import { bulkEdit, dataOf } from './bulk-arbitraries.ts';
import {
  anyRuleBody,
  checkFields,
  groupFields,
  idOf,
  methodFields,
  name,
  newSubzones,
  pick,
  position,
  serviceCode,
  shopFields,
  subtitle,
  threshold,
  thresholdBasis,
  zoneFields,
} from './record-arbitraries.ts';

const blendedFields = fc.record(
  {
    name,
    subtitle,
    serviceCode,
    enabled: fc.boolean(),
    freeShippingThreshold: threshold,
    thresholdBasis,
    position,
  },
  { requiredKeys: [] },
);
const preferences = fc.array(fc.record({ method: pick, lowest: fc.boolean() }), { maxLength: 3 });

const ofKind = <K extends string, T extends object>(
  kind: K,
  fields: fc.Arbitrary<T>,
): fc.Arbitrary<{ readonly kind: K } & T> => fields.map((values) => ({ kind, ...values }));

const target = fc.record({ target: pick });
const update = <T>(fields: fc.Arbitrary<T>) => fc.record({ target: pick, fields });
const methodBinding = fc.record({ zone: pick, group: pick }, { requiredKeys: [] });
const blendedBinding = fc.record({ zone: pick, preferences }, { requiredKeys: [] });
const ruleFields = fc.tuple(anyRuleBody, fc.option(position)).map(([body, place]) => ({
  ...body,
  ...(place !== null && { position: place }),
}));
const partialRuleFields = fc
  .tuple(ruleFields, fc.constantFrom('action', 'conditions', 'enabled', 'name', 'all'))
  .map(([fields, kept]) =>
    kept === 'all' ? fields : Object.fromEntries(Object.entries(fields).filter(([field]) => field === kept)),
  );

const subzonesOrWrong = fc
  .tuple(newSubzones, fc.nat(9))
  .map(([subzones, luck]) => (luck > 0 ? subzones : [{ name: 'Wrong', postalCodes: '995*, *1' }]));

/**
 * The subzones that a zone will have: some that it has, reversed or not, new ones, and sometimes one of another zone.
 */
const subzonesEdit = fc.record({
  kept: fc.array(pick, { maxLength: 3 }),
  renamed: fc.option(name),
  added: newSubzones,
  foreign: fc.option(pick, { freq: 7 }),
});

const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 4, arbitrary });

/** Every kind of command except `createShop` and `setPlan`. */
/** Ends of keys: none, past, to come, and too far ahead. */
const keyEnd = fc.constantFrom(
  null,
  '2020-01-01T00:00:00Z',
  '2026-03-02T01:00:00+01:00',
  '2027-01-01T00:00:00Z',
  '2099-01-01T00:00:00Z',
);

export const commandIntent = fc.oneof(
  often(ofKind('createMethod', fc.record({ fields: methodFields, binding: methodBinding }))),
  often(ofKind('updateMethod', fc.record({ target: pick, fields: methodFields, binding: methodBinding }))),
  often(ofKind('createRule', update(ruleFields))),
  often(ofKind('updateRule', update(partialRuleFields))),
  often(ofKind('createBlended', fc.record({ fields: blendedFields, binding: blendedBinding }))),
  often(ofKind('updateBlended', fc.record({ target: pick, fields: blendedFields, binding: blendedBinding }))),
  often(ofKind('executeConfig', fc.record({ edit: bulkEdit }))),
  ofKind('createZone', fc.record({ fields: zoneFields, subzones: fc.option(subzonesOrWrong) })),
  often(
    ofKind('updateZone', fc.record({ target: pick, fields: zoneFields, subzones: fc.option(subzonesEdit) })),
  ),
  ofKind('deleteZone', target),
  ofKind('createGroup', fc.record({ fields: groupFields })),
  often(ofKind('updateGroup', update(groupFields))),
  ofKind('deleteGroup', target),
  ofKind('deleteMethod', target),
  ofKind('deleteRule', target),
  ofKind('deleteBlended', target),
  often(ofKind('createCheck', fc.record({ fields: checkFields }))),
  often(ofKind('updateCheck', update(checkFields))),
  ofKind('deleteCheck', target),
  ofKind('updateShop', fc.record({ body: shopFields })),
  ofKind(
    'createKey',
    fc.record({
      permission: fc.constantFrom('simulate' as const, 'read' as const, 'admin' as const),
      expiresAt: keyEnd,
    }),
  ),
  ofKind('updateKey', fc.record({ target: pick, expiresAt: keyEnd })),
  ofKind('revokeKey', target),
);

type IntentOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type CommandIntent = IntentOf<typeof commandIntent>;

const zonesOf = ({ config }: ShopState) => config.zones.flatMap((zone) => [zone, ...zone.subzones]);

/** Preferences for methods at the place of the blended rate, each group once. */
function preferencesOf(state: ShopState, zoneId: string, intents: IntentOf<typeof preferences>) {
  const { zones, methods } = state.config;
  const zone = zones.find(({ id, subzones }) =>
    [id, ...subzones.map((subzone) => subzone.id)].includes(zoneId),
  );
  const isWhole = zone?.id === zoneId;
  const offered = methods.filter(
    (method) =>
      method.zoneId === zoneId ||
      (isWhole ? zone.subzones.some(({ id }) => id === method.zoneId) : zone?.id === method.zoneId),
  );
  const byGroup = new Map<string, NonNullable<BlendedCreate['preferences']>[number]>();
  for (const { method: choice, lowest } of intents) {
    const preferredMethodId = idOf(offered, choice);
    const productGroupId = methods.find(({ id }) => id === preferredMethodId)?.productGroupId ?? 'nobody';
    if (offered.length > 0) {
      byGroup.set(productGroupId, lowest ? { productGroupId } : { productGroupId, preferredMethodId });
    }
  }
  return [...byGroup.values()];
}

/** The subzones of a zone after an edit. */
function editedSubzones(state: ShopState, zoneId: string, edit: IntentOf<typeof subzonesEdit>) {
  const { zones } = state.config;
  const own = zones.find(({ id }) => id === zoneId)?.subzones ?? [];
  const ids = new Set(edit.kept.map((choice) => idOf(own, choice)));
  const kept = [...ids].flatMap((id) => own.filter((subzone) => subzone.id === id));
  const renamed = kept.map((subzone, index) =>
    index === 0 && edit.renamed !== null ? { ...subzone, name: edit.renamed } : subzone,
  );
  const foreign =
    edit.foreign === null
      ? []
      : [{ id: idOf(zonesOf(state), edit.foreign), name: 'Foreign', postalCodes: '1*' }];
  return [...renamed, ...edit.added, ...foreign];
}

type MethodBinding = IntentOf<typeof methodBinding>;

const methodReferences = (state: ShopState, { zone, group }: MethodBinding) => ({
  ...(zone !== undefined && { zoneId: idOf(zonesOf(state), zone) }),
  ...(group !== undefined && { productGroupId: idOf(state.config.productGroups, group) }),
});

function blendedReferences(state: ShopState, binding: IntentOf<typeof blendedBinding>, zoneBefore: string) {
  const zoneId = binding.zone === undefined ? zoneBefore : idOf(zonesOf(state), binding.zone);
  return {
    ...(binding.zone !== undefined && { zoneId }),
    ...(binding.preferences !== undefined && {
      preferences: preferencesOf(state, zoneId, binding.preferences),
    }),
  };
}

/** A method's fields; the rate is the two fields of a body. */
export function methodBody({ rate, ...fields }: IntentOf<typeof methodFields>) {
  return { ...fields, ...(rate !== undefined && { rateType: rate.rateType, config: rate.config }) };
}

/** The command of an intent for the current state, as plain as if parsed from JSON. */
export const commandOf = (intent: CommandIntent, state: ShopState): Command =>
  JSON.parse(JSON.stringify(commandFor(intent, state)));

function commandFor(intent: CommandIntent, state: ShopState): Command {
  const { config, keys } = state;
  const rules = () => config.methods.flatMap((method) => method.rules);
  const firstZone = idOf(zonesOf(state), 0);
  switch (intent.kind) {
    case 'createZone': {
      const { fields, subzones } = intent;
      return {
        kind: intent.kind,
        body: { name: 'Zone', countries: ['FR'], ...fields, ...(subzones !== null && { subzones }) },
      };
    }
    case 'updateZone': {
      const { fields, subzones } = intent;
      const id = idOf(config.zones, intent.target);
      const edited = subzones === null ? {} : { subzones: editedSubzones(state, id, subzones) };
      return { kind: intent.kind, id, body: { ...fields, ...edited } };
    }
    case 'deleteZone':
      return { kind: intent.kind, id: idOf(config.zones, intent.target) };
    case 'createGroup':
      return { kind: intent.kind, body: { name: 'Heavy', ...intent.fields } };
    case 'updateGroup':
      return { kind: intent.kind, id: idOf(config.productGroups, intent.target), body: intent.fields };
    case 'deleteGroup':
      return { kind: intent.kind, id: idOf(config.productGroups, intent.target) };
    case 'createMethod': {
      const references = { zoneId: firstZone, ...methodReferences(state, intent.binding) };
      const body = {
        name: 'Standard',
        rateType: 'free' as const,
        ...methodBody(intent.fields),
        ...references,
      };
      return { kind: intent.kind, body };
    }
    case 'updateMethod': {
      const body = { ...methodBody(intent.fields), ...methodReferences(state, intent.binding) };
      return { kind: intent.kind, id: idOf(config.methods, intent.target), body };
    }
    case 'deleteMethod':
      return { kind: intent.kind, id: idOf(config.methods, intent.target) };
    case 'createRule':
      return { kind: intent.kind, methodId: idOf(config.methods, intent.target), body: intent.fields };
    case 'updateRule':
      return { kind: intent.kind, id: idOf(rules(), intent.target), body: intent.fields };
    case 'deleteRule':
      return { kind: intent.kind, id: idOf(rules(), intent.target) };
    case 'createBlended': {
      const references = { zoneId: firstZone, ...blendedReferences(state, intent.binding, firstZone) };
      return { kind: intent.kind, body: { name: 'Mixed cart', ...intent.fields, ...references } };
    }
    case 'updateBlended': {
      const id = idOf(config.blendedRates, intent.target);
      const zoneBefore = config.blendedRates.find((blended) => blended.id === id)?.zoneId ?? firstZone;
      return {
        kind: intent.kind,
        id,
        body: { ...intent.fields, ...blendedReferences(state, intent.binding, zoneBefore) },
      };
    }
    case 'deleteBlended':
      return { kind: intent.kind, id: idOf(config.blendedRates, intent.target) };
    case 'createCheck': {
      const request = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
      const required = { name: 'Check', request, expectations: [{ kind: 'some_rate' as const }] };
      return { kind: intent.kind, body: { ...required, ...intent.fields } };
    }
    case 'updateCheck':
      return { kind: intent.kind, id: idOf(config.checks, intent.target), body: intent.fields };
    case 'deleteCheck':
      return { kind: intent.kind, id: idOf(config.checks, intent.target) };
    case 'executeConfig':
      return { kind: intent.kind, data: dataOf(intent.edit, state) };
    case 'updateShop':
      return { kind: intent.kind, body: intent.body };
    case 'createKey': {
      const secretSha256 = String(keys.length).padStart(64, '0');
      return { ...intent, label: 'Test', prefix: 'rw_', secretSha256 };
    }
    case 'updateKey':
      return { kind: intent.kind, id: idOf(keys, intent.target), body: { expiresAt: intent.expiresAt } };
    case 'revokeKey':
      return { kind: intent.kind, id: idOf(keys, intent.target) };
  }
}
