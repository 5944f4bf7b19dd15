/** The outcome of an append is settled after a lost answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitMs } from '../../../src/store/cluster/node-ports.ts';
import { RETRY_MS } from '../../../src/store/cluster/timing.ts';
import { appendDefinitely } from '../../../src/store/log/append-definitely.ts';
import {
  type AppendGroup,
  AuthorityUnavailableError,
  type GroupResult,
  type RecordHead,
  type ShopState,
} from '../../../src/store/log/authority.ts';
import { ManualClock } from '../cluster/manual-clock.ts';

const head = (sequenceNumber: number, text: string): RecordHead => ({
  sequenceNumber,
  hash: Buffer.alloc(32, text),
});
const GROUP: AppendGroup = {
  shopId: 'shop_a',
  expected: head(4, 'x'),
  records: ['own 1', 'own 2'].map((text, index) => ({ ...head(5 + index, text), stored: Buffer.from(text) })),
  keysMade: [],
  keysRevoked: [],
  endsChangeset: false,
};
const CAUSE = new AuthorityUnavailableError('the connection is lost');
const UNKNOWN: GroupResult = { kind: 'outcomeUnknown', cause: CAUSE };
const UNAVAILABLE: GroupResult = { kind: 'unavailable', cause: CAUSE };
const STALE: GroupResult = { kind: 'staleWriter' };
const NODES = [{ run: 'run 1', node: 'here', beat: 3, readsFormat: 1 }];
const APPENDED: GroupResult = { kind: 'appended', nodes: [] };
const STATE: ShopState = {
  shopId: 'shop_a',
  head: head(5, 'x'),
  removedUpTo: 0,
  isDeleted: false,
};

/** The outcome when attempts have the listed results and record 5 of the shop then has this text. */
async function outcomeOf(
  attempts: readonly GroupResult[],
  record: string | null | 'unreachable' = null,
  state: ShopState = STATE,
): Promise<string> {
  const clock = new ManualClock();
  const left = [...attempts];
  const authority = {
    append: async () => left.shift() ?? UNAVAILABLE,
    async hashAt() {
      if (record === 'unreachable') throw CAUSE;
      return record === null ? null : Buffer.alloc(32, record);
    },
    states: async () => [state],
    nodes: async () => NODES,
  };
  let outcome = 'open';
  void appendDefinitely(authority, GROUP, () => waitMs(clock, RETRY_MS)).then((result) => {
    outcome = result.kind === 'appended' ? `appended ${result.nodes.length}` : result.kind;
  });
  for (const _attempt of attempts) await clock.advance(RETRY_MS);
  assert.equal(left.length, 0, 'all attempts are made');
  return outcome;
}

test('a definite result of the first attempt is the outcome', async () => {
  for (const result of [UNAVAILABLE, STALE]) assert.equal(await outcomeOf([result]), result.kind);
  assert.equal(await outcomeOf([APPENDED]), 'appended 0');
});

test('another attempt that is appended settles an unknown outcome', async () => {
  assert.equal(await outcomeOf([UNKNOWN, UNAVAILABLE, UNKNOWN, APPENDED]), 'appended 0');
});

test('the record with the same number settles an unknown outcome; the list of nodes is read after it', async () => {
  assert.equal(await outcomeOf([UNKNOWN, STALE], 'own 1'), 'appended 1');
  assert.equal(await outcomeOf([UNKNOWN, STALE], 'of another node'), 'staleWriter');
});

test('only the record itself settles an unknown outcome', async () => {
  assert.equal(await outcomeOf([UNKNOWN, UNAVAILABLE, UNAVAILABLE]), 'open');
  assert.equal(await outcomeOf([UNKNOWN, STALE, STALE], null), 'open');
  assert.equal(await outcomeOf([UNKNOWN, STALE, STALE], 'unreachable'), 'open');
});

test('an outcome stays unknown only if the record that would settle it was removed or lost', async () => {
  const lost: Partial<ShopState>[] = [{ removedUpTo: 5 }, { head: head(3, 'x') }, { isDeleted: true }];
  for (const more of lost) {
    assert.equal(await outcomeOf([UNKNOWN, STALE], null, { ...STATE, ...more }), 'outcomeUnknown');
  }
});
