/** Long work beside other work: only simulations that need its result wait for it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteGroup } from '../../src/actor/write-group.ts';
import { joinedText } from '../../src/bytes/answer-text.ts';
import { MethodIndex } from '../../src/change/references.ts';
import { SLICE_MS, WorkSlices } from '../../src/pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../../src/pace/work-steps.ts';
import { createIdSource } from '../../src/runtime/id-source.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { accepted, newGroup, openShop, PLANS, request, SHOP, START_MS } from '../actor/shop-stage.ts';
import { everyNth, runWork } from '../support/yield-schedules.ts';

const CART = {
  destination: { country: 'US', postalCode: '12345' },
  items: [{ quantity: 1, grams: 1, price: 1 }],
};

function* noted(name: string, steps: number, notes: string[]): WorkSteps<void> {
  for (let step = 1; step <= steps; step++) {
    notes.push(`${name}${step}`);
    if (step < steps) yield;
  }
}

test('shops take turns, and the compilations of one shop run in order', async () => {
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

test('the event loop runs other tasks between two slices', async () => {
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

/** Steps that advance a manual clock by a millisecond for each piece; records the pieces. */
function piecesOnClock() {
  const clock = { ms: 0, monotonicMs: () => clock.ms };
  const pieces: string[] = [];
  function* work(name: string, count: number, pieceMs: number, shouldYield: ShouldYield): WorkSteps<string> {
    for (let piece = 1; piece <= count; piece++) {
      clock.ms += pieceMs;
      pieces.push(`${name}${piece}`);
      if (shouldYield()) yield;
    }
    return name;
  }
  return { slices: new WorkSlices(clock), pieces, work };
}

test('a slice ends at the first check after its time, and the next slice has its own time', async () => {
  const { slices, pieces, work } = piecesOnClock();
  const done = slices.start({}, work('a', 10, SLICE_MS / 4, slices.shouldYield));
  assert.deepEqual(pieces, ['a1', 'a2', 'a3', 'a4']);
  assert.equal(await done, 'a');
  assert.equal(pieces.length, 10);
});

test('work shorter than a slice runs at once and leaves its owner idle', () => {
  const { slices, work } = piecesOnClock();
  const owner = {};
  assert.equal(slices.start(owner, work('a', 3, SLICE_MS / 4, slices.shouldYield)), 'a');
  assert.equal(slices.isBusy(owner), false);
});

test('an owner is busy from the end of the first slice to the end of its work', async () => {
  const { slices, work } = piecesOnClock();
  const owner = {};
  const done = slices.start(owner, work('a', 10, SLICE_MS, slices.shouldYield));
  assert.equal(slices.isBusy(owner), true);
  assert.equal(slices.isBusy({}), false);
  await done;
  assert.equal(slices.isBusy(owner), false);
});

test('a compilation that throws does not affect the others', async () => {
  const slices = new WorkSlices();
  const shop = {};
  const notes: string[] = [];
  const broken = (function* (): WorkSteps<void> {
    yield;
    throw new Error('broken');
  })();
  const failed = assert.rejects(slices.run(shop, broken), /broken/);
  await Promise.all([failed, slices.run(shop, noted('a', 2, notes))]);
  assert.deepEqual(notes, ['a1', 'a2']);
});

const isReady = (prepared: unknown): boolean => !(prepared instanceof Promise);

test('a simulation waits for a large zone only, and the answer is that of the newest configuration', async () => {
  const { stage, shop } = await openShop();
  stage.clock.lookMs = SLICE_MS / 500;
  assert.ok(isReady(shop.prepare('live', CART)));
  const codes = Array.from({ length: 20_000 }, (_, at) => String(at).padStart(5, '0')).join(',');
  const dataOf = (name: string) => ({
    zones: [{ name: 'Home', countries: ['US'], subzones: [{ name, postalCodes: codes }] }],
  });
  accepted(await shop.write(request({ kind: 'executeConfig', data: dataOf('First') })));
  const ready = shop.prepare('live', CART);
  assert.ok(!isReady(ready));
  accepted(await shop.write(request({ kind: 'executeConfig', data: dataOf('Second') })));
  await ready;
  // The second write may come before or after the end of the compilation that it makes superfluous.
  await shop.prepare('live', CART);
  assert.ok(isReady(shop.prepare('live', CART)));
  const answer = shop.simulate(CART, START_MS);
  assert.ok(answer.ok);
  assert.match(joinedText(answer.value), /"name":"Second"/);
  assert.ok(isReady(shop.prepare('staged', CART)));
  // Otherwise, under load, each write would queue the following simulations without a bound.
  accepted(await shop.write(request({ kind: 'createGroup', body: { name: 'Small', skus: ['S'] } })));
  assert.ok(isReady(shop.prepare('live', CART)), 'a small write made them wait');
});

test('of several carts that need the same compilation only the first begins a slice, the others queue', async () => {
  const { stage, shop } = await openShop();
  stage.clock.lookMs = SLICE_MS / 500;
  const postalCodes = Array.from({ length: 20_000 }, (_, at) => String(at).padStart(5, '0')).join(',');
  const data = { zones: [{ name: 'Home', countries: ['US'], subzones: [{ name: 'All', postalCodes }] }] };
  accepted(await shop.write(request({ kind: 'executeConfig', data })));
  const startMs = stage.clock.monotonicMs();
  const preparations = Array.from({ length: 10 }, () => shop.prepare('live', CART));
  const spentMs = stage.clock.monotonicMs() - startMs;
  assert.ok(spentMs > SLICE_MS && spentMs < 2 * SLICE_MS, `${spentMs} ms before the event loop ran again`);
  assert.ok(!preparations.some(isReady));
  await Promise.all(preparations);
  assert.ok(isReady(shop.prepare('live', CART)));
});

test('the group of a promotion of many writes may yield after each of them', async () => {
  const { stage, shop } = await openShop();
  accepted(await shop.write(request({ kind: 'enterStaging' })));
  for (let at = 0; at < 500; at++) accepted(await shop.write(request(newGroup(`G${at}`))));
  const { log, clock } = stage;
  const limits = { groupWritesMax: 1, groupBytesMax: 1_000_000 };
  const ports = { log, clock, ids: createIdSource(clock), logger: silentLogger, plans: PLANS, limits };
  const base = {
    shopId: SHOP,
    state: shop.state,
    lastAtMs: 0,
    answers: new Map(),
    target: null,
    index: new MethodIndex(),
    isOfOneWrite: false,
  };
  const { value, questions } = runWork(function* (shouldYield) {
    const group = new WriteGroup({ ...ports, slices: { shouldYield } }, base);
    yield* group.fillSteps(
      () => request({ kind: 'promoteStaging' }),
      () => false,
    );
    return group.records;
  }, everyNth(7));
  assert.ok(questions >= 501, `${questions} questions`);
  assert.equal(value.length, 501);
});

test('while a bulk write is decided, simulations are answered from the configuration before it', async () => {
  const { stage, shop } = await openShop();
  stage.clock.lookMs = SLICE_MS / 500;
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
