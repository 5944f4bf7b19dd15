/** What a difference changes in one line, what made it, and which rates it changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateChanges, serviceChanges } from '../../../src/front/console/changeset/rate-changes.ts';
import {
  type Comparison,
  differenceText,
  draftText,
  ownText,
  rowText,
} from '../../../src/front/console/parts/change-text.ts';

const NOTHING: Comparison = { added: [], modified: [], removed: [] };

test('a difference in one line has prices first, long lists counted, and a bound', () => {
  const codes = Array.from({ length: 5_000 }, (_, at) => `H${at}`).join(', ');
  const difference = {
    ...NOTHING,
    modified: [
      { kind: 'zone', id: 'z', name: 'World', changes: [{ field: 'name', from: 'Rest', to: 'World' }] },
      {
        kind: 'subzone',
        id: 's',
        name: 'Montreal',
        changes: [{ field: 'postalCodes', from: 'H*', to: codes }],
      },
      {
        kind: 'method',
        id: 'm',
        name: 'Standard',
        changes: [
          { field: 'subtitle', from: null, to: 'By road' },
          { field: 'config', from: { price: 910 }, to: { price: 80 } },
        ],
      },
    ],
  } satisfies Comparison;
  assert.equal(
    differenceText(difference, 'USD'),
    'Standard: price $9.10 → $0.80 and description By road; World: name Rest → World; Montreal: postal codes +5000 −1',
  );
  const added = ['a', 'b', 'c', 'd'].map((id) => ({ kind: 'method', id, name: id }) as const);
  assert.equal(differenceText({ ...NOTHING, added: added.slice(2) }, 'USD'), 'c added; d added');
  assert.match(differenceText({ ...difference, added }, 'USD'), /; 1 more$/);
  assert.equal(differenceText(NOTHING, 'USD'), 'nothing changed');
});

test('what a draft published is called by its name, whatever its last version did', () => {
  const version = {
    description: 'Zone "World" updated (promotion forced)',
    createdBy: 'promotion',
    changeset: { name: 'Winter' },
  } as const;
  const counts = { added: 0, modified: 3, removed: 0 };
  assert.equal(
    rowText({ ...version, batch: { size: 3 } }, counts),
    'Winter, published despite the rules: 3 changed',
  );
  assert.equal(rowText({ description: 'x', createdBy: 'promotion' }), 'A draft, published');
  assert.equal(ownText(version), 'Zone "World" updated');
  assert.equal(draftText(version), ' in “Winter” despite the rules for publishing');
  const saved = { description: 'Method "Economy" updated', createdBy: 'user' } as const;
  assert.equal(
    rowText({ ...saved, batch: { size: 3 } }, counts),
    'Method "Economy" updated, with 2 other changes',
  );
  assert.equal(rowText(saved, counts) + draftText(saved), saved.description);
  // Prices of many methods are changed by an import too.
  const said = (description: string) => ownText({ description, createdBy: 'import' });
  assert.equal(said('Configuration imported'), 'Several records saved at once');
  assert.equal(said('Method "Eco": adjust_add rule created'), 'Method "Eco": rule “Add” created');
});

test('only rates that differ are named, whatever their order, and each service once for all carts', () => {
  const rate = (serviceCode: string, totalPrice: number, day?: string) => ({
    serviceCode,
    totalPrice,
    ...(day === undefined ? {} : { minDeliveryDate: day, maxDeliveryDate: day }),
  });
  const sample = (before: ReturnType<typeof rate>[], after: ReturnType<typeof rate>[]) =>
    ({ before, after }) as never;
  const [eco, old, cheap] = [rate('eco', 395), rate('std', 910), rate('std', 80)];
  assert.deepEqual(rateChanges(sample([eco, old], [cheap, eco])), [
    { serviceCode: 'std', before: old, after: cheap },
  ]);
  assert.deepEqual(rateChanges(sample([eco, eco], [eco])), [
    { serviceCode: 'eco', before: eco, after: null },
  ]);
  const [early, late] = [rate('eco', 395, '2026-11-28'), rate('eco', 395, '2026-11-30')];
  assert.equal(rateChanges(sample([early], [late])).length, 1);
  assert.deepEqual(rateChanges(sample([early], [early])), []);
  const samples = [
    sample([eco, old], [cheap]),
    sample([rate('std', 1_200)], [cheap]),
    sample([], [rate('new', 5)]),
  ];
  assert.deepEqual(serviceChanges(samples), [
    { serviceCode: 'std', before: [910, 1_200], after: [80], hasOtherPrices: true },
    { serviceCode: 'eco', before: [395], after: [null], hasOtherPrices: true },
    { serviceCode: 'new', before: [null], after: [5], hasOtherPrices: true },
  ]);
  // The lowest and the highest price stay, and each cart has the other one: no word of dates alone.
  const swapped = [
    sample([rate('std', 300)], [rate('std', 500)]),
    sample([rate('std', 500)], [rate('std', 300)]),
  ];
  assert.deepEqual(serviceChanges(swapped), [
    { serviceCode: 'std', before: [300, 500], after: [300, 500], hasOtherPrices: true },
  ]);
  assert.equal(serviceChanges([sample([early], [late])])[0]?.hasOtherPrices, false);
});
