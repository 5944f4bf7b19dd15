/**
 * The promises of the `Authority` port, tested with every adapter. A harness opens authorities on one database; each
 * stands for a separate process.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Authority,
  AuthorityUnavailableError,
  type StoredRecord,
} from '../../../src/store/log/authority.ts';
import { headAfter, NO_HEAD } from '../../../src/store/log/record-codec.ts';
import { nodePromises } from './authority-node-promises.ts';
import {
  appendGroup,
  appendMarks,
  bulkyRecord,
  groupOf,
  kindOf,
  marksBehind,
  newShop,
  newShopId,
} from './authority-shops.ts';
import { upkeepPromises } from './authority-upkeep-promises.ts';
import { encodeGroup } from './encoded-records.ts';
import { numbersOf } from './sample-records.ts';

export interface AuthorityHarness {
  /** Another process of the same cluster. */
  readonly open: () => Promise<Authority>;
}

/** A test; its body gets as many processes as it has parameters. */
export type AuthorityPromise = (title: string, body: (...authorities: Authority[]) => Promise<void>) => void;

export function describeAuthority(adapter: string, harness: AuthorityHarness): void {
  const promise: AuthorityPromise = (title, body) => {
    test(`${adapter}: ${title}`, async () => {
      const authorities = await Promise.all(Array.from({ length: body.length }, () => harness.open()));
      try {
        await body(...authorities);
      } finally {
        for (const authority of authorities) await authority.close();
      }
    });
  };
  appendPromises(promise);
  readPromises(promise);
  turnPromises(promise);
  upkeepPromises(promise);
  nodePromises(promise);
}

function appendPromises(promise: AuthorityPromise): void {
  promise('records are appended after the head; all processes read the same bytes', async (one, other) => {
    const { shopId, head } = await newShop(one, 'a', 'b');
    const group = groupOf(shopId, head, 'c', 'd');
    await appendGroup(other, group);
    const { state, records } = await one.tail(shopId, 2);
    assert.deepEqual(records.map(storedOf), group.records.map(storedOf));
    assert.deepEqual(state?.head, headAfter(group));
    assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b', '3:c', '4:d']);
  });

  promise('of groups that expect the same head exactly one is appended', async (one, other) => {
    const { shopId, head } = await newShop(one, 'a');
    const kinds = await Promise.all(
      [one, other, one, other].map((each, index) =>
        kindOf(each.append(groupOf(shopId, head, `${index}x`, `${index}y`))),
      ),
    );
    assert.deepEqual(kinds.toSorted(), ['appended', 'staleWriter', 'staleWriter', 'staleWriter']);
    const winner = kinds.indexOf('appended');
    assert.deepEqual(await marksBehind(one, shopId), ['1:a', `2:${winner}x`, `3:${winner}y`]);
  });

  promise('of first groups of a new shop exactly one is appended', async (one, other) => {
    const shopId = newShopId();
    const kinds = await Promise.all(
      [one, other].map((each, index) => kindOf(each.append(groupOf(shopId, NO_HEAD, index)))),
    );
    assert.deepEqual(kinds.toSorted(), ['appended', 'staleWriter']);
    assert.deepEqual(await marksBehind(other, shopId), [`1:${kinds.indexOf('appended')}`]);
  });

  promise('a head with the right number and another hash is stale', async (one) => {
    const { shopId, head } = await newShop(one, 'a');
    const other = { ...head, hash: Buffer.alloc(32, 7) };
    assert.equal(await kindOf(one.append(groupOf(shopId, other, 'b'))), 'staleWriter');
    assert.equal(await kindOf(one.append(groupOf(newShopId(), head, 'b'))), 'staleWriter');
    assert.deepEqual(await marksBehind(one, shopId), ['1:a']);
  });

  promise('groups of many shops that arrive at the same time are decided separately', async (one, other) => {
    const shops = await Promise.all(Array.from({ length: 24 }, (_, index) => newShop(one, index)));
    // Every third shop has got another record meanwhile.
    await Promise.all(
      shops.map(async ({ shopId, head }, index) => {
        if (index % 3 === 0) await appendMarks(other, shopId, head, 'moved');
      }),
    );
    const fresh = Array.from({ length: 8 }, () => newShopId());
    const [known, made] = await Promise.all([
      Promise.all(
        shops.map(({ shopId, head }, index) => kindOf(one.append(groupOf(shopId, head, `n${index}`)))),
      ),
      Promise.all(fresh.map((shopId) => kindOf(one.append(groupOf(shopId, NO_HEAD, 'first'))))),
    ]);
    for (const [index, kind] of known.entries())
      assert.equal(kind, index % 3 === 0 ? 'staleWriter' : 'appended');
    assert.deepEqual(new Set(made), new Set(['appended']));
    for (const [index, { shopId }] of shops.entries()) {
      const second = index % 3 === 0 ? 'moved' : `n${index}`;
      assert.deepEqual(await marksBehind(other, shopId), [`1:${index}`, `2:${second}`]);
    }
  });

  promise('consecutive groups of one shop that are sent without waiting are all appended', async (one) => {
    const { shopId, head } = await newShop(one, 0);
    const groups = [groupOf(shopId, head, 1)];
    for (let mark = 2; mark <= 6; mark++)
      groups.push(groupOf(shopId, headAfter(groups[mark - 2] ?? fail()), mark));
    const kinds = await Promise.all(groups.map((group) => kindOf(one.append(group))));
    assert.deepEqual(new Set(kinds), new Set(['appended']));
    assert.deepEqual(await marksBehind(one, shopId, 1), ['2:1', '3:2', '4:3', '5:4', '6:5', '7:6']);
  });

  promise('a group without records or with a gap is refused, and nothing is stored', async (one) => {
    const { shopId, head } = await newShop(one, 'a');
    const group = groupOf(shopId, head, 'b', 'c');
    await assert.rejects(one.append({ ...group, records: [] }), RangeError);
    await assert.rejects(one.append({ ...group, records: group.records.slice(1) }), RangeError);
    assert.deepEqual(await marksBehind(one, shopId), ['1:a']);
  });

  promise('a closed authority appends nothing and answers unavailable', async (one, other) => {
    const { shopId, head } = await newShop(one, 'a');
    await one.close();
    assert.equal(await kindOf(one.append(groupOf(shopId, head, 'b'))), 'unavailable');
    await assert.rejects(one.tail(shopId, 0), AuthorityUnavailableError);
    assert.deepEqual(await marksBehind(other, shopId), ['1:a']);
  });
}

const storedOf = ({ stored }: StoredRecord): Buffer => stored;
const fail = (): never => assert.fail();

function readPromises(promise: AuthorityPromise): void {
  promise('records of several parts are read complete, as are records beside them', async (one, other) => {
    const shopId = newShopId();
    const sizes = [10, 65_536, 131_072, 200_000, 65_535, 10];
    const records = sizes.map(bulkyRecord);
    // The stored forms have exactly the size of one part and of two parts.
    const exact = [65_536, 131_072].map((size) => {
      // Only the first record of a group has the id of the append.
      const empty = encodeGroup(shopId, NO_HEAD, [bulkyRecord(0), bulkyRecord(0)]);
      const overhead = empty.records[1]?.stored.length ?? 0;
      return bulkyRecord(size - overhead);
    });
    const group = encodeGroup(shopId, NO_HEAD, [...records, ...exact]);
    const lengths = group.records.slice(-2).map(({ stored }) => stored.length);
    assert.deepEqual(lengths, [65_536, 131_072]);
    await appendGroup(one, group);
    const read = await other.tail(shopId, 0);
    assert.ok(read.records.every(({ stored }, index) => group.records[index]?.stored.equals(stored)));
    assert.equal(read.records.length, group.records.length);
  });

  promise('a tail that is too long for one read ends early, and the next read continues it', async (one) => {
    const shopId = newShopId();
    const group = encodeGroup(
      shopId,
      NO_HEAD,
      Array.from({ length: 12 }, () => bulkyRecord(900_000)),
    );
    await appendGroup(one, group);
    const first = await one.tail(shopId, 0);
    assert.ok(first.records.length > 1 && first.records.length < 12, `${first.records.length}`);
    assert.equal(first.state?.head.sequenceNumber, 12);
    assert.equal((await marksBehind(one, shopId)).length, 12);
  });

  promise('a tail has the records between two numbers; an unknown shop has none', async (one) => {
    const { shopId, head } = await newShop(one, 'a', 'b', 'c', 'd');
    const numbers = async (after: number, upTo?: number) =>
      numbersOf((await one.tail(shopId, after, upTo)).records);
    assert.deepEqual(await numbers(1, 3), [2, 3]);
    assert.deepEqual(await numbers(3), [4]);
    assert.deepEqual(await numbers(4), []);
    assert.deepEqual(await numbers(9), []);
    assert.deepEqual((await one.tail(shopId, 4)).state?.head, head);
    assert.deepEqual(await one.tail(newShopId(), 0), { state: null, records: [] });
    assert.deepEqual(await one.start(newShopId()), { state: null, records: [], checkpoint: null });
  });

  promise('the hash of a record is found by its number', async (one) => {
    const { shopId, head } = await newShop(one, 'a', 'b');
    assert.deepEqual(await one.hashAt(shopId, 2), head.hash);
    assert.equal(await one.hashAt(shopId, 3), null);
    assert.equal(await one.hashAt(newShopId(), 1), null);
  });

  promise('states are found by id, and listed for all shops in the order of their ids', async (one) => {
    const shops = await Promise.all(['a', 'b', 'c'].map((mark) => newShop(one, mark)));
    const ids = shops.map(({ shopId }) => shopId);
    const told = await one.states([...ids, newShopId()]);
    assert.deepEqual(told.map(({ shopId }) => shopId).toSorted(), ids.toSorted());
    for (const { shopId, head } of shops) {
      assert.deepEqual(told.find((state) => state.shopId === shopId)?.head, head);
    }
    const all: string[] = [];
    for (let after = ''; ; ) {
      const page = await one.statesAfter(after, 7);
      all.push(...page.map(({ shopId }) => shopId));
      if (page.length < 7) break;
      after = all.at(-1) ?? '';
    }
    assert.deepEqual(all, [...new Set(all)].toSorted());
    assert.ok(ids.every((shopId) => all.includes(shopId)));
  });

  promise('many reads at a time each get their own answer', async (one) => {
    const shops = await Promise.all(Array.from({ length: 40 }, (_, index) => newShop(one, index)));
    const read = await Promise.all(shops.map(({ shopId }) => marksBehind(one, shopId)));
    for (const [index, marks] of read.entries()) assert.deepEqual(marks, [`1:${index}`]);
  });
}

function turnPromises(promise: AuthorityPromise): void {
  /** A group behind the last record there is. */
  const groupBehindAll = async (authority: Authority, shopId: string, mark: string | number) => {
    const { state } = await authority.tail(shopId, 0);
    return groupOf(shopId, state?.head ?? NO_HEAD, mark);
  };

  promise('a turn sees all records and appends after them while others write', async (one, other) => {
    const { shopId, head } = await newShop(one, 'a');
    await appendMarks(other, shopId, head, 'b');
    let late: Promise<string> | null = null;
    const turn = one.takeTurn(shopId, async () => {
      const group = await groupBehindAll(one, shopId, 'turn');
      late = kindOf(other.append(groupOf(shopId, group.expected, 'late')));
      await new Promise((resolve) => setTimeout(resolve, 30));
      return group;
    });
    assert.equal(await kindOf(turn), 'appended');
    assert.equal(await late, 'staleWriter');
    assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b', '3:turn']);
  });

  promise('turns of several processes run one after the other, and each is appended', async (one, other) => {
    const { shopId } = await newShop(one, 'a');
    const turns = [one, other, one, other, one, other].map((each, index) =>
      each.takeTurn(shopId, () => groupBehindAll(each, shopId, index)),
    );
    const kinds = await Promise.all(turns.map(kindOf));
    assert.ok(kinds.every((kind) => kind === 'appended'));
    const marks = await marksBehind(one, shopId, 1);
    const numbers = marks.map((mark) => mark.replace(/^\d+:/, '')).toSorted();
    assert.deepEqual(numbers, ['0', '1', '2', '3', '4', '5']);
  });

  promise('a turn that appends nothing or throws changes nothing and frees the lock', async (one, other) => {
    const { shopId, head } = await newShop(one, 'a');
    assert.deepEqual(await one.takeTurn(shopId, async () => null), { kind: 'nothingToAppend' });
    const failure = new Error('decided wrongly');
    await assert.rejects(
      one.takeTurn(shopId, () => Promise.reject(failure)),
      failure,
    );
    await appendMarks(other, shopId, head, 'b');
    assert.deepEqual(await marksBehind(one, shopId), ['1:a', '2:b']);
  });

  promise('a turn can append the first records of a shop', async (one, other) => {
    const shopId = newShopId();
    const turn = one.takeTurn(shopId, () => groupBehindAll(one, shopId, 'first'));
    assert.equal(await kindOf(turn), 'appended');
    assert.deepEqual(await marksBehind(other, shopId), ['1:first']);
  });
}
