/** The turns of a writer that loses races, and what it does with a tail that comes in several reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RETRY_MS } from '../../src/cluster/timing.ts';
import { type Decide, takeWriteTurn } from '../../src/cluster/write-turn.ts';
import {
  type AppendGroup,
  AuthorityUnavailableError,
  type GroupResult,
  type ShopTail,
  type StoredRecord,
  type TurnDecision,
  type TurnResult,
} from '../../src/log/authority.ts';
import { ManualClock } from './manual-clock.ts';

const SHOP = 'shop_a';
const hash = Buffer.alloc(32);
const APPENDED: GroupResult = { kind: 'appended', nodes: [] };
const STALE: GroupResult = { kind: 'staleWriter' };
const record = (sequenceNumber: number) => ({ sequenceNumber, hash, stored: Buffer.alloc(0) });

/** A writer whose free turns end as listed; a locked turn finds `tail` of a shop whose head is `head`. */
function stage(free: readonly GroupResult[], head = 0, tail: readonly StoredRecord[] = []) {
  const calls: string[] = [];
  const left = [...free];
  const clock = new ManualClock();
  let locked: GroupResult = APPENDED;
  const authority = {
    append: async () => {
      calls.push('append');
      return left.shift() ?? APPENDED;
    },
    async takeTurn<T>(
      _: string,
      after: number,
      decide: (tail: ShopTail) => Promise<TurnDecision<T>>,
    ): Promise<TurnResult<T>> {
      calls.push(`lock, behind ${after}`);
      const state = {
        shopId: SHOP,
        head: { sequenceNumber: head, hash },
        removedUpTo: 0,
        keptRecord: 0,
        isDeleted: false,
      };
      const { group, value } = await decide({ state, records: tail });
      return { kind: 'taken', value, result: group === null ? null : locked };
    },
    hashAt: async () => null,
    states: async () => [],
    nodes: async () => [],
  };
  let mirrored = 0;
  const mirror = {
    head: () => ({ sequenceNumber: mirrored, hash }),
    async store(_: string, records: readonly StoredRecord[]) {
      mirrored = records.at(-1)?.sequenceNumber ?? mirrored;
      calls.push(`mirror ${records.map(({ sequenceNumber }) => sequenceNumber).join()}`);
    },
    restart: async () => {},
    drop: async () => {},
  };
  const follower = {
    async catchUp() {
      calls.push('catch up');
    },
  };
  const decide: Decide = async (read) => {
    calls.push(`decide behind ${read.length}`);
    const expected = read.at(-1)?.sequenceNumber ?? mirrored;
    const group: AppendGroup = {
      shopId: SHOP,
      expected: { sequenceNumber: expected, hash },
      records: [record(expected + 1)],
      keysMade: [],
      keysRevoked: [],
      endsChangeset: false,
    };
    return group;
  };
  const ports = { authority, mirror, follower, clock };
  return {
    calls,
    follower,
    clock,
    ports,
    take: (decision: Decide = decide) => takeWriteTurn(ports, SHOP, decision),
    lockedEnds: (result: GroupResult) => {
      locked = result;
    },
  };
}

test('the mirror has a record after the authority', async () => {
  const { take, calls } = stage([APPENDED]);
  assert.equal((await take()).kind, 'appended');
  assert.deepEqual(calls, ['decide behind 0', 'append', 'mirror 1']);
});

test('a writer that lost twice decides on the tail that it reads under the lock', async () => {
  const { take, calls } = stage([STALE, STALE], 2, [record(1), record(2)]);
  assert.equal((await take()).kind, 'appended');
  const lost = ['decide behind 0', 'append', 'catch up'];
  assert.deepEqual(calls, [...lost, ...lost, 'lock, behind 0', 'decide behind 2', 'mirror 1,2,3']);
});

test('a tail that comes in several reads is caught up with before the lock is taken again', async () => {
  const { take, calls, follower, ports } = stage([STALE, STALE], 3, [record(1)]);
  const whole = stage([], 1, [record(1)]);
  follower.catchUp = async () => {
    calls.push('catch up');
    if (calls.includes('lock, behind 0')) ports.authority.takeTurn = whole.ports.authority.takeTurn;
  };
  assert.equal((await take()).kind, 'appended');
  assert.deepEqual(calls.slice(6), ['lock, behind 0', 'catch up', 'decide behind 1', 'mirror 1,2']);
});

test('a locked turn with an unknown outcome is settled with the same bytes', async () => {
  const { take, calls, clock, lockedEnds } = stage([STALE, STALE, APPENDED], 1, [record(1)]);
  lockedEnds({ kind: 'outcomeUnknown', cause: new Error('lost') });
  const result = take();
  await clock.advance(RETRY_MS);
  assert.equal((await result).kind, 'appended');
  assert.deepEqual(calls.slice(6), ['lock, behind 0', 'decide behind 1', 'append', 'mirror 1,2']);
});

test('a write that decides to append nothing appends nothing, with and without the lock', async () => {
  const first = stage([]);
  assert.equal((await first.take(async () => null)).kind, 'nothingToAppend');
  const { take, calls } = stage([STALE, STALE], 1, [record(1)]);
  let decisions = 0;
  const decide: Decide = async () => (++decisions > 2 ? null : { ...GROUP });
  assert.equal((await take(decide)).kind, 'nothingToAppend');
  assert.ok(!calls.some((call) => call.startsWith('mirror')));
});

const GROUP: AppendGroup = {
  shopId: SHOP,
  expected: { sequenceNumber: 0, hash },
  records: [record(1)],
  keysMade: [],
  keysRevoked: [],
  endsChangeset: false,
};

test('a stale writer that cannot catch up has appended nothing and says so', async () => {
  const { take, follower } = stage([STALE]);
  follower.catchUp = () => Promise.reject(new AuthorityUnavailableError('no server is a primary'));
  await assert.rejects(take(), AuthorityUnavailableError);
});

test('what could not be sent is refused', async () => {
  const { take, calls } = stage([{ kind: 'unavailable', cause: new Error('no server') }]);
  assert.equal((await take()).kind, 'unavailable');
  assert.deepEqual(calls, ['decide behind 0', 'append']);
});
