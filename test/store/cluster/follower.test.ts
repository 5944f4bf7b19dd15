/**
 * How a node follows shops, in the cases that no simulated run has: there no record is removed and none is
 * damaged.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Follower } from '../../../src/store/cluster/follower.ts';
import { type Mirror, newMeter, type ShopCopies } from '../../../src/store/cluster/node-ports.ts';
import {
  AuthorityUnavailableError,
  type RecordHead,
  type ShopMark,
  type ShopStart,
  type ShopState,
  type ShopTail,
  type StoredRecord,
} from '../../../src/store/log/authority.ts';
import { DamagedLogError, DiskFullError } from '../../../src/store/log/event-log.ts';
import { NO_HEAD } from '../../../src/store/log/record-codec.ts';
import { at, ManualClock } from './manual-clock.ts';

const SHOP = 'shop_a';

const hashOf = (text: string): Buffer => Buffer.alloc(32, text);
const headAt = (sequenceNumber: number, text = 'a'): RecordHead =>
  sequenceNumber === 0 ? NO_HEAD : { sequenceNumber, hash: hashOf(text) };
const stateAt = (sequenceNumber: number, more: Partial<ShopState> = {}): ShopState => ({
  shopId: SHOP,
  head: headAt(sequenceNumber),
  removedUpTo: 0,
  isDeleted: false,
  ...more,
});

/** A follower of one shop. The authority has `state`, the mirror has the records up to `mirrored`. */
function stage(mirrored: number, ofLastRun: ReadonlyMap<string, number> = new Map()) {
  const calls: string[] = [];
  const world = {
    state: stateAt(mirrored),
    mirrored,
    /** Number of the first record of the mirror that differs from that of the authority. */
    differsFrom: Number.POSITIVE_INFINITY,
    isHeadDamaged: false,
    shown: mirrored,
    isDamaged: false,
    isDiskFull: false,
    isReachable: true,
    /** Resolves when a dropped shop has left memory. */
    hasLeft: Promise.resolve(),
    leave: () => {},
  };
  const mirrorHashAt = (sequenceNumber: number) => hashOf(sequenceNumber < world.differsFrom ? 'a' : 'b');
  const recordsAfter = (after: number): StoredRecord[] => {
    if (after < world.state.removedUpTo) return [];
    const count = Math.max(0, world.state.head.sequenceNumber - after);
    return Array.from({ length: count }, (_, index) => ({
      sequenceNumber: after + index + 1,
      stored: Buffer.alloc(0),
    }));
  };
  const reach = () => {
    if (!world.isReachable) throw new AuthorityUnavailableError('no server is a primary');
  };
  const authority = {
    async tail(_: string, after: number): Promise<ShopTail> {
      calls.push(`tail after ${after}`);
      reach();
      return { state: world.state, records: recordsAfter(after) };
    },
    async start(): Promise<ShopStart> {
      calls.push('start');
      const sequenceNumber = world.state.removedUpTo;
      return {
        state: world.state,
        checkpoint: { sequenceNumber, stored: Buffer.alloc(0) },
        records: recordsAfter(sequenceNumber),
      };
    },
    async states(shopIds: readonly string[]): Promise<readonly ShopState[]> {
      calls.push(`states of ${shopIds.join()}`);
      reach();
      return shopIds.includes(SHOP) ? [world.state] : [];
    },
    tellShown(shops: readonly ShopMark[]): void {
      for (const { shopId, sequenceNumber } of shops) calls.push(`tell ${shopId} ${sequenceNumber}`);
    },
    async hashAt(_: string, sequenceNumber: number): Promise<Buffer | null> {
      return sequenceNumber <= world.state.head.sequenceNumber ? hashOf('a') : null;
    },
  };
  const mirror: Mirror = {
    head: (shopId) => {
      if (world.isHeadDamaged) throw new DamagedLogError(shopId, 0, 'its entry is damaged');
      return headAt(world.mirrored, world.mirrored < world.differsFrom ? 'a' : 'b');
    },
    async store(shopId, records) {
      if (world.mirrored >= world.differsFrom)
        throw new DamagedLogError(shopId, world.mirrored + 1, 'it does not follow the one before');
      if (world.isDiskFull) throw new DiskFullError();
      if (world.isDamaged) throw new DamagedLogError(shopId, world.mirrored + 1, 'its checksum is wrong');
      world.mirrored = records.at(-1)?.sequenceNumber ?? world.mirrored;
    },
    async restart(_, { checkpoint, records }) {
      world.mirrored = records.at(-1)?.sequenceNumber ?? checkpoint?.sequenceNumber ?? 0;
    },
    async drop() {
      calls.push('drop of the mirror');
      world.mirrored = 0;
      world.differsFrom = Number.POSITIVE_INFINITY;
      world.isHeadDamaged = false;
    },
    hashAt: (_, sequenceNumber) => mirrorHashAt(sequenceNumber),
    async setAside(_, behind) {
      calls.push(`set aside what is behind ${behind}`);
    },
  };
  const copies: ShopCopies = {
    shownUpTo: () => world.shown,
    async refresh() {
      world.shown = world.mirrored;
      if (world.mirrored === 0) world.leave();
    },
    forget: (shopId) => calls.push(`forget ${shopId ?? 'all'}`),
    async drop(shopId, cause) {
      calls.push(`drop ${shopId}: ${cause?.message ?? 'deleted'}`);
      await world.hasLeft;
    },
  };
  const clock = new ManualClock();
  const meter = newMeter();
  const follower = new Follower({ authority, mirror, copies, clock, meter }, ofLastRun);
  return { calls, world, clock, meter, follower };
}

/** The same, with the shop in memory and the feed begun. */
async function followingStage(mirrored: number) {
  const parts = stage(mirrored);
  await parts.follower.load(SHOP);
  await parts.follower.follow({ changed: null }, null);
  parts.calls.length = 0;
  return parts;
}

test('a followed shop shows the changes of a beat', async () => {
  const { follower, world, calls } = await followingStage(3);
  world.state = stateAt(5);
  await follower.follow({ changed: [world.state] }, at(0));
  assert.equal(world.shown, 5);
  assert.deepEqual(calls, ['tail after 3']);
  await follower.follow({ changed: [world.state] }, at(0));
  assert.deepEqual(calls, ['tail after 3'], 'what is shown already is not read again');
});

test('while the disk with the mirror is full a shop is held out and stays in memory, and it catches up later', async () => {
  const { follower, world, calls } = await followingStage(3);
  world.state = stateAt(5);
  world.isDiskFull = true;
  await follower.follow({ changed: [world.state] }, at(7));
  assert.deepEqual([world.shown, follower.heldOutSince(SHOP)], [3, at(7)]);
  await follower.follow({ changed: [] }, at(8));
  world.isDiskFull = false;
  await follower.follow({ changed: [] }, at(9));
  assert.deepEqual([world.shown, follower.heldOutSince(SHOP)], [5, undefined]);
  assert.deepEqual(calls, ['tail after 3', 'tail after 3', 'tail after 3']);
});

test('a change of a shop that is not in memory clears its caches and does nothing else', async () => {
  const { follower, world, calls } = stage(3);
  await follower.follow({ changed: null }, null);
  await follower.follow({ changed: [world.state] }, at(0));
  assert.deepEqual(calls, ['forget all', 'states of ', `forget ${SHOP}`]);
});

test('a mirror whose next record was trimmed is made anew from a checkpoint', async () => {
  const { follower, world, calls } = await followingStage(3);
  world.state = stateAt(9, { removedUpTo: 7 });
  await follower.follow({ changed: [world.state] }, at(0));
  assert.equal(world.shown, 9);
  assert.deepEqual(calls, ['tail after 3', 'start']);
});

test('a deleted shop leaves memory', async () => {
  const { follower, world, calls } = await followingStage(3);
  await follower.follow({ changed: [{ ...world.state, isDeleted: true }] }, at(0));
  assert.deepEqual(calls, [`drop ${SHOP}: deleted`]);
});

test('a deleted or unusable shop is refused while it is still in memory', async () => {
  for (const isDamaged of [false, true]) {
    const { follower, world } = await followingStage(3);
    let leave = () => {};
    world.hasLeft = new Promise((resolve) => {
      leave = resolve;
    });
    world.isDamaged = isDamaged;
    world.state = stateAt(4, { isDeleted: !isDamaged });
    await follower.follow({ changed: [world.state] }, at(70));
    assert.equal(follower.heldOutSince(SHOP), null);
    assert.equal(follower.heldOutSince('shop_b'), undefined);
    leave();
    await new Promise(setImmediate);
    assert.equal(follower.heldOutSince(SHOP), undefined);
  }
});

test('a process that has shown records which the authority lacks ends', async () => {
  for (const [what, upTo, differsFrom] of [
    ['another last record', 5, 5],
    ['fewer records', 4, Number.POSITIVE_INFINITY],
    ['other and more records', 7, 4],
  ] as const) {
    for (const changed of [null, [stateAt(upTo)]]) {
      // Missing records show only when a feed begins anew: otherwise a node may be ahead of a beat that was
      // read earlier.
      if (changed !== null && upTo < 5) continue;
      const { follower, world, calls } = await followingStage(5);
      world.state = stateAt(upTo);
      world.differsFrom = differsFrom;
      await follower.follow({ changed }, at(0));
      assert.match(calls.join(), /drop shop_a: .*the mirror and the authority differ$/, what);
      await new Promise(setImmediate);
      assert.equal(follower.heldOutSince(SHOP), null, 'it is refused until the process has ended');
      assert.equal(world.mirrored, 5, 'the mirror is left as it is');
    }
  }
});

test('a beat that names another record without a second copy changes nothing', async () => {
  const { follower, calls } = await followingStage(3);
  await follower.follow({ changed: [stateAt(3, { head: headAt(3, 'b') })] }, at(0));
  assert.deepEqual(calls, ['tail after 3']);
});

test('a record that a beat named without a second copy, and that a failover lost, is read for only once', async () => {
  const { follower, calls } = await followingStage(3);
  await follower.follow({ changed: [stateAt(5)] }, at(70));
  await follower.follow({ changed: [] }, at(70));
  assert.deepEqual(calls, ['tail after 3']);
  assert.equal(follower.heldOutSince(SHOP), undefined);
});

test('when the mirror differs at the first load of a shop, its differing records are set aside', async () => {
  for (const [mirrored, upTo, differsFrom, common] of [
    [5, 3, Number.POSITIVE_INFINITY, 3],
    [5, 5, 5, 4],
    [5, 9, 2, 1],
    [9, 5, 1, 0],
    [2, 0, 1, 0],
  ] as const) {
    const { follower, world, calls, meter } = stage(mirrored);
    world.state = stateAt(upTo);
    world.differsFrom = differsFrom;
    await follower.load(SHOP);
    const steps = calls.filter((call) => !call.startsWith('tail') && !call.startsWith('states'));
    assert.deepEqual(steps, [`set aside what is behind ${common}`, 'drop of the mirror']);
    assert.equal(world.mirrored, upTo);
    assert.deepEqual([meter.mirrorsDiffering, meter.mirrorsDamaged], [1, 0]);
  }
});

test('a damaged mirror is read again from the authority', async () => {
  const { follower, world, calls, meter } = stage(3);
  world.isHeadDamaged = true;
  await follower.load(SHOP);
  const damage = new DamagedLogError(SHOP, 2, 'its checksum is wrong');
  await follower.loadAnew(SHOP, damage);
  follower.noteDamaged(SHOP, damage);
  assert.equal(calls.length, 4, 'what is shown stays until the shop is loaded again');
  for (let load = 0; load < 2; load++) await follower.load(SHOP);
  assert.equal(world.mirrored, 3);
  const anew = ['drop of the mirror', 'tail after 0'];
  assert.deepEqual(calls, [...anew, ...anew, ...anew, 'tail after 3']);
  assert.equal(meter.mirrorsDamaged, 3);
});

test('a shop whose mirror is found damaged leaves memory, and its next load makes the mirror anew', async () => {
  for (const changed of [null, [stateAt(4)]]) {
    const { follower, world, calls } = await followingStage(3);
    world.state = stateAt(4);
    world.isHeadDamaged = true;
    await follower.follow({ changed }, at(0));
    assert.match(calls.join(), /drop shop_a: .*its entry is damaged/);
    await follower.load(SHOP);
    assert.equal(world.mirrored, 4);
  }
});

test('a shop with a damaged record leaves memory, and the lease is renewed for the others', async () => {
  const { follower, world, calls } = await followingStage(3);
  world.state = stateAt(5);
  world.isDamaged = true;
  await follower.follow({ changed: [world.state] }, at(0));
  assert.match(calls.join(), /^tail after 3,drop shop_a: .*its checksum is wrong$/);
  await new Promise(setImmediate);
  assert.equal(follower.heldOutSince(SHOP), undefined);
});

test('a shop that cannot be read is held out, and catches up with a later beat', async () => {
  const { follower, world } = await followingStage(3);
  world.state = stateAt(5);
  world.isReachable = false;
  await follower.follow({ changed: [world.state] }, at(70));
  assert.deepEqual(follower.heldOutSince(SHOP), at(70));
  await follower.follow({ changed: [] }, at(90));
  assert.deepEqual(follower.heldOutSince(SHOP), at(70), 'its age counts from when it was last current');
  world.isReachable = true;
  await follower.follow({ changed: [] }, at(110));
  assert.equal(world.shown, 5);
  assert.equal(follower.heldOutSince(SHOP), undefined);
});

test('a beat does not renew the lease while heads cannot be compared', async () => {
  const { follower, world, calls } = await followingStage(3);
  world.isReachable = false;
  await assert.rejects(follower.follow({ changed: null }, at(0)), AuthorityUnavailableError);
  world.isReachable = true;
  world.state = stateAt(4);
  await follower.follow({ changed: [] }, at(0));
  assert.equal(world.shown, 4);
  assert.deepEqual(calls, ['forget all', `states of ${SHOP}`, `states of ${SHOP}`, 'tail after 3']);
});

test('a record of another node is read and shown at once, and told of only after that', async () => {
  const { calls, world, follower } = await followingStage(3);
  const mark = { shopId: SHOP, sequenceNumber: 5 };
  world.state = stateAt(5);
  calls.length = 0;
  follower.hear([mark]);
  assert.deepEqual([calls, world.shown], [['tail after 3'], 3]);
  await new Promise(setImmediate);
  assert.deepEqual([calls, world.shown], [['tail after 3', `tell ${SHOP} 5`], 5]);
  // A record that is shown already needs no read.
  follower.hear([mark]);
  assert.deepEqual(calls.slice(2), [`tell ${SHOP} 5`]);
  // A record that cannot be read is not told of before a beat brings it.
  world.state = stateAt(6);
  world.isReachable = false;
  follower.hear([{ ...mark, sequenceNumber: 6 }]);
  await new Promise(setImmediate);
  assert.deepEqual(calls.slice(3), ['tail after 5']);
  world.isReachable = true;
  await follower.follow({ changed: [world.state] }, at(0));
  assert.equal(calls.at(-1), `tell ${SHOP} 6`);
});

test('a shop that another node deleted leaves memory at once, and the deletion is told of only after that', async () => {
  const { calls, world, follower } = await followingStage(3);
  world.state = stateAt(3, { isDeleted: true });
  world.leave = () => follower.unload(SHOP);
  calls.length = 0;
  follower.hear([{ shopId: SHOP, sequenceNumber: 4 }]);
  await new Promise(setImmediate);
  const forgotten = `forget ${SHOP}`;
  assert.deepEqual(calls, ['tail after 3', 'drop of the mirror', forgotten, forgotten, `tell ${SHOP} 4`]);
  assert.equal(world.shown, 0);
});

test('a hint about a shop that is not in memory clears its caches before it is answered', () => {
  const { calls, follower } = stage(3);
  follower.hear([{ shopId: 'shop_b', sequenceNumber: 4 }]);
  assert.deepEqual(calls, ['forget shop_b', 'tell shop_b 4']);
});

test('a mirror is brought up to date by one call at a time', async () => {
  const { calls, world, follower } = await followingStage(3);
  world.state = stateAt(5);
  calls.length = 0;
  const both = Promise.all([follower.mirrorTail(SHOP), follower.mirrorTail(SHOP)]);
  assert.deepEqual(calls, ['tail after 3']);
  await both;
  assert.deepEqual(calls, ['tail after 3', 'tail after 5']);
});

test('a damaged mirror is dropped only once the call that brings it up to date has ended', async () => {
  const { calls, world, follower } = await followingStage(3);
  world.state = stateAt(5);
  calls.length = 0;
  const tail = follower.mirrorTail(SHOP);
  const load = follower.loadAnew(SHOP, new DamagedLogError(SHOP, 2, 'damaged'));
  assert.deepEqual(calls, ['tail after 3']);
  await Promise.all([tail, load]);
  assert.deepEqual(calls, ['tail after 3', 'drop of the mirror', 'tail after 0']);
});

test('until the authority is asked, a shop of the last run is loaded as the mirror has it; then it is compared', async () => {
  const { follower, world, calls } = stage(4, new Map([[SHOP, 4]]));
  world.isReachable = false;
  await follower.load(SHOP);
  assert.deepEqual(calls, []);
  await assert.rejects(follower.load('shop_other'), AuthorityUnavailableError);
  follower.unload('shop_other');
  calls.length = 0;
  world.isReachable = true;
  world.state = stateAt(6);
  await follower.follow({ changed: null }, at(0));
  assert.deepEqual(calls, ['forget all', `states of ${SHOP}`, 'tail after 4']);
  assert.equal(world.shown, 6);
  assert.ok(!follower.isOfLastRun(SHOP));
});

test('a shop of the last run that was not loaded before the authority was asked is read from there', async () => {
  const { follower, calls } = stage(4, new Map([[SHOP, 4]]));
  await follower.follow({ changed: null }, null);
  calls.length = 0;
  await follower.load(SHOP);
  assert.deepEqual(calls, ['tail after 4']);
});

test('a shop of the last run whose mirror has lost records since, or is damaged, is read from the authority', async () => {
  const shorter = stage(3, new Map([[SHOP, 4]]));
  assert.ok(!shorter.follower.isOfLastRun(SHOP));
  await shorter.follower.load(SHOP);
  assert.deepEqual(shorter.calls, ['tail after 3']);
  const damaged = stage(4, new Map([[SHOP, 4]]));
  await damaged.follower.loadAnew(SHOP, new DamagedLogError(SHOP, 2, 'its checksum is wrong'));
  assert.ok(damaged.calls.includes('drop of the mirror'));
  const rotten = stage(4, new Map([[SHOP, 4]]));
  rotten.world.isHeadDamaged = true;
  assert.ok(!rotten.follower.isOfLastRun(SHOP));
});

test('what is noted for the next run are the shops in memory that the lease covers', async () => {
  const { follower, world } = await followingStage(3);
  assert.deepEqual([...follower.currentHeads()], [[SHOP, 3]]);
  world.isReachable = false;
  await follower.follow({ changed: [stateAt(5)] }, at(0));
  assert.deepEqual([...follower.currentHeads()], []);
  follower.unload(SHOP);
  world.shown = 0;
  assert.deepEqual([...follower.currentHeads()], []);
});

test('a shop that leaves memory before it shows a change has its caches cleared: the change may revoke a key', async () => {
  const { follower, world, calls } = await followingStage(3);
  follower.unload(SHOP);
  assert.deepEqual(calls, []);
  await follower.load(SHOP);
  world.isReachable = false;
  await follower.follow({ changed: [stateAt(5)] }, at(0));
  calls.length = 0;
  follower.unload(SHOP);
  assert.deepEqual(calls, [`forget ${SHOP}`]);
});
