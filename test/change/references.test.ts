/** Methods and rules are found by their ids as a walk over all of them finds them, whatever list is asked about. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writtenConfig } from '../../src/change/decide.ts';
import { MethodIndex } from '../../src/change/references.ts';
import type { PlacedMethod } from '../../src/domain/shop-event.ts';
import { historyCommandOf, historyIntent } from '../support/history-arbitraries.ts';
import { fullShop } from './trial-shop.ts';

const run = fc.array(historyIntent, { minLength: 8, maxLength: 40, size: 'max' });

/** `id` of a method, and of a rule, as `index` and a walk find them. */
function assertFound(index: MethodIndex, methods: readonly PlacedMethod[], id: string): void {
  assert.equal(
    index.indexOf(methods, id),
    methods.findIndex((method) => method.id === id),
    id,
  );
  assert.equal(
    index.indexOfRule(methods, id),
    methods.findIndex(({ rules }) => rules.some((rule) => rule.id === id)),
    id,
  );
}

for (const { lists, asksBefore } of [
  { lists: 'the newest methods', asksBefore: false },
  { lists: 'the newest methods and those before each write', asksBefore: true },
]) {
  test(`one index finds all of ${lists}, and their rules, in any history`, () => {
    fc.assert(
      fc.property(run, (intents) => {
        const shop = fullShop();
        const index = new MethodIndex();
        const ids = new Set<string>(['method_unknown']);
        shop.context = { index };
        for (const intent of intents) {
          const { state } = shop;
          const outcome = shop.try(historyCommandOf(intent, state, [...shop.versions.keys()]));
          if (outcome.ok) shop.keep(outcome.value);
          const { methods } = writtenConfig(shop.state);
          for (const { id, rules } of methods) {
            ids.add(id);
            for (const rule of rules) ids.add(rule.id);
          }
          for (const id of ids) assertFound(index, methods, id);
          if (asksBefore) for (const id of ids) assertFound(index, writtenConfig(state).methods, id);
        }
      }),
      { numRuns: 100 },
    );
  });
}

test('after an accepted write the index already describes its methods', () => {
  const shop = fullShop();
  const index = new MethodIndex();
  shop.context = { index };
  shop.createMethod({ name: 'New', position: 0 });
  const { methods } = shop.config;
  assert.ok(index.describes(methods));
  for (const { id } of methods) assertFound(index, methods, id);
});

test('an index whose steps were abandoned still answers correctly', () => {
  const shop = fullShop();
  const before = shop.config.methods;
  const index = new MethodIndex();
  index.indexOf(before, '');
  shop.accept({ kind: 'updateMethod', id: 'method_freight', body: { position: 0 } });
  shop.createRule('method_freight');
  const after = shop.config.methods;
  index.describeSteps(after, () => true).next();
  for (const methods of [before, after]) {
    for (const { id, rules } of methods) {
      for (const one of [id, ...rules.map((rule) => rule.id)]) assertFound(index, methods, one);
    }
  }
});
