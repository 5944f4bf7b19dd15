/** What price steps say of the version that last changed their record, in each view of a shop (contract section 10.3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedText } from '../../../src/base/bytes/answer-text.ts';
import type { Command } from '../../../src/engine/change/command.ts';
import { writeImage } from '../../../src/engine/change/state-image.ts';
import type { ExplainedAnswer } from '../../../src/engine/wire/explained-answer.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import type { SimulationSource } from '../../../src/shop/reader/version-cache.ts';
import { accepted, NEW_KEY, openShop, request, SHOP, START_MS } from '../actor/shop-stage.ts';

const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 100 }] };

const IMPORT: Command = {
  kind: 'executeConfig',
  data: {
    zones: [{ id: 'zone_us', name: 'US', countries: ['US'] }],
    methods: [
      {
        id: 'method_a',
        name: 'A',
        zoneId: 'zone_us',
        rateType: 'flat',
        config: { price: 500 },
        rules: [{ id: 'rule_a', action: 'adjust_add', adjustmentValue: 100 }],
      },
    ],
  },
};
const price = (amount: number): Command => ({
  kind: 'updateMethod',
  id: 'method_a',
  body: { config: { price: amount } },
});

const write = async (shop: ShopActor, command: Command, keyId: string | null = null): Promise<string> =>
  accepted(await shop.write(request(command, { keyId }))).versionId;

/** What the base step and the rule step say. */
function lastChanged(shop: ShopActor, source: SimulationSource = 'live') {
  const answer = shop.simulate(CART, START_MS, { source, form: 'explained' });
  assert.ok(answer.ok);
  const { methodEvaluations } = JSON.parse(joinedText(answer.value)) as ExplainedAnswer;
  const steps = methodEvaluations[0]?.steps ?? [];
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ['base', 'rule'],
  );
  return steps.map((step) => step.lastChanged);
}

test('each step names the version, its time and its key, live, staged and in earlier versions', async () => {
  const { shop, stage } = await openShop();
  await write(shop, NEW_KEY);
  const keyId = shop.state.keys[0]?.id ?? '';
  const imported = await write(shop, IMPORT);
  stage.clock.ms += 1000;
  const changed = await write(shop, price(600), keyId);
  const at = new Date(START_MS).toISOString();
  const ofImport = { versionId: imported, number: 2, at, keyId: null, keyLabel: null, createdBy: 'import' };
  const atChange = new Date(START_MS + 1000).toISOString();
  const ofChange = {
    ...{ versionId: changed, number: 3, at: atChange, keyId, keyLabel: 'K' },
    createdBy: 'user',
  };
  assert.deepEqual(lastChanged(shop), [ofChange, ofImport]);
  assert.deepEqual(lastChanged(shop, { versionId: imported }), [ofImport, ofImport]);

  await write(shop, { kind: 'enterStaging' });
  stage.clock.ms += 1000;
  await write(shop, price(700), keyId);
  const atStaged = new Date(START_MS + 2000).toISOString();
  const ofStaged = { ...ofChange, versionId: null, number: null, at: atStaged, createdBy: 'promotion' };
  assert.deepEqual(lastChanged(shop, 'staged'), [ofStaged, ofImport]);
  assert.deepEqual(lastChanged(shop), [ofChange, ofImport]);
  const promoted = await write(shop, { kind: 'promoteStaging' });
  assert.deepEqual(lastChanged(shop), [
    { ...ofStaged, versionId: promoted, number: 4, keyId: null, keyLabel: null },
    ofImport,
  ]);
  await write(shop, { kind: 'rollback', targetVersionId: changed });
  assert.deepEqual(
    lastChanged(shop).map((change) => [change?.number, change?.createdBy]),
    [
      [5, 'rollback'],
      [2, 'import'],
    ],
  );
});

test('only the number of a version that is no longer kept is known', async () => {
  const { shop, stage } = await openShop();
  await write(shop, IMPORT);
  await write(shop, price(600));
  const upTo = shop.sequenceNumber;
  await stage.log.writeCheckpoint(SHOP, { sequenceNumber: upTo, image: writeImage(shop.state) });
  await write(shop, price(700));
  await stage.log.trim(SHOP, upTo);
  const [base, rule] = lastChanged(shop);
  assert.equal(base?.number, 4);
  const gone = { versionId: null, at: null, keyId: null, keyLabel: null, createdBy: null };
  assert.deepEqual(rule, { ...gone, number: 2 });
});
