/** Searches end as undecided when their steps run out. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequirementLogic } from '../../src/candidates/requirement-logic.ts';
import { Steps } from '../../src/candidates/steps.ts';
import type { Condition } from '../../src/domain/condition.ts';
import { ShopFacts } from '../../src/lint/shop-facts.ts';
import { condition, group, method, SETTINGS, shop, zone } from '../lint/config-builder.ts';

const COUNT = 140;
const list = (textOf: (i: number) => string): string =>
  Array.from({ length: COUNT }, (_, i) => textOf(i)).join();

const facts = new ShopFacts(
  shop({
    zones: [zone('us', ['US'], Object.fromEntries([...Array(COUNT).keys()].map((i) => [`s${i}`, `${i}X*`])))],
    productGroups: [
      group('rest', { isDefault: true }),
      ...[...Array(COUNT).keys()].map((i) => group(`g${i}`, { tags: [`${i}`] })),
    ],
    methods: [method('m')],
  }),
  SETTINGS,
);

/** Contradictions whose proof compares many values with many others, or with all places or groups. */
const CONTRADICTIONS: Readonly<Record<string, readonly Condition[]>> = {
  'parts of a text': [
    condition(
      'product_sku',
      'contains',
      list((i) => `${i}ab`),
    ),
    condition('product_sku', 'not_contains', `${list((i) => `${i}cd`)},ab`),
  ].map((each) => ({ ...each, scope: 'all_products_in_order' })),
  'beginnings of postal codes': [
    condition(
      'destination_postal_code',
      'starts_with',
      list((i) => `A${i}`),
    ),
    condition(
      'destination_postal_code',
      'starts_with',
      list((i) => `B${i}`),
    ),
  ],
  'groups that are not named in full': [condition('product_group', 'not_contains', 'g,rest')],
  'subzones that are not named in full': [
    condition('destination_subzone', 'not_contains', 's'),
    condition('destination_subzone', 'is_not_empty', ''),
  ],
  'currencies that are not named in full': [
    condition('cart_currency', 'starts_with', 'x'),
    condition('cart_currency', 'not_contains', 'x'),
  ],
};

describe('a contradiction that needs more steps than the budget is not reported', () => {
  const at = facts.method(method('m'))?.at;
  assert.ok(at !== undefined);
  for (const [name, conditions] of Object.entries(CONTRADICTIONS)) {
    it(`among ${name}`, () => {
      const requirements = conditions.map((each) => facts.table.of(each));
      const characters = requirements.reduce((sum, { key }) => sum + key.length, 0);
      const isToldWith = (steps: Steps) =>
        new RequirementLogic(facts.groups, steps).isContradictory(at, requirements);
      assert.equal(isToldWith(new Steps()), true);
      assert.equal(isToldWith(new Steps(characters + COUNT)), false);
    });
  }
});

it('a search that runs out of steps is undecided, and so is every later search', () => {
  const steps = new Steps(3);
  const searchOf = (count: number) =>
    steps.search(() => {
      steps.spend(count);
      return 'found';
    }, 'undecided');
  assert.deepEqual(
    [searchOf(2), searchOf(1), searchOf(1), searchOf(0)],
    ['found', 'found', 'undecided', 'undecided'],
  );
  assert.throws(() => new Steps(1).search(() => assert.fail('a bug'), null), /a bug/);
});
