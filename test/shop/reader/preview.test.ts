/**
 * A cart tried in a preview: its explanation is what the shop gives once the data is executed (contract sections 8 and
 * 10). `RATEWRIGHT_PREVIEWED_SHOPS=3000 npm test -- shop/preview` runs more shops.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { joinedText } from '../../../src/base/bytes/answer-text.ts';
import type { Outcome } from '../../../src/engine/domain/failure.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { ExplainedAnswer, LastChanged } from '../../../src/engine/wire/explained-answer.ts';
import { snapshotOf } from '../../../src/engine/wire/record-view.ts';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import { shopEdits } from '../../support/arbitrary/edits.ts';
import { type ShopCart, shopCase, simulationSettings } from '../../support/shop-arbitraries.ts';
import { accepted, openShop, request as writeRequest } from '../actor/shop-stage.ts';

const SHOPS = Number(process.env['RATEWRIGHT_PREVIEWED_SHOPS'] ?? 40);
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? Date.now() % 1_000_000_000);
const MOMENT = { now: '2026-01-02T03:04:05.000Z', seed: 'seed' };
const NOT_SAVED: LastChanged = {
  ...{ versionId: null, number: null, at: null },
  ...{ keyId: null, keyLabel: null, createdBy: null },
};

const dataOf = (config: ShopConfig): ConfigData => {
  const { versionId: _, ...data } = snapshotOf(config, '');
  return data as ConfigData;
};

const execute = (shop: ShopActor, data: ConfigData) =>
  shop.write(writeRequest({ kind: 'executeConfig', data }));

function tried(shop: ShopActor, data: ConfigData, { request, nowMs }: ShopCart): Outcome<ExplainedAnswer> {
  const moment = { ...MOMENT, now: new Date(nowMs).toISOString() };
  const previewed = shop.preview({ data, request }, moment);
  if (!previewed.ok) return previewed;
  const { simulation } = previewed.value;
  assert.ok(simulation !== undefined);
  return { ok: true, value: simulation };
}

function explained(
  shop: ShopActor,
  source: 'live' | 'staged',
  { request, nowMs }: ShopCart,
): Outcome<ExplainedAnswer> {
  const answer = shop.simulate(request, nowMs, { source, form: 'explained' });
  return answer.ok ? { ok: true, value: JSON.parse(joinedText(answer.value)) } : answer;
}

/** The text of an answer, in which the changes of the newest write count as not saved. */
function unsaved(answer: Outcome<ExplainedAnswer>, isNewest: (change: LastChanged) => boolean): string {
  return JSON.stringify(answer, (field, value) =>
    field === 'lastChanged' && value !== null && isNewest(value) ? NOT_SAVED : value,
  );
}

test(`what a preview explains of an edit is what the shop explains once it is saved, in ${SHOPS} shops`, async () => {
  const counts = { edited: 0, ofTheEdit: 0, ofBefore: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      shopCase(2),
      shopEdits(simulationSettings, 3),
      fc.boolean(),
      async ({ config, settings, carts }, edits, isStaged) => {
        const { stage, shop } = await openShop();
        accepted(await shop.write(writeRequest({ kind: 'updateShop', body: settings })));
        if (!(await execute(shop, dataOf(config))).ok) return;
        if (isStaged) accepted(await shop.write(writeRequest({ kind: 'enterStaging' })));
        stage.clock.ms += 1_000;
        const form = edits.reduce((before, edit) => edit(before), { config, settings });
        const data = dataOf(form.config);
        const previews = carts.map((cart) => tried(shop, data, cart));
        const executed = await execute(shop, data);
        if (!executed.ok) {
          for (const preview of previews) assert.deepEqual(preview, executed);
          return;
        }
        counts.edited++;
        const at = new Date(stage.clock.ms).toISOString();
        const { number } = shop.state.version;
        const isNewest = (change: LastChanged) =>
          isStaged ? change.number === null && change.at === at : change.number === number;
        for (const [index, cart] of carts.entries()) {
          const preview = previews[index] as Outcome<ExplainedAnswer>;
          const saved = explained(shop, isStaged ? 'staged' : 'live', cart);
          assert.equal(JSON.stringify(preview), unsaved(saved, isNewest));
          if (!preview.ok) counts.refused++;
          for (const { steps } of preview.ok ? preview.value.methodEvaluations : []) {
            for (const { lastChanged } of steps) {
              assert.ok(lastChanged !== null);
              if (JSON.stringify(lastChanged) === JSON.stringify(NOT_SAVED)) counts.ofTheEdit++;
              else counts.ofBefore++;
            }
          }
        }
      },
    ),
    { seed: SEED, numRuns: SHOPS },
  );
  assert.ok(counts.edited > SHOPS / 4, JSON.stringify(counts));
  assert.ok(counts.ofTheEdit > 0 && counts.ofBefore > 0, JSON.stringify(counts));
});

const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 100 }] };
const ZONES = [{ id: 'zone_us', name: 'US', countries: ['US'] }];
const METHOD = { name: 'A', zoneId: 'zone_us', rateType: 'flat', config: { price: 500 } } as const;
const RULE = { name: 'More', action: 'adjust_add', adjustmentValue: 100 } as const;

test('ids that execute will make stand for their records within the explanation', async () => {
  const { shop } = await openShop();
  const data = { zones: ZONES, methods: [{ ...METHOD, rules: [RULE] }] };
  const preview = shop.preview({ data, request: CART }, MOMENT);
  assert.ok(preview.ok);
  const [method] = preview.value.simulation?.methodEvaluations ?? [];
  const [base, rule] = method?.steps ?? [];
  assert.deepEqual([base?.after, rule?.after], [500, 600]);
  assert.deepEqual([base?.lastChanged, rule?.lastChanged], [NOT_SAVED, NOT_SAVED]);
  assert.ok(rule?.kind === 'rule');
  assert.equal(method?.ruleTraces.find(({ ruleId }) => ruleId === rule.ruleId)?.name, 'More');
  assert.deepEqual(preview.value.added.at(-1)?.id, null);
});

test('without a cart a preview explains nothing, and with one it counts as no simulation', async () => {
  const { stage, shop } = await openShop();
  const data = { zones: ZONES, methods: [METHOD] };
  const plain = shop.preview({ data }, MOMENT);
  assert.ok(plain.ok && !('simulation' in plain.value));
  const preview = shop.preview({ data, request: CART }, MOMENT);
  const later = shop.preview({ data, request: CART, at: '2026-03-01T12:00:00+02:00' }, MOMENT);
  assert.ok(preview.ok && later.ok);
  assert.equal(preview.value.simulation?.at.iso, MOMENT.now);
  assert.equal(later.value.simulation?.at.iso, '2026-03-01T10:00:00.000Z');
  assert.equal(stage.metrics.values.simulations, 0);
  const { simulation: _, ...rest } = preview.value;
  assert.deepEqual(rest, plain.value);
});

test('a cart whose total is too large, and an invalid time, are refused as a simulation refuses them', async () => {
  const { shop } = await openShop();
  const data = { zones: ZONES, methods: [METHOD] };
  const items = Array.from({ length: 10 }, () => ({ quantity: 1_000_000, grams: 1, price: 1_000_000_000 }));
  const request = { ...CART, items };
  const refused = shop.preview({ data, request }, MOMENT);
  assert.deepEqual(refused, shop.simulate(request, 0));
  assert.ok(!refused.ok);
  const noDay = shop.preview({ data, request: CART, at: '2026-02-30T12:00:00Z' }, MOMENT);
  assert.match(noDay.ok ? '' : noDay.message, /^\/at must be /);
});
