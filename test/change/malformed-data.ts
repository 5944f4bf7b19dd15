/** Random bulk writes with errors of both kinds: as they were meant, and as they were written. */
import fc from 'fast-check';
import { ITEMS_MAX_DEFAULT } from '../../src/domain/cart.ts';
import { compileSchema } from '../../src/wire/schema-check.ts';
import { type CheckCreate, type ConfigData, configActionSchema } from '../../src/wire/write-bodies.ts';

const check = compileSchema(configActionSchema(ITEMS_MAX_DEFAULT));

// Few, so that they meet; most are in the shop too.
const id = fc.constantFrom(
  'zone_us',
  'zone_gb',
  'sub_ak',
  'group_all',
  'group_heavy',
  'method_std',
  'rule_a',
  'new',
);
const zoneId = fc.constantFrom('zone_us', 'zone_us', 'zone_us', 'sub_ak', 'zone_gb', 'new');
const groupId = fc.constantFrom('group_all', 'group_heavy', 'new');
const methodId = fc.constantFrom('method_std', 'method_freight', 'new');
const name = fc.constant('N');

const zone = fc.record(
  {
    id: zoneId,
    name,
    countries: fc.constant(['US'] as string[]),
    subzones: fc.array(
      fc.record(
        { id: zoneId, name, postalCodes: fc.constantFrom('9*', '9*9') },
        { requiredKeys: ['name', 'postalCodes'] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['name', 'countries'] },
);
const group = fc.record(
  { id: groupId, name, isDefault: fc.boolean(), tags: fc.array(fc.constantFrom('a', ' '), { maxLength: 2 }) },
  { requiredKeys: ['name'] },
);
const condition = fc.record(
  {
    conditionType: fc.constantFrom('product_tag', 'cart_total'),
    operator: fc.constantFrom('equals', 'between'),
    value: fc.constantFrom('1', '1,2', 'x'),
    scope: fc.constantFrom('sum_of_order', 'any_product_in_order'),
  },
  { requiredKeys: ['conditionType', 'operator'] },
);
const rule = fc.record(
  {
    id,
    action: fc.constantFrom('hide', 'adjust_add'),
    adjustmentValue: fc.constantFrom(1, 5_000),
    adjustmentType: fc.constantFrom('flat', 'percentage'),
    conditions: fc.array(condition, { maxLength: 2 }),
    name,
  },
  { requiredKeys: ['action'] },
);
const method = fc.record(
  {
    id: methodId,
    name,
    zoneId,
    productGroupId: groupId,
    rateType: fc.constantFrom('free', 'flat'),
    config: fc.constantFrom({}, { price: 1 }),
    rules: fc.array(rule, { maxLength: 2 }),
  },
  { requiredKeys: ['name', 'zoneId', 'rateType'] },
);
const blendedRate = fc.record(
  {
    id,
    name,
    zoneId,
    preferences: fc.array(
      fc.record(
        { productGroupId: groupId, preferredMethodId: fc.option(methodId) },
        { requiredKeys: ['productGroupId'] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['name', 'zoneId'] },
);
const checkData = fc.record(
  {
    id,
    name,
    request: fc.constant<CheckCreate['request']>({
      destination: { country: 'US' },
      items: [{ quantity: 1, grams: 1, price: 1 }],
    }),
    at: fc.constantFrom(null, '2026-01-07T17:00:00Z'),
    expectations: fc.array(fc.constant({ kind: 'no_rate' as const, serviceCode: 'x' }), {
      minLength: 1,
      maxLength: 2,
    }),
  },
  { requiredKeys: ['name', 'request', 'expectations'] },
);
const data = fc.record(
  {
    zones: fc.array(zone, { maxLength: 3 }),
    productGroups: fc.array(group, { maxLength: 3 }),
    methods: fc.array(method, { maxLength: 3 }),
    blendedRates: fc.array(blendedRate, { maxLength: 2 }),
    checks: fc.array(checkData, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  const below =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([field, part]) =>
          placesIn(part, [...place, Array.isArray(value) ? Number(field) : field]),
        )
      : [];
  return [...(place.length === 0 ? [] : [place]), ...below];
}

type Damage = (holder: Record<string, unknown>, field: string) => void;

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.constantFrom<unknown>(7, 'no id', null, [], { odd: 1 }, true).map(
    (wrong): Damage =>
      (holder, field) => {
        holder[field] = wrong;
      },
  ),
  fc.constant<Damage>((holder, field) => {
    if (Array.isArray(holder)) return;
    holder[`${field}s`] = holder[field];
    delete holder[field];
  }),
  fc.constant<Damage>((holder, field) => {
    if (!Array.isArray(holder)) delete holder[field];
  }),
);

/** A copy with the part at `place` damaged; null when there is none any more. */
function damaged(value: unknown, place: Place, damageIn: Damage): unknown {
  const copy: unknown = structuredClone(value);
  let holder: unknown = copy;
  for (const field of place.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null) return null;
    holder = (holder as Record<string, unknown>)[field];
  }
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, place.at(-1) ?? ''))
    return null;
  damageIn(holder as Record<string, unknown>, String(place.at(-1)));
  return copy;
}

const hasShape = (written: unknown): boolean => check.check({ action: 'execute', data: written });

/** `meant` has its shape; `written` is the same but for parts each of which has not. */
export const malformedCase: fc.Arbitrary<{ readonly meant: ConfigData; readonly written: unknown }> = fc
  .tuple(data, fc.array(fc.tuple(fc.nat(), damage), { minLength: 1, maxLength: 3 }))
  .map(([meant, damages]) => {
    const places = placesIn(meant);
    let written: unknown = meant;
    for (const [pick, damageIn] of damages) {
      const place = places[pick % Math.max(1, places.length)];
      // Alone it must be an error of the shape: else it would be another meaning.
      if (place === undefined || hasShape(damaged(meant, place, damageIn) ?? meant)) continue;
      written = damaged(written, place, damageIn) ?? written;
    }
    return { meant: meant as ConfigData, written };
  })
  .filter(({ meant, written }) => hasShape(meant) && !hasShape(written));

/** What a line of a refusal is about: its path, for a record that stays with its name and the path in it. */
export const subjectOf = (line: string): string => /^\/data leaves .*? its \S+|^\S+/.exec(line)?.[0] ?? '';
