/**
 * Which version last changed a method or rule (contract section 10.3), against a plain model: after each version the
 * model notes the records whose fields differ, which are new, or whose position a comparison names.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import { readImage, writeImage } from '../../../src/engine/change/state-image.ts';
import type { PlacedConfig, PlacedMethod, PlacedRule } from '../../../src/engine/domain/shop-event.ts';
import { historyCommandOf, historyIntent } from '../../support/history-arbitraries.ts';
import { shopWithZones, type TrialShop } from './trial-shop.ts';

const HISTORIES = Number(process.env['RATEWRIGHT_HISTORIES'] ?? 120);

type Marks = ReadonlyMap<string, number | undefined>;

/** Key of a record -> number of the version that last changed it. */
const marksIn = ({ methods }: PlacedConfig): Marks =>
  new Map(
    methods.flatMap((method) => [
      [method.id, method.changedIn] as const,
      ...method.rules.map((rule) => [`${method.id}/${rule.id}`, rule.changedIn] as const),
    ]),
  );

const methodText = ({ changedIn: _, placement: _placement, rules: _rules, ...fields }: PlacedMethod) =>
  JSON.stringify(fields, Object.keys(fields).concat(Object.keys(fields.config), NESTED).sort());
const ruleText = ({ changedIn: _, placement: _placement, name = '', ...fields }: PlacedRule) =>
  JSON.stringify({ ...fields, name });
/** Fields within the configurations of rates. */
const NESTED = ['from', 'to', 'price'];

const textsIn = ({ methods }: PlacedConfig): ReadonlyMap<string, string> =>
  new Map(
    methods.flatMap((method) => [
      [method.id, methodText(method)] as const,
      ...method.rules.map((rule) => [`${method.id}/${rule.id}`, ruleText(rule)] as const),
    ]),
  );

/** The marks of the model after version `number` made `after` of `before`. */
function noted(marks: Marks, before: PlacedConfig, after: PlacedConfig, number: number): Marks {
  const [old, texts] = [textsIn(before), textsIn(after)];
  const moved = new Set(
    compareConfigs(before, after)
      .modified.filter(({ changes }) => changes.some(({ field }) => field === 'position'))
      .map(({ kind, id, parentId }) => (kind === 'rule' ? `${parentId}/${id}` : id)),
  );
  return new Map(
    [...texts].map(([key, text]) => [key, old.get(key) !== text || moved.has(key) ? number : marks.get(key)]),
  );
}

/** The versions of a shop, oldest first. */
const versionsOf = (shop: TrialShop) => [...shop.versions.values()].sort((a, b) => a.number - b.number);

test(`every record names the version that last changed it, in ${HISTORIES} histories with rollbacks, imports and promotions`, () => {
  let unchanged = 0;
  let restored = 0;
  fc.assert(
    fc.property(fc.array(historyIntent, { minLength: 8, maxLength: 40, size: 'max' }), (intents) => {
      const shop = shopWithZones();
      for (const intent of intents) {
        const outcome = shop.try(historyCommandOf(intent, shop.state, [...shop.versions.keys()]));
        if (!outcome.ok) continue;
        shop.keep(outcome.value);
        assert.deepEqual(readImage(writeImage(shop.state)), shop.state);
      }
      let marks: Marks = new Map();
      let before: PlacedConfig | null = null;
      for (const { number, config } of versionsOf(shop)) {
        marks = before === null ? marksIn(config) : noted(marks, before, config, number);
        assert.deepEqual(marksIn(config), marks, `version ${number}`);
        for (const mark of marks.values()) unchanged += mark === number ? 0 : 1;
        before = config;
      }
      const { staging, version } = shop.state;
      for (const [at, write] of (staging?.writes ?? []).entries()) {
        const upTo = { ...shop.state, staging: { ...staging, writes: staging?.writes.slice(0, at + 1) } };
        const config = readImage(writeImage(upTo as typeof shop.state)).staging?.config;
        assert.ok(config !== undefined && before !== null && write !== undefined);
        marks = noted(marks, before, config, version.number + at + 1);
        assert.deepEqual(marksIn(config), marks, `staged write ${at + 1}`);
        before = config;
        restored++;
      }
    }),
    { numRuns: HISTORIES },
  );
  assert.ok(unchanged > 0 && restored > 0, 'histories have records that stay and staged writes');
});

const markOf = (shop: TrialShop, id: string) =>
  shop.config.methods.find((method) => method.id === id)?.changedIn;
const rollbackTo = (shop: TrialShop, number: number) =>
  shop.accept({ kind: 'rollback', targetVersionId: idAt(shop, number) });
const idAt = (shop: TrialShop, number: number): string =>
  [...shop.versions].find(([, version]) => version.number === number)?.[0] ?? '';

test('a rollback changes what differed, and nothing else', () => {
  const shop = shopWithZones();
  const [a, b] = ['A', 'B'].map((name) => shop.createMethod({ name }).id);
  assert.ok(a !== undefined && b !== undefined);
  const target = shop.state.version.number;
  shop.accept({ kind: 'updateMethod', id: a, body: { subtitle: 'X' } });
  rollbackTo(shop, target);
  assert.equal(markOf(shop, a), shop.state.version.number);
  assert.equal(markOf(shop, b), target);
});

test('a rollback of moves that cancelled each other out changes no record', () => {
  const shop = shopWithZones();
  const [a] = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }).id);
  assert.ok(a !== undefined);
  const target = shop.state.version.number;
  shop.accept({ kind: 'updateMethod', id: a, body: { position: 2 } });
  shop.accept({ kind: 'updateMethod', id: a, body: { position: 0 } });
  const back = shop.state.version.number;
  rollbackTo(shop, target);
  assert.equal(markOf(shop, a), back);
});

test('a write that changes nothing of a record leaves its version', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod({ name: 'A' });
  const created = shop.state.version.number;
  shop.accept({ kind: 'updateMethod', id, body: { name: 'A' } });
  shop.createRule(id, { action: 'free' });
  assert.equal(markOf(shop, id), created);
  assert.equal(shop.config.methods[0]?.rules[0]?.changedIn, shop.state.version.number);
});
