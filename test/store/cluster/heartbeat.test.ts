/** The beats of a node: joining, removal from the list, a new epoch, and nodes that are gone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Barrier } from '../../../src/store/cluster/barrier.ts';
import { Heartbeat } from '../../../src/store/cluster/heartbeat.ts';
import { Lease } from '../../../src/store/cluster/lease.ts';
import { NodeList } from '../../../src/store/cluster/node-list.ts';
import { momentOf, newMeter } from '../../../src/store/cluster/node-ports.ts';
import { shareOf } from '../../../src/store/cluster/plan-shares.ts';
import {
  BEAT_MS,
  CLOCKS_APART_MS_MAX,
  IDLE_BEAT_MS,
  LAPSE_MS,
  LEASE_MS,
  NODE_KEPT_MS,
} from '../../../src/store/cluster/timing.ts';
import { AuthorityUnavailableError, type Beat, type NodeBeat } from '../../../src/store/log/authority.ts';
import { at, ManualClock } from './manual-clock.ts';

const SELF = { node: 'here', readsFormat: 1 };
const node = (run: string, beat: number): NodeBeat => ({ ...SELF, run, beat });

/** A heartbeat whose authority answers with the contents of `world`. */
function stage() {
  const clock = new ManualClock();
  const lease = new Lease();
  const nodes = new NodeList();
  const calls: string[] = [];
  const world = {
    others: [] as NodeBeat[],
    epoch: 1,
    changed: [] as Beat['changed'],
    isListed: true,
    isReachable: true,
    isAwaited: false,
  };
  let [runs, beats] = [0, 0];
  const authority = {
    async join() {
      beats = 0;
      calls.push(`join as run ${++runs}`);
      return `run ${runs}`;
    },
    async beat(): Promise<Beat | null> {
      calls.push('beat');
      if (!world.isReachable) throw new AuthorityUnavailableError('no server is a primary');
      if (!world.isListed) return null;
      const listed = [...world.others, node(`run ${runs}`, ++beats)];
      return {
        beat: beats,
        epoch: world.epoch,
        changed: world.changed,
        nodes: listed,
        wallMs: 1_000 * beats,
      };
    },
    async removeNode({ run, beat }: Pick<NodeBeat, 'run' | 'beat'>) {
      calls.push(`remove ${run} at beat ${beat}`);
    },
  };
  const follower = {
    async follow({ changed }: Pick<Beat, 'changed'>) {
      calls.push(changed === null ? 'compare all' : `follow ${changed.length}`);
    },
  };
  const fatal: unknown[] = [];
  const barrier = new Barrier(clock, nodes);
  const meter = newMeter();
  const heartbeat = new Heartbeat({
    ...{ authority, barrier, clock, meter, lease, nodes, follower, self: SELF },
    isAwaited: () => world.isAwaited,
    onReach: (failure) => calls.push(failure === null ? 'reached' : `unreachable: ${failure.message}`),
    onFatal: (cause) => fatal.push(cause),
  });
  const sent = () => calls.filter((call) => call === 'beat').length;
  return { meter, barrier, clock, lease, calls, sent, world, heartbeat, fatal };
}

test('the first beat of a node joins, and compares all heads', async () => {
  const { heartbeat, calls, lease, meter } = stage();
  const clocks: number[] = [];
  meter.clockRead = (wallMs) => clocks.push(wallMs);
  await heartbeat.renew();
  assert.deepEqual(calls, ['join as run 1', 'beat', 'compare all']);
  assert.ok(lease.isHeld(at(LEASE_MS - 1)) && !lease.isHeld(at(LEASE_MS)));
  await heartbeat.renew();
  assert.deepEqual(calls.slice(3), ['beat', 'follow 0']);
  assert.deepEqual(clocks, [1_000, 2_000]);
});

test('a node shares the rate of a plan with the live nodes of its last list, from its first beat on', async () => {
  const { heartbeat, world, clock } = stage();
  const share = () => shareOf(12, heartbeat.rank);
  assert.equal(share(), 12);
  world.others = [node('a', 7), node('b', 3)];
  await heartbeat.renew();
  assert.equal(share(), 4);
  await clock.advance(LAPSE_MS - 1);
  world.others = [node('a', 8), node('b', 3)];
  await heartbeat.renew();
  assert.equal(share(), 4);
  await clock.advance(1);
  await heartbeat.renew();
  assert.equal(share(), 6);
  world.others = [];
  await heartbeat.renew();
  assert.equal(share(), 12);
});

test('a node that cannot reach the authority keeps its share', async () => {
  const { heartbeat, world, clock } = stage();
  world.others = [node('a', 7)];
  await heartbeat.renew();
  world.isReachable = false;
  await clock.advance(2 * LAPSE_MS);
  await assert.rejects(heartbeat.renew(), AuthorityUnavailableError);
  assert.equal(shareOf(12, heartbeat.rank), 6);
});

test('a node that was removed from the list joins as a new run, and has no lease before that', async () => {
  const { heartbeat, calls, world, lease } = stage();
  await heartbeat.renew();
  world.isListed = false;
  await heartbeat.renew();
  assert.ok(!lease.isHeld(at(0)));
  world.isListed = true;
  calls.length = 0;
  await heartbeat.renew();
  assert.deepEqual(calls, ['join as run 2', 'beat', 'compare all']);
  assert.ok(lease.isHeld(at(0)));
  assert.ok(heartbeat.isOwn('run 1') && heartbeat.isOwn('run 2') && !heartbeat.isOwn('run 3'));
});

test('a new epoch ends the lease, and all heads are compared', async () => {
  const { heartbeat, calls, world } = stage();
  await heartbeat.renew();
  world.epoch = 2;
  calls.length = 0;
  await heartbeat.renew();
  assert.deepEqual(calls, ['beat', 'compare all']);
});

test('the lease outlives a beat that failed, and ends before the next one is sent', async () => {
  const { heartbeat, world, lease } = stage();
  await heartbeat.renew();
  world.isReachable = false;
  await assert.rejects(heartbeat.renew(), AuthorityUnavailableError);
  assert.ok(lease.isHeld(at(0)));
  await assert.rejects(heartbeat.renew(), AuthorityUnavailableError);
  assert.ok(!lease.isHeld(at(0)));
  assert.deepEqual(lease.currentAt, at(0));
});

for (const apartMs of [CLOCKS_APART_MS_MAX, -CLOCKS_APART_MS_MAX]) {
  test(`a lease ends when the clocks have gone apart by more than ${apartMs} ms since its beat, and the next beat renews it`, async () => {
    const { heartbeat, lease, clock } = stage();
    const isHeld = () => lease.isHeld(momentOf(clock));
    await heartbeat.renew();
    clock.setApart(apartMs);
    assert.ok(isHeld());
    clock.setApart(Math.sign(apartMs));
    assert.ok(!isHeld());
    // What is over stays over, whatever the wall clock says afterwards.
    clock.setApart(-apartMs);
    assert.ok(!isHeld());
    await heartbeat.renew();
    assert.ok(isHeld());
  });
}

test('a machine that was suspended during a beat has no lease from it', async () => {
  const { heartbeat, lease, clock } = stage();
  await heartbeat.renew();
  const renewed = heartbeat.renew();
  clock.setApart(CLOCKS_APART_MS_MAX + 1);
  await renewed;
  assert.ok(!lease.isHeld(momentOf(clock)));
});

test('a renewal after the lease has ended counts as a lapse', async () => {
  const { heartbeat, meter, clock } = stage();
  await heartbeat.renew();
  await clock.advance(LEASE_MS - 1);
  await heartbeat.renew();
  assert.equal(meter.lapses, 0);
  await clock.advance(LEASE_MS);
  await heartbeat.renew();
  assert.equal(meter.lapses, 1);
});

test('a silent node is removed from the list, with the last beat that was seen', async () => {
  const { heartbeat, calls, world, clock } = stage();
  world.others = [node('gone', 8), node('there', 1)];
  await heartbeat.renew();
  await clock.advance(NODE_KEPT_MS - 1);
  world.others = [node('gone', 8), node('there', 2)];
  await heartbeat.renew();
  const removals = () => calls.filter((call) => call.startsWith('remove'));
  assert.deepEqual(removals(), []);
  await clock.advance(1);
  await heartbeat.renew();
  assert.deepEqual(removals(), ['remove gone at beat 8']);
});

test('a beat is sent every 500 ms while nothing happens, until the stop', async () => {
  const { heartbeat, sent, clock, world, fatal } = stage();
  void heartbeat.run();
  await clock.advance(BEAT_MS);
  assert.equal(sent(), 2, 'the first beat compares all heads, which is news');
  await clock.advance(IDLE_BEAT_MS - 1);
  assert.equal(sent(), 2);
  await clock.advance(1);
  assert.equal(sent(), 3);
  world.isReachable = false;
  await clock.advance(IDLE_BEAT_MS);
  assert.equal(sent(), 4);
  await clock.advance(BEAT_MS);
  assert.equal(sent(), 5, 'a beat that failed is repeated soon');
  heartbeat.stop();
  await clock.advance(10_000);
  assert.equal(sent(), 5);
  assert.deepEqual(fatal, []);
});

test('while a write or a shop waits for beats, and after one that brought news, the next comes after 50 ms', async () => {
  const { heartbeat, sent, clock, world } = stage();
  void heartbeat.run();
  await clock.advance(BEAT_MS);
  world.isAwaited = true;
  await clock.advance(3 * BEAT_MS);
  assert.equal(sent(), 5);
  world.isAwaited = false;
  world.changed = null;
  await clock.advance(IDLE_BEAT_MS);
  const before = sent();
  await clock.advance(BEAT_MS);
  assert.equal(sent(), before + 1);
  heartbeat.stop();
});

test('a node that is asked for beats sends two: one at once, and one after 50 ms', async () => {
  const { heartbeat, sent, clock } = stage();
  void heartbeat.run();
  await clock.advance(BEAT_MS);
  assert.equal(sent(), 2);
  heartbeat.hurry();
  await clock.advance(0);
  assert.equal(sent(), 3);
  await clock.advance(BEAT_MS);
  assert.equal(sent(), 4);
  await clock.advance(IDLE_BEAT_MS - 1);
  assert.equal(sent(), 4);
  heartbeat.stop();
});

test('a stopped node holds no lease, also when it was stopped during a beat', async () => {
  const { heartbeat, lease, clock } = stage();
  const renewed = heartbeat.renew();
  heartbeat.stop();
  await renewed;
  assert.ok(!lease.isHeld(momentOf(clock)));
});
