/** What the tester says of an answer: what is offered, which group an item falls into, and why there is no rate. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { CartFacts } from '../../../src/engine/evaluate/cart-facts.ts';
import { linkTo } from '../../../src/front/console/place.ts';
import {
  type Column,
  type Explained,
  reasonSentence,
  sortedOffers,
} from '../../../src/front/console/tester/answers.ts';
import type { Cart } from '../../../src/front/console/tester/cart.ts';
import { groupsOfItems } from '../../../src/front/console/tester/item-groups.ts';
import { obstaclesOf, placeHints } from '../../../src/front/console/tester/obstacles.ts';

const rate = (serviceCode: string, totalPrice: number) => ({
  ...{ serviceName: serviceCode, serviceCode, totalPrice },
  ...{ description: '', currency: 'USD' },
});

const method = (id: string, price: number | null, productGroupId = 'group_a') => ({
  ...{ methodId: id, methodName: id, productGroupId, visible: price !== null, ruleTraces: [], steps: [] },
  reason: price === null ? ('hidden_by_rule' as const) : null,
  rate: price === null ? null : rate(id, price),
});

const blended = (id: string, price: number | null) => ({
  ...{ blendedRateId: id, name: id, visible: price !== null, components: [] },
  reason: price === null ? ('group_without_rate' as const) : null,
  rate: price === null ? null : rate(id, price),
});

const ANSWER: Explained = {
  ...{ rates: [], methodEvaluations: [], blendedRates: [], notConsidered: [], unread: [] },
  zone: { id: 'zone_alps', name: 'Alps', subzone: null },
  at: { iso: '2026-03-02T10:00:00Z', date: '2026-03-02', time: '10:00', day: 'monday' },
};

const CART: Cart = {
  destination: { country: 'CH', postalCode: '7500' },
  items: [
    { name: 'Chair', sku: 'CHAIR-1', quantity: 1, grams: 9_000, price: 19_900 },
    { name: 'Gift card', quantity: 1, grams: 0, price: 2_000, requiresShipping: false },
  ],
};

const group = (id: string, name: string, lists: object = {}) => ({
  ...{ id, name, isDefault: false, variantIds: [], productIds: [], skus: [], tags: [], vendors: [] },
  ...lists,
});
const GROUPS = [
  group('group_a', 'Parcels', { isDefault: true }),
  group('group_f', 'Furniture', { skus: ['chair-*'] }),
];

const zone = (id: string, name: string, countries: string[], subzones: readonly string[] = []) => ({
  ...{ id, name, countries, position: 0 },
  subzones: subzones.map((of) => ({ id: of, name: of, postalCodes: '1' })),
});
const ZONES = [zone('zone_alps', 'Alps', ['CH', 'AT'], ['Valais']), zone('zone_eu', 'EU', ['AT', 'FR'])];
const SHOP = { zones: ZONES as never, groups: GROUPS as never };

const column = (value: Explained, source = 'live'): Column => ({
  source,
  answer: { value, versionId: null, failure: null, isLoading: false },
});
const ids = (offers: readonly { readonly id: string }[]): string[] => offers.map(({ id }) => id);

test('offered is exactly what the answer has as rates, in their order', () => {
  const methodEvaluations = [method('slow', 900), method('fast', 900), method('night', null)];
  const { offered, withheld, hidden } = sortedOffers([
    column({ ...ANSWER, methodEvaluations, rates: [rate('fast', 900), rate('slow', 900)] }),
  ]);
  assert.deepEqual([ids(offered), ids(withheld), ids(hidden)], [['fast', 'slow'], [], ['night']]);
});

test('methods with a price are no rates beside blended ones, even of the same name and price', () => {
  const answer: Explained = {
    ...ANSWER,
    methodEvaluations: [method('slow', 900), method('both', 1_400)],
    blendedRates: [blended('none', null), { ...blended('all', 1_400), rate: rate('both', 1_400) }],
    rates: [rate('both', 1_400)],
  };
  const { offered, withheld, hidden } = sortedOffers([column(answer)]);
  assert.deepEqual([ids(offered), ids(withheld), ids(hidden)], [['all'], ['slow', 'both'], ['none']]);
  // Nothing is offered where no blended rate is available.
  const refused = { ...answer, blendedRates: [blended('none', null)], rates: [] };
  assert.deepEqual(ids(sortedOffers([column(refused)]).offered), []);
  // Beside a configuration that offers a method, its price is that of a rate there alone.
  const alone = { ...ANSWER, methodEvaluations: [method('slow', 900)], rates: [rate('slow', 900)] };
  const [first, ...others] = sortedOffers([column(answer), column(alone, 'staged')]).offered;
  assert.deepEqual([first?.id, ids(others)], ['all', ['slow']]);
  assert.deepEqual(
    others[0]?.rates.map((each) => each?.totalPrice ?? null),
    [null, 900],
  );
});

test('an item falls into the group that the service puts it into', () => {
  const { config, shop } = JSON.parse(
    readFileSync(new URL('../../../../data/demo-shop.json', import.meta.url), 'utf8'),
  );
  const item = { quantity: 1, grams: 1, price: 1 };
  const listed = config.productGroups.flatMap((each: Record<string, string[]>) => [
    ...(each['skus'] ?? []).map((sku) => ({ ...item, sku: sku.replace('*', 'x') })),
    ...(each['skus'] ?? []).map((sku) => ({ ...item, sku: ` ${sku.toLowerCase()} `, vendor: 'nobody' })),
    ...(each['tags'] ?? []).map((tag) => ({ ...item, properties: { tag: `sale, ${tag.toUpperCase()}` } })),
    ...(each['vendors'] ?? []).map((vendor) => ({ ...item, sku: 'other', vendor })),
    ...(each['variantIds'] ?? []).map((variantId) => ({ ...item, variantId })),
    ...(each['productIds'] ?? []).map((productId) => ({ ...item, productId, properties: { tag: 'knife' } })),
  ]);
  const items: Cart['items'] = [item, { ...item, sku: '' }, ...listed];
  assert.ok(items.length > 10);
  const compiled = compileShop(config, shop);
  const facts = new CartFacts(compiled, { destination: { country: 'US' }, items } as never, 0, null);
  assert.deepEqual(
    groupsOfItems(items, config.productGroups),
    facts.items.map(({ groupIndex }) => compiled.groupIds[groupIndex]),
  );
});

test('a cart without a rate says what is lacking and leads to it', () => {
  const said = (answer: Partial<Explained>, cart = CART) =>
    obstaclesOf({ ...ANSWER, ...answer }, cart, SHOP).map(({ text, steps }) => [
      text,
      ...steps.map(({ page, parameters, isNew }) =>
        linkTo(page, isNew ? { new: 'yes', ...parameters } : parameters),
      ),
    ]);
  const newMethod = '#/methods?new=yes&zone=zone_alps&group=group_f';
  assert.deepEqual(said({}), [['Alps has no method for Furniture.', newMethod]]);
  const van = method('van', null, 'group_f');
  const openRules = '#/methods?open=van&tab=rules';
  assert.deepEqual(said({ methodEvaluations: [van] }), [['van is hidden. It says below why.', openRules]]);
  // Hidden because of its country: in a zone with others by a further method of the zone, else by a zone of its own.
  const country = { conditionType: 'destination_country', matched: true } as never;
  const rule = { ruleId: 'r', name: '', action: 'hide', matched: true, conditions: [country] } as never;
  const hidden = [
    { ...van, ruleTraces: [rule] },
    { ...van, methodId: 'bike' },
  ];
  assert.deepEqual(said({ methodEvaluations: hidden }), [
    [
      '2 methods for these items are hidden. Each says below why.',
      ...[openRules, '#/methods?open=bike&tab=rules', newMethod],
    ],
  ]);
  const russia = { ...CART, destination: { country: 'RU' } };
  assert.equal(said({ methodEvaluations: hidden }, russia)[0]?.at(-1), '#/zones?new=yes');
  assert.deepEqual(
    said({ notConsidered: [{ methodId: 'method_1', methodName: 'Van', reason: 'disabled' }] }).slice(1),
    [['Not considered: Van (disabled).', '#/methods?open=method_1']],
  );
  assert.deepEqual(said({ zone: null }), [['Switzerland is in no zone.', '#/zones?new=yes', '#/zones']]);
  const [, card] = CART.items;
  assert.match(
    said({}, { ...CART, items: card === undefined ? [] : [card] })[0]?.[0] ?? '',
    /^Nothing in this cart/,
  );
  const refused = {
    methodEvaluations: [method('van', 900, 'group_f')],
    blendedRates: [blended('all', null)],
  };
  assert.match(said(refused)[0]?.[0] ?? '', /blended rates and nothing else/);
});

test('a postal code in no subzone and a country of two zones are said', () => {
  const said = (destination: Cart['destination']) =>
    placeHints(ANSWER, { ...CART, destination }, ZONES as never).map(({ text }) => text);
  assert.deepEqual(said(CART.destination), ['The postal code 7500 is not in the subzone Valais.']);
  assert.deepEqual(said({ country: 'at' }), [
    'Without a postal code the cart is not in the subzone Valais.',
    'Austria is also in EU, which is not asked because it stands later.',
  ]);
});

test('a method that a rule hides or does not show says so in the words of the rule', () => {
  const context = { currency: 'USD', nameOf: () => undefined };
  const rule = (action: 'hide' | 'show', matched: boolean, value?: string) => ({
    ...{ ruleId: 'rule_1', name: '', action, matched },
    conditions:
      value === undefined
        ? []
        : [
            {
              ...{ conditionType: 'cart_weight' as const, operator: 'greater_than_or_equal' as const, value },
              ...{ scope: 'any_product_in_order' as const, matched, actual: 1 },
            },
          ],
  });
  const said = (reason: 'hidden_by_rule' | 'not_shown_by_rule', ...ruleTraces: object[]) =>
    reasonSentence({ ...method('van', null), reason, ruleTraces } as never, context);
  const heavy = rule('hide', true, '20000');
  assert.equal(
    said('hidden_by_rule', rule('hide', false, '5'), heavy),
    'Hidden because the cart weighs 20 kg or more',
  );
  assert.equal(said('hidden_by_rule', rule('hide', true)), 'Hidden always');
  const [light, other] = [rule('show', false, '500'), rule('show', false, '900')];
  assert.equal(
    said('not_shown_by_rule', light, other),
    'Shown only if the cart weighs 500 g or more, or by 1 other rule',
  );
  assert.equal(reasonSentence(blended('all', null) as never, context), 'A group of the cart has no rate');
});
