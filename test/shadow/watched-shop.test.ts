import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import type { Condition } from '../../src/domain/condition.ts';
import type { PlacedConfig, ShopState } from '../../src/domain/shop-event.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { finishSteps, NEVER, type ShouldYield } from '../../src/pace/work-steps.ts';
import { keptRequest, personalFieldsRead } from '../../src/shadow/kept-request.ts';
import { RecentSimulations, ShopRecent } from '../../src/shadow/watched-shop.ts';
import { RECENT_SIMULATIONS_MAX } from '../../src/wire/shadow-results.ts';
import { shopCase } from '../support/shop-arbitraries.ts';
import { cart, FLAT, item, method, rule, shop } from '../support/small-shop.ts';
import { placed } from './naive-shadow.ts';

const reads = (...types: readonly Condition['conditionType'][]): PlacedConfig => {
  const conditions = types.map((conditionType): Condition => {
    return { conditionType, operator: 'contains', value: 'x', scope: 'any_product_in_order' };
  });
  return placed(shop([method('a', FLAT(1), { rules: [rule('r', 'hide', { conditions })] })]));
};

const stateOf = (config: PlacedConfig, staged: PlacedConfig | null = null): ShopState =>
  ({ config, staging: staged === null ? null : { config: staged } }) as unknown as ShopState;

const ADDRESSED: SimulateRequest = {
  ...cart(item({ sku: 'S' })),
  destination: {
    country: 'US',
    province: 'CA',
    city: 'LA',
    postalCode: '90001',
    name: 'Name',
    company: 'Company',
    phone: 'Phone',
    address1: 'Street 1',
    address2: 'Street 2',
    address3: 'Street 3',
  },
};

const TEXT = JSON.stringify(ADDRESSED);

const listOf = (recent: ShopRecent) => finishSteps(recent.listSteps(NEVER));

const namesIn = (kept: readonly { readonly text: string }[]) =>
  ['Name', 'Company', 'Phone', 'Street 1', 'Street 2', 'Street 3'].filter((text) =>
    JSON.stringify(kept).includes(text),
  );

test('personal fields are kept only if a rule of either configuration reads them', () => {
  const street = ['Street 1', 'Street 2', 'Street 3'];
  const cases: readonly (readonly [PlacedConfig, PlacedConfig | null, readonly string[]])[] = [
    [reads(), null, []],
    [reads('destination_city', 'destination_postal_code'), null, []],
    [reads('destination_name'), null, ['Name']],
    [reads('destination_address'), reads('destination_phone'), ['Phone', ...street]],
    [reads(), reads('destination_company'), ['Company']],
  ];
  for (const [live, staged, expected] of cases) {
    const recent = new ShopRecent(new RecentSimulations(1_000_000), stateOf(live, staged));
    recent.add(TEXT, 1);
    assert.deepEqual(namesIn(listOf(recent)), expected);
  }
});

test('a request as bytes means the same as its text, with any characters', () => {
  const request: SimulateRequest = {
    ...ADDRESSED,
    ...cart(item({ sku: 'S', name: 'Käse 🧀', vendor: '李' })),
  };
  const text = JSON.stringify(keptRequest(request, 0));
  const lists = [text, new TextEncoder().encode(text)].map((watched) => {
    const recent = new ShopRecent(new RecentSimulations(1_000_000), stateOf(reads()));
    // One that is stripped again, and one that is not, because the fields that rules read are known by then.
    for (const nowMs of [1, 2]) {
      recent.add(watched, nowMs, true);
      listOf(recent);
    }
    return listOf(recent).map((one) => [one.text, one.nowMs]);
  });
  assert.deepEqual(lists, Array(2).fill([1, 2].map((nowMs) => [text, nowMs])));
});

test('fields that no rule reads any more are removed from kept requests', () => {
  const all = new RecentSimulations(1_000_000);
  const recent = new ShopRecent(all, stateOf(reads('destination_name', 'destination_phone')));
  recent.add(TEXT, 1);
  all.tidy();
  const { bytes } = all;
  recent.changed(stateOf(reads('destination_phone')));
  all.tidy();
  assert.ok(all.bytes < bytes);
  assert.deepEqual(namesIn(listOf(recent)), ['Phone']);
});

test('fields that are not in the contract are not kept', () => {
  const request = {
    ...ADDRESSED,
    note: 'unknown note',
    destination: { ...ADDRESSED.destination, email: 'unknown@example' },
    items: [{ ...item(), properties: { tag: 'a', engraving: 'unknown words' } }],
  };
  assert.doesNotMatch(JSON.stringify(keptRequest(request, 0)), /unknown/);
});

test('a kept request gets the same answer as the full request', () => {
  const property = fc.property(shopCase(4), ({ config, settings, carts }) => {
    const compiled = compileShop(config, settings);
    const fields = personalFieldsRead(placed(config));
    for (const { request, nowMs } of carts) {
      const kept = JSON.parse(JSON.stringify(keptRequest(request, fields))) as SimulateRequest;
      assert.deepEqual(evaluate(compiled, kept, nowMs), evaluate(compiled, request, nowMs));
    }
  });
  fc.assert(property, { numRuns: 150, unbiased: true });
});

/** Ends a turn after this many questions. */
const turnOf = (questions: number): ShouldYield => {
  let asked = 0;
  return () => ++asked >= questions;
};

test('requests are stripped a few at a time, newest first, shop by shop', () => {
  const all = new RecentSimulations(1_000_000);
  const shops = [1, 2, 3].map(() => new ShopRecent(all, stateOf(reads())));
  for (const recent of shops) for (let i = 0; i < 50; i++) recent.add(TEXT, i);
  const { bytes } = all;
  // The rules have one method, so the first question of each shop comes from their search.
  for (let turn = 0; turn < 3; turn++) all.tidy(turnOf(21));
  const perText = (bytes - all.bytes) / 60;
  assert.notEqual(perText, 0);
  for (const recent of shops) assert.ok(recent.hasUnstripped);
  for (let turn = 0; turn < 3; turn++) all.tidy(turnOf(31));
  assert.equal(bytes - all.bytes, 150 * perText);
  for (const recent of shops) assert.ok(!recent.hasUnstripped);
});

test('the last simulations of a shop are kept, oldest first', () => {
  const property = fc.property(fc.array(fc.nat(150), { maxLength: 6 }), (rounds) => {
    const all = new RecentSimulations(1_000_000_000);
    const recent = new ShopRecent(all, stateOf(reads()));
    let nowMs = 0;
    for (const count of rounds) {
      for (let i = 0; i < count; i++) recent.add(TEXT, nowMs++);
      all.tidy();
    }
    const times = listOf(recent).map((one) => one.nowMs);
    const expected = Array.from({ length: nowMs }, (_, time) => time).slice(-RECENT_SIMULATIONS_MAX);
    assert.deepEqual(times, expected);
    recent.close();
    assert.equal(all.bytes, 0);
  });
  fc.assert(property);
});

test('the limit holds over all shops, and the longest idle shop loses its texts first', () => {
  const single = new RecentSimulations(1_000_000);
  new ShopRecent(single, stateOf(reads())).add(TEXT, 0);
  single.tidy();
  const all = new RecentSimulations(10 * single.bytes);
  const [quiet, busy] = [new ShopRecent(all, stateOf(reads())), new ShopRecent(all, stateOf(reads()))];
  for (let i = 0; i < 6; i++) quiet.add(TEXT, i);
  all.tidy();
  for (let i = 0; i < 7; i++) busy.add(TEXT, i);
  all.tidy();
  assert.deepEqual(
    [quiet, busy].map((recent) => listOf(recent).map(({ nowMs }) => nowMs)),
    [
      [3, 4, 5],
      [0, 1, 2, 3, 4, 5, 6],
    ],
  );
  for (let i = 7; i < 30; i++) busy.add(TEXT, i);
  all.tidy();
  assert.deepEqual([listOf(quiet).length, listOf(busy).length], [0, 10]);
  assert.ok(all.bytes <= 10 * single.bytes);
  assert.equal(listOf(busy).at(-1)?.nowMs, 29);
});

test('a limit of 0 keeps nothing', () => {
  const all = new RecentSimulations(0);
  const recent = new ShopRecent(all, stateOf(reads()));
  recent.add(TEXT, 0);
  all.tidy();
  assert.deepEqual(listOf(recent), []);
});

test('a long search of the rules is spread over turns, and nothing is listed before it has ended', () => {
  const many = Array.from({ length: 9_000 }, (_, at) => method(`m${at}`, FLAT(1)));
  const quiet: PlacedConfig = placed(shop(many));
  const config = { ...quiet, methods: [...quiet.methods, ...reads('destination_phone').methods] };
  const all = new RecentSimulations(1_000_000);
  const recent = new ShopRecent(all, stateOf(config));
  recent.add(TEXT, 1);
  const asItCame = all.bytes;
  for (let turn = 0; turn < 8; turn++) all.tidy(turnOf(1_000));
  assert.equal(all.bytes, asItCame, 'a turn does not search all rules');
  const listing = recent.listSteps(turnOf(1_000));
  assert.equal(listing.next().done, false);
  assert.deepEqual(namesIn(finishSteps(listing)), ['Phone']);
});

test('a list that is made while the rules change has what the new rules read, and nothing else', () => {
  const all = new RecentSimulations(1_000_000);
  const recent = new ShopRecent(all, stateOf(reads('destination_name', 'destination_phone')));
  for (let i = 0; i < 3; i++) recent.add(TEXT, i);
  const listing = recent.listSteps(() => true);
  for (let step = 0; step < 2; step++) assert.equal(listing.next().done, false);
  recent.changed(stateOf(reads('destination_phone', 'destination_company')));
  recent.add(TEXT, 3);
  const texts = finishSteps(listing).map(({ text }) => [{ text }]);
  assert.deepEqual(texts.map(namesIn), [
    ['Company', 'Phone'],
    ['Company', 'Phone'],
    ['Phone'],
    ['Company', 'Phone'],
  ]);
});
