/** The turns of a writer: the contents of the mirror after them, and the results of those that fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMeter } from '../../../src/store/cluster/node-ports.ts';
import { RETRY_MS } from '../../../src/store/cluster/timing.ts';
import { takeFreeTurn, takeLockedTurn } from '../../../src/store/cluster/write-turn.ts';
import {
  type AppendGroup,
  AuthorityUnavailableError,
  type GroupResult,
  type StoredRecord,
  type TurnResult,
} from '../../../src/store/log/authority.ts';
import { DiskFullError } from '../../../src/store/log/event-log.ts';
import { ManualClock } from './manual-clock.ts';

const SHOP = 'shop_a';
const hash = Buffer.alloc(32);
const APPENDED: GroupResult = { kind: 'appended', nodes: [] };
const STALE: GroupResult = { kind: 'staleWriter' };
const UNKNOWN: GroupResult = { kind: 'outcomeUnknown', cause: new Error('lost') };
const UNAVAILABLE: GroupResult = { kind: 'unavailable', cause: new Error('no server') };

const groupBehind = (sequenceNumber: number): AppendGroup => ({
  shopId: SHOP,
  expected: { sequenceNumber, hash },
  records: [{ sequenceNumber: sequenceNumber + 1, hash, stored: Buffer.alloc(0) }],
  keysMade: [],
  keysRevoked: [],
  endsChangeset: false,
});

/**
 * A writer whose appends end as listed, while others have appended up to `head`; a locked turn ends as
 * `locked` says.
 */
function stage(appends: readonly GroupResult[], head = 0, locked: GroupResult = APPENDED) {
  const calls: string[] = [];
  const left = [...appends];
  const clock = new ManualClock();
  let mirrored = 0;
  const ports = {
    clock,
    meter: newMeter(),
    authority: {
      append: async () => {
        calls.push('append');
        return left.shift() ?? APPENDED;
      },
      async takeTurn(_: string, decide: () => Promise<AppendGroup | null>): Promise<TurnResult> {
        calls.push('lock');
        const group = await decide();
        return group === null ? { kind: 'nothingToAppend' } : locked;
      },
      hashAt: async () => null,
      states: async () => [],
      nodes: async () => [],
    },
    mirror: {
      head: () => ({ sequenceNumber: mirrored, hash }),
      async store(_: string, records: readonly StoredRecord[]) {
        mirrored = records.at(-1)?.sequenceNumber ?? mirrored;
        calls.push(`mirror ${records.map(({ sequenceNumber }) => sequenceNumber).join()}`);
      },
      restart: async () => {},
      drop: async () => {},
    },
    follower: {
      async mirrorTail() {
        calls.push('mirror the tail');
        mirrored = head;
      },
    },
  };
  const decide = async (): Promise<AppendGroup> => {
    calls.push(`decide behind ${mirrored}`);
    return groupBehind(mirrored);
  };
  return { calls, clock, ports, decide };
}

test('the authority stores a record before the mirror', async () => {
  const { ports, calls } = stage([APPENDED]);
  assert.equal((await takeFreeTurn(ports, groupBehind(0))).kind, 'appended');
  assert.deepEqual(calls, ['append', 'mirror 1']);
});

test('an appended record waits for room in the mirror, and is reported then', async () => {
  for (const turn of [
    takeFreeTurn,
    (of: Parameters<typeof takeFreeTurn>[0]) => takeLockedTurn(of, SHOP, async () => groupBehind(0)),
  ]) {
    const { ports, calls, clock } = stage([]);
    const { store } = ports.mirror;
    let isFull = true;
    ports.mirror.store = async (...of) => {
      if (isFull) throw new DiskFullError();
      return store(...of);
    };
    let kind = '';
    const ended = turn(ports, groupBehind(0)).then((result) => {
      kind = result.kind;
    });
    for (let wait = 0; wait < 3; wait++) await clock.advance(RETRY_MS);
    assert.deepEqual([kind, calls.includes('mirror 1')], ['', false]);
    isFull = false;
    await clock.advance(RETRY_MS);
    await ended;
    assert.deepEqual([kind, calls.includes('mirror 1')], ['appended', true]);
  }
});

test('a lost race brings the mirror up to date', async () => {
  const { ports, calls } = stage([STALE], 2);
  assert.equal((await takeFreeTurn(ports, groupBehind(0))).kind, 'staleWriter');
  assert.deepEqual(calls, ['append', 'mirror the tail']);
});

test('a stale writer that cannot catch up rejects and has appended nothing', async () => {
  const { ports } = stage([STALE]);
  ports.follower.mirrorTail = () => Promise.reject(new AuthorityUnavailableError('no server is a primary'));
  await assert.rejects(takeFreeTurn(ports, groupBehind(0)), AuthorityUnavailableError);
});

test('an append that could not be sent is refused', async () => {
  const { ports, calls } = stage([UNAVAILABLE]);
  assert.equal((await takeFreeTurn(ports, groupBehind(0))).kind, 'unavailable');
  assert.deepEqual(calls, ['append']);
});

test('with the lock a writer decides on the newest records; the authority stores its record before the mirror', async () => {
  const { ports, calls, decide } = stage([], 2);
  assert.equal((await takeLockedTurn(ports, SHOP, decide)).kind, 'appended');
  assert.deepEqual(calls, ['lock', 'mirror the tail', 'decide behind 2', 'mirror 3']);
});

test('a locked turn with an unknown outcome is settled with the same bytes', async () => {
  const { ports, calls, clock, decide } = stage([APPENDED], 1, UNKNOWN);
  const result = takeLockedTurn(ports, SHOP, decide);
  await clock.advance(RETRY_MS);
  assert.equal((await result).kind, 'appended');
  assert.deepEqual(calls.slice(2), ['decide behind 1', 'append', 'mirror 2']);
  assert.equal(ports.meter.unknownOutcomes, 1);
});

test('a locked turn that has nothing to append, is refused or lost its lock stores nothing', async () => {
  const nothing = stage([], 1);
  assert.equal((await takeLockedTurn(nothing.ports, SHOP, async () => null)).kind, 'nothingToAppend');
  assert.deepEqual(nothing.calls, ['lock', 'mirror the tail']);
  const refused = stage([], 1, UNAVAILABLE);
  assert.equal((await takeLockedTurn(refused.ports, SHOP, refused.decide)).kind, 'unavailable');
  assert.deepEqual(refused.calls, ['lock', 'mirror the tail', 'decide behind 1']);
  const lost = stage([], 1, STALE);
  assert.equal((await takeLockedTurn(lost.ports, SHOP, lost.decide)).kind, 'staleWriter');
  assert.deepEqual(lost.calls, ['lock', 'mirror the tail', 'decide behind 1', 'mirror the tail']);
});
