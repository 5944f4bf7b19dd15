/** Long work beside other work: when a simulation waits for it, and that nothing else does. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteGroup } from '../../src/actor/write-group.ts';
import { joinedText } from '../../src/bytes/answer-text.ts';
import { WorkSlices } from '../../src/pace/work-slices.ts';
import { PIECE_UNITS, STEP_UNITS, type WorkSteps } from '../../src/pace/work-steps.ts';
import { createIdSource } from '../../src/runtime/id-source.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { accepted, newGroup, openShop, PLANS, request, SHOP, START_MS } from '../actor/shop-stage.ts';

const CART = {
  destination: { country: 'US', postalCode: '12345' },
  items: [{ quantity: 1, grams: 1, price: 1 }],
};

function* noted(name: string, steps: number, notes: string[]): WorkSteps<void> {
  for (let step = 1; step <= steps; step++) {
    notes.push(`${name}${step}`);
    if (step < steps) yield 1;
  }
}

test('shops take turns, and within a shop one compilation follows the other', async () => {
  const slices = new WorkSlices();
  const [shopA, shopB] = [{}, {}];
  const notes: string[] = [];
  await Promise.all([
    slices.run(shopA, noted('a', 3, notes)),
    slices.run(shopA, noted('b', 1, notes)),
    slices.run(shopB, noted('c', 2, notes)),
  ]);
  assert.deepEqual(notes, ['a1', 'c1', 'a2', 'c2', 'a3', 'b1']);
  await slices.run(shopB, noted('d', 1, notes));
  assert.equal(notes.at(-1), 'd1');
});

test('between two steps the event loop goes round', async () => {
  const slices = new WorkSlices();
  const notes: string[] = [];
  const work = slices.run({}, noted('a', 3, notes));
  const others = new Promise<void>((resolve) => {
    setImmediate(() => {
      notes.push('other');
      resolve();
    });
  });
  await Promise.all([work, others]);
  assert.deepEqual(notes, ['a1', 'other', 'a2', 'a3']);
});

test('a compilation that throws fails alone', async () => {
  const slices = new WorkSlices();
  const shop = {};
  const notes: string[] = [];
  const broken = (function* (): WorkSteps<void> {
    yield 1;
    throw new Error('broken');
  })();
  const failed = assert.rejects(slices.run(shop, broken), /broken/);
  await Promise.all([failed, slices.run(shop, noted('a', 2, notes))]);
  assert.deepEqual(notes, ['a1', 'a2']);
});

test('a simulation waits for a large zone only, and the answer is that of the newest configuration', async () => {
  const { shop } = await openShop();
  assert.equal(shop.prepare('live', CART), null);
  const codes = Array.from({ length: 20_000 }, (_, at) => String(at).padStart(5, '0')).join(',');
  const dataOf = (name: string) => ({
    zones: [{ name: 'Home', countries: ['US'], subzones: [{ name, postalCodes: codes }] }],
  });
  accepted(await shop.write(request({ kind: 'executeConfig', data: dataOf('First') })));
  const prepare = shop.prepare('live', CART);
  assert.ok(prepare !== null);
  const ready = prepare();
  accepted(await shop.write(request({ kind: 'executeConfig', data: dataOf('Second') })));
  await ready;
  // Whether the second write came before the end of what it made needless is up to the two.
  await shop.prepare('live', CART)?.();
  assert.equal(shop.prepare('live', CART), null);
  const answer = shop.simulate(CART, START_MS);
  assert.ok(answer.ok);
  assert.match(joinedText(answer.value), /"name":"Second"/);
  assert.equal(shop.prepare('staged', CART), null);
  // Or under load each write would send the simulations behind it into a queue that nothing bounds.
  accepted(await shop.write(request({ kind: 'createGroup', body: { name: 'Small', skus: ['S'] } })));
  assert.equal(shop.prepare('live', CART), null, 'a small write made them wait');
});

test('a promotion of many writes is put down in steps', async () => {
  const { stage, shop } = await openShop();
  accepted(await shop.write(request({ kind: 'enterStaging' })));
  for (let at = 0; at < 500; at++) accepted(await shop.write(request(newGroup(`G${at}`))));
  const { log, clock } = stage;
  const limits = { groupWritesMax: 1, groupBytesMax: 1_000_000 };
  const ports = { log, clock, ids: createIdSource(clock), logger: silentLogger, plans: PLANS, limits };
  const earlier = { find: () => null, isReadyFor: () => true };
  const base = {
    shopId: SHOP,
    state: shop.state,
    lastAtMs: 0,
    answers: new Map(),
    earlier,
    isOfOneWrite: false,
  };
  const group = new WriteGroup(ports, base);
  const steps = group.fillSteps(
    () => request({ kind: 'promoteStaging' }),
    () => false,
  );
  let count = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next(), count++) {
    assert.ok(step.value < STEP_UNITS + PIECE_UNITS, `a step of ${step.value} units`);
  }
  assert.ok(count > 2, `${count} steps`);
  assert.equal(group.records.length, 501);
});

test('while a bulk write is decided, simulations are answered from the configuration before it', async () => {
  const { shop } = await openShop();
  const dataOf = (zone: string) => ({
    zones: [{ id: 'zone_a', name: zone, countries: ['US'] }],
    methods: Array.from({ length: 2_000 }, (_, at) => ({
      id: `method_${at}`,
      name: `${zone} ${at}`,
      zoneId: 'zone_a',
      rateType: 'flat' as const,
      config: { price: at },
      enabled: at === 0,
    })),
  });
  accepted(await shop.write(request({ kind: 'executeConfig', data: dataOf('Old') })));
  const { version } = shop.state;
  let isDone = false;
  const writing = shop.write(request({ kind: 'executeConfig', data: dataOf('New') })).finally(() => {
    isDone = true;
  });
  const small = shop.write(request({ kind: 'updateMethod', id: 'method_0', body: { name: 'Newest' } }));
  let answers = 0;
  for (; !isDone && shop.state.version === version; answers++) {
    const answer = shop.simulate(CART, START_MS);
    assert.ok(answer.ok);
    assert.match(joinedText(answer.value), /"serviceName":"Old 0"/);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(answers > 10, `${answers} answers`);
  accepted(await writing);
  accepted(await small);
  const answer = shop.simulate(CART, START_MS);
  assert.ok(answer.ok);
  assert.match(joinedText(answer.value), /"serviceName":"Newest"/);
  assert.equal(shop.state.version.number, version.number + 2);
});
