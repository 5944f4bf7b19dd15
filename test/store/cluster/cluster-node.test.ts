/** Two nodes of one authority whose clock stands still: the waits of a writer that need no beat. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClusterNode } from '../../../src/store/cluster/cluster-node.ts';
import { type Mirror, newMeter, type ShopCopies } from '../../../src/store/cluster/node-ports.ts';
import { BEAT_MS, IDLE_BEAT_MS, LEASE_MS } from '../../../src/store/cluster/timing.ts';
import type { Hint, RecordHead } from '../../../src/store/log/authority.ts';
import { hashRecord, NO_HEAD } from '../../../src/store/log/record-codec.ts';
import { FakeAuthority } from '../../support/fake-authority.ts';
import { FakeDatabase } from '../../support/fake-database.ts';
import { groupOf } from '../log/authority-shops.ts';
import { ManualClock } from './manual-clock.ts';

const SHOP = 'shop_a';

/** A node that knows of the shops in memory only the number that each shows. */
function nodeOf(database: FakeDatabase, clock: ManualClock, name: string) {
  const heads = new Map<string, RecordHead>();
  const shown = new Map<string, number>();
  const mirror: Mirror = {
    head: (shopId) => heads.get(shopId) ?? NO_HEAD,
    async store(shopId, records) {
      const last = records.at(-1);
      if (last !== undefined) heads.set(shopId, { ...last, hash: hashRecord(last.stored) });
    },
    restart: () => assert.fail(),
    async drop(shopId) {
      heads.delete(shopId);
    },
    hashAt: () => null,
    setAside: () => assert.fail(),
  };
  const copies: ShopCopies = {
    shownUpTo: (shopId) => shown.get(shopId) ?? 0,
    async refresh(shopId) {
      const { sequenceNumber } = mirror.head(shopId);
      if (sequenceNumber > 0) shown.set(shopId, sequenceNumber);
      else await copies.drop(shopId, null);
    },
    forget: () => {},
    async drop(shopId) {
      shown.delete(shopId);
      node.follower.unload(shopId);
    },
  };
  const authority = new FakeAuthority(database);
  const self = { node: name, readsFormat: 1 };
  const node: ClusterNode = new ClusterNode({
    ...{ authority, mirror, copies, clock, self },
    ...{ meter: newMeter(), staleMsMax: 0, lastRun: null, onReach: () => {} },
    ...{ onFatal: (cause) => assert.fail(String(cause)) },
  });
  const load = async () => {
    await node.follower.load(SHOP);
    await copies.refresh(SHOP);
  };
  return { node, authority, mirror, shown, load };
}

type StartedNode = ReturnType<typeof nodeOf>;

/** A writer, and another node with the shop in memory; both are current. */
async function stage(areHintsLost = false) {
  const database = new FakeDatabase();
  if (areHintsLost) database.hint = (_sender: object, _hint: Hint) => {};
  const clock = new ManualClock();
  const [writer, other] = [nodeOf(database, clock, 'writer'), nodeOf(database, clock, 'other')];
  const isOver = (work: Promise<unknown>) => {
    const state = { done: false };
    void work.then(() => {
      state.done = true;
    });
    return state;
  };
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  for (const { node } of [writer, other]) node.start();
  await settle();
  const first = await writer.node.append(groupOf(SHOP, NO_HEAD, 'first'));
  assert.equal(first.kind, 'appended');
  await writer.load();
  await other.load();
  for (let beat = 0; beat < 3; beat++) {
    await clock.advance(BEAT_MS);
    await settle();
  }
  const stop = async ({ node }: StartedNode) => {
    await node.stop();
  };
  return { clock, writer, other, isOver, settle, stop: () => Promise.all([writer, other].map(stop)) };
}

test('a node knows which nodes are current: those with a beat within the time of a lease', async () => {
  const { clock, writer, other, settle, stop } = await stage();
  const nodes = await writer.authority.nodes();
  const named = async (state: 'isCurrent' | 'isThis') =>
    nodes.filter(({ run }) => writer.node.seen(run)[state]).map(({ node }) => node);
  assert.deepEqual((await named('isCurrent')).sort(), ['other', 'writer']);
  assert.deepEqual(await named('isThis'), ['writer']);
  other.node.stop().catch(assert.fail);
  for (let waitedMs = 0; waitedMs < LEASE_MS; waitedMs += BEAT_MS) {
    await clock.advance(BEAT_MS);
    await settle();
  }
  assert.deepEqual(await named('isCurrent'), ['writer']);
  const lags = nodes.map(({ run }) => writer.node.seen(run).lagMs ?? -1);
  assert.ok(Math.max(...lags) >= LEASE_MS && Math.min(...lags) < LEASE_MS, String(lags));
  assert.deepEqual(writer.node.seen('unknown'), { lagMs: null, isCurrent: false, isThis: false });
  await stop();
});

const deletion = ({ node, mirror }: StartedNode) => node.deleteShop(SHOP, mirror.head(SHOP));

test('without a beat, a write is acknowledged when the other node shows the record and announces it', async () => {
  const { writer, other, isOver, settle, stop } = await stage();
  const outcome = await writer.node.append(groupOf(SHOP, writer.mirror.head(SHOP), 'second'));
  assert.ok(outcome.kind === 'appended');
  const seen = isOver(outcome.seenEverywhere);
  await settle();
  assert.ok(seen.done);
  assert.equal(other.shown.get(SHOP), 2);
  await stop();
});

test('without a beat, a deletion resolves when the shop has left the memory of the other node', async () => {
  const { writer, other, settle, stop } = await stage();
  let isDeleted: boolean | null = null;
  void deletion(writer).then((is) => {
    isDeleted = is;
  });
  await settle();
  assert.equal(isDeleted, true);
  assert.ok(!other.shown.has(SHOP));
  await stop();
});

test('when hints are lost, writes and deletions wait for two beats of the other node', async () => {
  for (const write of [
    async ({ node, mirror }: StartedNode) => {
      const outcome = await node.append(groupOf(SHOP, mirror.head(SHOP), 'second'));
      await (outcome.kind === 'appended' ? outcome.seenEverywhere : assert.fail(outcome.kind));
    },
    deletion,
  ]) {
    const { clock, writer, other, isOver, settle, stop } = await stage(true);
    const before = other.shown.get(SHOP);
    const acknowledged = isOver(write(writer));
    await settle();
    assert.deepEqual([acknowledged.done, other.shown.get(SHOP)], [false, before]);
    for (let waitedMs = 0; other.shown.get(SHOP) === before; waitedMs += BEAT_MS) {
      assert.ok(waitedMs < IDLE_BEAT_MS + BEAT_MS);
      await clock.advance(BEAT_MS);
      await settle();
    }
    assert.equal(acknowledged.done, false);
    for (let beat = 0; beat < 2; beat++) {
      await clock.advance(BEAT_MS);
      await settle();
    }
    assert.ok(acknowledged.done);
    await stop();
  }
});

test('a check that all nodes are current asks idle nodes for beats', async () => {
  const { clock, writer, isOver, settle, stop } = await stage();
  await clock.advance(2 * IDLE_BEAT_MS);
  await settle();
  const seen = isOver(writer.node.seenEverywhere());
  await settle();
  assert.equal(seen.done, false);
  for (let beat = 0; beat < 2; beat++) {
    await clock.advance(BEAT_MS);
    await settle();
  }
  assert.ok(seen.done);
  await stop();
});

test('a shop is not deleted when its head has moved', async () => {
  const { writer, stop } = await stage();
  assert.equal(await writer.node.deleteShop(SHOP, { ...writer.mirror.head(SHOP), sequenceNumber: 7 }), false);
  await stop();
});
