/** Results of a changeset compared with a naive computation over full answers, on random shops. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type ConditionType,
  type Subject,
} from '../../src/domain/condition.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import type { PlacedConfig } from '../../src/domain/shop-event.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { evaluateShadowBatch } from '../../src/shadow/shadow-batch.ts';
import { ShadowTally } from '../../src/shadow/shadow-tally.ts';
import { EVIDENCE_MAX } from '../../src/wire/gate-report.ts';
import { compileSchema } from '../../src/wire/schema-check.ts';
import { SAMPLE_ENTRIES_MAX, SAMPLES_MAX, ShadowResults } from '../../src/wire/shadow-results.ts';
import { shopEdits } from '../support/arbitrary/edits.ts';
import { referenceSimulate } from '../support/reference/simulate.ts';
import { type ShopCart, shopCase, simulationSettings } from '../support/shop-arbitraries.ts';
import { cart, FLAT, item, method, NOW_MS, rule, SETTINGS, shop } from '../support/small-shop.ts';
import { runUnderSchedules } from '../support/yield-schedules.ts';
import { isAnswered, naiveShadow, placed } from './naive-shadow.ts';

const results = compileSchema(ShadowResults);

function tallyOf(
  live: ShopConfig,
  staged: ShopConfig,
  settings: typeof SETTINGS | { currency: string; timezone: string },
  carts: readonly ShopCart[],
  batchSize = carts.length,
): ShadowTally {
  const before = compileShop(live, settings);
  const after = compileShop(staged, settings, before);
  const tally = new ShadowTally('shop', 'staging');
  for (let from = 0; from < carts.length; from += batchSize) {
    const batch = carts.slice(from, from + batchSize);
    const texts = batch.map(({ request }) => JSON.stringify(request));
    const times = batch.map(({ nowMs }) => nowMs);
    tally.add(evaluateShadowBatch(before, after, { texts, times, isReplay: false }), false, true);
  }
  return tally;
}

const textOf = (tally: ShadowTally): string => finishSteps(tally.textSteps(NEVER));

const viewOf = (tally: ShadowTally, live: ShopConfig, staged: ShopConfig) =>
  finishSteps(tally.viewSteps(placed<PlacedConfig>(live), placed<PlacedConfig>(staged), NEVER));

test('counts, coverage and prices by method equal a naive computation over full answers', () => {
  let different = 0;
  const property = fc.property(
    shopCase(12),
    shopEdits(simulationSettings, 4),
    fc.integer({ min: 1, max: 12 }),
    ({ config, settings, carts }, edits, batchSize) => {
      const staged = edits.reduce((form, edit) => edit(form), { config, settings }).config;
      const answered = carts.filter((one) => isAnswered(config, settings, one));
      const tally = tallyOf(config, staged, settings, answered, batchSize);
      const { samples, dropped, replayed, ...view } = viewOf(tally, config, staged);
      const naive = naiveShadow(config, staged, settings, answered);
      for (const id of naive.beyondDouble) {
        for (const { byMethod, byZone, byGroup } of [view, naive.results])
          for (const one of [byMethod[id], byZone[id], byGroup[id]])
            Object.assign(one ?? {}, { differenceCents: 0 });
      }
      assert.deepEqual(view, naive.results);
      assert.equal(samples.length, Math.min(SAMPLES_MAX, view.different));
      assert.deepEqual([dropped, replayed], [0, 0]);
      different += view.different;

      const read = ShadowTally.read(textOf(tally), 'shop', 'staging');
      const whole = viewOf(tally, config, staged);
      assert.ok(results.check(whole));
      assert.ok(read !== null);
      assert.deepEqual(viewOf(read, config, staged), whole);
      tally.prune(placed(config), placed(staged));
      assert.deepEqual(viewOf(tally, config, staged), whole);
    },
  );
  fc.assert(property, { numRuns: 120, unbiased: true, includeErrorInReport: true });
  assert.ok(different > 20, `${different} carts that differ`);
});

/** Of the customer's tags a sample shows those that a condition names. */
const isPersonal = (type: ConditionType) =>
  CONDITION_TYPES[type].privacy === 'personal' && type !== 'customer_tag';
const withoutPersonalConditions = (config: ShopConfig): ShopConfig => ({
  ...config,
  methods: config.methods.map((one) => ({
    ...one,
    rules: one.rules.map((rule) => ({
      ...rule,
      conditions: rule.conditions.filter(({ conditionType }) => !isPersonal(conditionType)),
    })),
  })),
});

/** The texts of these that a sample shows only if something reads them, when nothing does. */
const unread = (of: Subject) =>
  Object.fromEntries(
    CONDITION_TYPE_NAMES.map((type) => CONDITION_TYPES[type])
      .filter(({ subject, kind, privacy }) => subject === of && kind !== 'number' && privacy !== 'public')
      .flatMap(({ reads }) => reads.map((name) => [name, null])),
  );
const UNREAD = {
  ...unread('item'),
  ...{ name: null, vendor: null, productId: null, variantId: null, properties: null },
};
const NOBODY = {
  ...unread('destination'),
  ...{ name: null, company: null, phone: null },
  ...{ address1: null, address2: null, address3: null },
};

test('a sample has the rates of both sides and their differences, and no personal data', () => {
  const live = shop([method('a', FLAT(500)), method('b', FLAT(700)), method('gone', FLAT(900))]);
  const staged = shop([method('a', FLAT(500)), method('b', FLAT(650)), method('new', FLAT(100))]);
  const personal = {
    name: 'Ada Lovelace',
    phone: '+1 555 0199',
    address1: '1 Analytical Way',
    company: 'Engines',
  };
  const request = {
    ...cart(item({ sku: 'S1', name: 'Gift for Ada', quantity: 2 }), item({ requiresShipping: false })),
    destination: { country: 'US', province: 'CA', postalCode: '90210', city: 'Beverly Hills', ...personal },
  };
  const view = viewOf(tallyOf(live, staged, SETTINGS, [{ request, nowMs: NOW_MS }]), live, staged);
  const answers = [live, staged].map((config) => referenceSimulate(config, SETTINGS, request, NOW_MS));
  const [before, after] = answers.map((answer) => (answer.status === 200 ? answer.answer.rates : []));
  assert.deepEqual(view.samples, [
    {
      at: '2026-11-18T17:00:00.000Z',
      destination: { country: 'US', province: 'CA', postalCode: '90210' },
      items: [
        { sku: 'S1', quantity: 2, grams: 100, price: 1_000, requiresShipping: true },
        { sku: '', quantity: 1, grams: 100, price: 1_000, requiresShipping: false },
      ],
      itemCount: 2,
      cartTotal: 3_000,
      live: before,
      staged: after,
      differences: [
        { serviceCode: 'b', serviceName: 'b', live: 700, staged: 650 },
        { serviceCode: 'gone', serviceName: 'gone', live: 900, staged: null },
        { serviceCode: 'new', serviceName: 'new', live: null, staged: 100 },
      ],
      request: {
        destination: { ...NOBODY, country: 'US', province: 'CA', postalCode: '90210', city: null },
        items: [
          { ...UNREAD, sku: 'S1', quantity: 2, grams: 100, price: 1_000, requiresShipping: null },
          { ...UNREAD, sku: null, quantity: 1, grams: 100, price: 1_000, requiresShipping: false },
        ],
        ...unread('request'),
        currency: null,
        locale: null,
      },
      replayed: false,
    },
  ]);
  assert.doesNotMatch(JSON.stringify(view), /Ada|0199|Analytical|Engines|Beverly/);
});

test('a changeset that only renames methods has no differences', () => {
  const live = shop([method('a', FLAT(500))]);
  const staged = shop([method('a', FLAT(500), { name: 'Express', subtitle: 'fast' })]);
  const view = viewOf(
    tallyOf(live, staged, SETTINGS, [{ request: cart(item()), nowMs: NOW_MS }]),
    live,
    staged,
  );
  assert.deepEqual([view.identical, view.different, view.byMethod], [1, 0, {}]);
});

test('the newest samples are kept, newest first, and each stays small', () => {
  const many = Array.from({ length: 60 }, (_, index) => method(`m${index}`, FLAT(index)));
  const live = shop(many);
  const staged = shop(many.map((one) => ({ ...one, ...FLAT(5_000) })));
  const items = Array.from({ length: 300 }, () => item({ sku: 'x'.repeat(500) }));
  const carts = Array.from({ length: SAMPLES_MAX + 7 }, (_, index) => ({
    request: { ...cart(...items), destination: { country: 'US', province: 'p'.repeat(900) } },
    nowMs: NOW_MS + index,
  }));
  const tally = tallyOf(live, staged, SETTINGS, carts, 10);
  const { samples, different } = viewOf(tally, live, staged);
  assert.equal(different, carts.length);
  assert.deepEqual(
    samples.map(({ at }) => Date.parse(at) - NOW_MS),
    Array.from({ length: SAMPLES_MAX }, (_, index) => carts.length - 1 - index),
  );
  for (const { items: kept, itemCount, live: before, staged: after, differences } of samples) {
    assert.equal(itemCount, 300);
    for (const list of [kept, before, after, differences]) assert.equal(list.length, SAMPLE_ENTRIES_MAX);
  }
  assert.ok(textOf(tally).length < 1_500_000);
});

test('lost carts stay evidence however many other carts differ after them', () => {
  const isLight = { conditionType: 'cart_weight', operator: 'less_than', value: '100' } as const;
  const conditions = [{ ...isLight, scope: 'any_product_in_order' as const }];
  const live = shop([method('a', FLAT(1))]);
  const staged = shop([method('a', FLAT(2), { rules: [rule('light', 'hide', { conditions })] })]);
  const lost = EVIDENCE_MAX + 5;
  const carts = Array.from({ length: lost + 2 * SAMPLES_MAX }, (_, index) => ({
    request: cart(item({ grams: index < lost ? 99 : 100 })),
    nowMs: NOW_MS + index,
  }));
  const tally = tallyOf(live, staged, SETTINGS, carts, 10);
  for (const each of [tally, ShadowTally.read(textOf(tally), 'shop', 'staging')]) {
    assert.ok(each !== null);
    const results = finishSteps(each.editSteps(placed(staged), NEVER));
    assert.equal(results.lost, lost);
    assert.ok(results.samples.every(({ staged: rates }) => rates.length > 0));
    assert.deepEqual(
      results.lostSamples.map(({ at, staged: rates }) => [Date.parse(at) - NOW_MS, rates.length]),
      Array.from({ length: EVIDENCE_MAX }, (_, index) => [lost - 1 - index, 0]),
    );
  }
});

test('the request of a sample gets the same answer as the full request, if no rule reads personal fields', () => {
  let samples = 0;
  const property = fc.property(
    shopCase(6),
    shopEdits(simulationSettings, 4),
    ({ config: whole, settings, carts }, edits) => {
      const edited = edits.reduce((form, edit) => edit(form), { config: whole, settings }).config;
      const [config = whole, staged = edited] = [whole, edited].map(withoutPersonalConditions);
      for (const { request, nowMs } of carts) {
        const [sample] = viewOf(
          tallyOf(config, staged, settings, [{ request, nowMs }]),
          config,
          staged,
        ).samples;
        if (sample === undefined || sample.request === null) continue;
        samples++;
        for (const side of [config, staged]) {
          const ratesFor = (cart: SimulateRequest) => {
            const result = referenceSimulate(side, settings, cart, nowMs);
            return result.status === 200 ? result.answer.rates : null;
          };
          assert.deepEqual(ratesFor(sample.request), ratesFor(request));
        }
      }
    },
  );
  fc.assert(property, { numRuns: 120, unbiased: true });
  assert.ok(samples > 20, `${samples} samples`);
});

test('results of an earlier release are read; counts that it did not have start at 0', () => {
  const live = shop([method('a', FLAT(500))]);
  const staged = shop([method('a', FLAT(600))]);
  const tally = tallyOf(live, staged, SETTINGS, [{ request: cart(item()), nowMs: NOW_MS }]);
  const { zones: _zones, groups: _groups, counts, samples, ...rest } = JSON.parse(textOf(tally));
  const { lost: _lost, gained: _gained, ...known } = counts;
  const [{ request: _request, ...sample }] = samples;
  const earlier = JSON.stringify({ ...rest, counts: known, samples: [sample] });
  const read = ShadowTally.read(earlier, 'shop', 'staging');
  assert.ok(read !== null);
  const view = viewOf(read, live, staged);
  assert.ok(results.check(view));
  assert.deepEqual(view, {
    ...viewOf(tally, live, staged),
    byZone: {},
    byGroup: {},
    samples: [{ ...sample, request: null }],
  });
});

test('results of another changeset or format are ignored', () => {
  const text = textOf(new ShadowTally('shop', 'staging'));
  assert.ok(ShadowTally.read(text, 'shop', 'staging') !== null);
  assert.equal(ShadowTally.read(text, 'shop', 'another'), null);
  assert.equal(
    ShadowTally.read(JSON.stringify({ ...JSON.parse(text), format: 99 }), 'shop', 'staging'),
    null,
  );
});

test('results of a large shop are shown and stored in steps', () => {
  const ids = (kind: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `${kind}_${at}`, name: `${kind} ${at}` }));
  const [zones, productGroups, methods] = [ids('zone', 300), ids('group', 300), ids('method', 3_000)];
  const config = { zones, productGroups, methods, blendedRates: [] } as unknown as PlacedConfig;
  const shift = { priceUp: 1, priceDown: 0, appeared: 0, disappeared: 0, differenceCents: 5 };
  const findings = {
    ...{ evaluated: 1, identical: 0, different: 1, lost: 0, gained: 0, zones: {}, groups: {} },
    lostSamples: [],
    pairs: zones.flatMap(({ id }) => productGroups.slice(1).map((group) => [id, group.id])),
    methods: Object.fromEntries(methods.map(({ id }) => [id, shift])),
  };
  const tally = new ShadowTally('shop', 'staging');
  const batch = { findings: JSON.stringify(findings), samples: new Uint8Array(0) };
  tally.add(batch, false, true);
  const view = runUnderSchedules((shouldYield) => tally.viewSteps(config, config, shouldYield));
  assert.ok(view.questions >= 2 * methods.length + zones.length, `${view.questions} questions`);
  const { coverage, byMethod } = view.value;
  assert.deepEqual([coverage.seen, coverage.possible, coverage.missing.length], [300 * 299, 300 * 300, 300]);
  assert.ok(coverage.missing.every(({ productGroupId }) => productGroupId === 'group_0'));
  assert.equal(Object.keys(byMethod).length, 3_000);
  const text = runUnderSchedules((shouldYield) => tally.textSteps(shouldYield));
  assert.ok(text.questions >= methods.length, `${text.questions} questions`);
  const read = ShadowTally.read(text.value, 'shop', 'staging');
  assert.ok(read !== null);
  assert.deepEqual(viewOf(read, config as never, config as never).coverage, coverage);
});

test('deleted records are removed from the results, and the others stay', () => {
  const live = shop([method('a', FLAT(1)), method('b', FLAT(1))]);
  const staged = shop([method('a', FLAT(2)), method('b', FLAT(2)), method('brief', FLAT(3))]);
  const tally = tallyOf(live, staged, SETTINGS, [{ request: cart(item()), nowMs: NOW_MS }]);
  const later = shop([method('a', FLAT(2))]);
  tally.prune(placed(live), placed(later));
  assert.deepEqual(Object.keys(viewOf(tally, live, later).byMethod).sort(), ['a', 'b']);
});
