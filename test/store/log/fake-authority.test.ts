/** The authority in memory keeps the promises of the port, and loses the same data as PostgreSQL in a failover. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { appendDefinitely, settleAppend } from '../../../src/store/log/append-definitely.ts';
import { type AppendGroup, AuthorityUnavailableError } from '../../../src/store/log/authority.ts';
import { NO_HEAD } from '../../../src/store/log/record-codec.ts';
import { FakeAuthority, type LostAppend } from '../../support/fake-authority.ts';
import { FakeDatabase } from '../../support/fake-database.ts';
import { describeAuthority } from './authority-contract.ts';
import { describeLostAnswers, soon } from './authority-faults.ts';
import { formatRisesWithTheOldestNode } from './authority-node-promises.ts';
import { appendMarks, groupOf, kindOf, marksBehind, newShop } from './authority-shops.ts';

const shared = new FakeDatabase();
describeAuthority('memory', { open: async () => new FakeAuthority(shared) });
describeLostAnswers('memory', {
  open: async () => {
    const authority = new FakeAuthority(shared);
    return { authority, loseNext: (fate) => authority.loseNext(fate), close: () => authority.close() };
  },
});

const pair = () => {
  const database = new FakeDatabase();
  return { database, one: new FakeAuthority(database), other: new FakeAuthority(database) };
};

test('memory: the format that is written rises when the last node that cannot read a newer one has left', async () => {
  const { one, other } = pair();
  await formatRisesWithTheOldestNode(one, other);
});

test('memory: a late append is refused after a later attempt was appended', async () => {
  const { one, other } = pair();
  const { shopId, head } = await newShop(one, 'a');
  one.loseNext('late');
  const result = await appendDefinitely(one, groupOf(shopId, head, 'b'), soon);
  assert.equal(result.kind, 'appended');
  one.releaseLate();
  assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b']);
});

test('memory: an append that arrives late between two attempts is recognised as our own', async () => {
  const { one, other } = pair();
  const { shopId, head } = await newShop(one, 'a');
  one.loseNext('late');
  const result = await appendDefinitely(one, groupOf(shopId, head, 'b'), async () => one.releaseLate());
  assert.equal(result.kind, 'appended');
  assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b']);
});

test('memory: a missing record proves nothing, because an unconfirmed record may have been there before', async () => {
  const { database, one, other } = pair();
  const { shopId, head } = await newShop(one, 'a');
  one.loseNext('lostBefore');
  assert.equal(await kindOf(one.append(groupOf(shopId, head, 'b'))), 'outcomeUnknown');
  database.detach();
  other.loseNext('ghost');
  await other.append(groupOf(shopId, head, 'ghost'));
  const asked = {
    append: (group: AppendGroup) => one.append(group),
    states: (shopIds: readonly string[]) => one.states(shopIds),
    nodes: () => one.nodes(),
    hashAt: (id: string, sequenceNumber: number) => {
      database.failOver();
      return one.hashAt(id, sequenceNumber);
    },
  };
  const settled = await settleAppend(asked, groupOf(shopId, head, 'b'), soon);
  assert.equal(settled.kind, 'appended');
  assert.deepEqual(await marksBehind(one, shopId), ['1:a', '2:b']);
});

test('memory: without a second copy no append is reported as appended, and no read returns it', async () => {
  const { database, one, other } = pair();
  const { shopId, head } = await newShop(one, 'a');
  database.detach();
  const append = kindOf(one.append(groupOf(shopId, head, 'b')));
  const read = other.tail(shopId, 1);
  const early = await Promise.race([
    append,
    read,
    new Promise((resolve) => setTimeout(resolve, 20, 'waits')),
  ]);
  assert.equal(early, 'waits');
  database.attach();
  assert.equal(await append, 'appended');
  assert.equal((await read).records.length, 1);
});

test('memory: a failover loses unconfirmed records, refuses groups that build on them, and restarts the feed', async () => {
  const { database, one, other } = pair();
  const { shopId, head } = await newShop(one, 'a');
  await other.join({ node: 'n', readsFormat: 1 });
  await other.beat();
  assert.ok((await other.beat())?.changed !== null);
  database.detach();
  one.loseNext('ghost');
  const ghost = groupOf(shopId, head, 'ghost');
  assert.equal(await kindOf(one.append(ghost)), 'outcomeUnknown');
  const read = other.tail(shopId, 0);
  read.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 5));
  database.failOver();
  await assert.rejects(read, AuthorityUnavailableError);
  assert.deepEqual(await marksBehind(other, shopId), ['1:a']);
  assert.equal((await other.beat())?.changed, null);
  assert.equal((await appendDefinitely(one, ghost, soon)).kind, 'appended');
  assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:ghost']);
});

const FATES: readonly (LostAppend | 'answered' | 'failover')[] = [
  ...(['answered', 'answered', 'answered'] as const),
  ...(['lostBefore', 'lostAfter', 'ghost', 'late', 'failover'] as const),
];

test('memory: with lost, late and unconfirmed appends, acknowledged records stay, once, with their numbers', async () => {
  const runs = fc.array(
    fc.record({ writer: fc.nat(2), fate: fc.constantFrom(...FATES), release: fc.nat(2) }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(runs, async (steps) => {
      const database = new FakeDatabase();
      const writers = [0, 1, 2].map(() => new FakeAuthority(database));
      const [reader] = writers;
      assert.ok(reader !== undefined);
      await appendMarks(reader, 'shop_x', NO_HEAD, 'first');
      const acknowledged = new Map([[1, 'first']]);
      const write = async ({ writer, fate, release }: (typeof steps)[number], step: number) => {
        const authority = writers[writer] ?? reader;
        if (fate === 'failover') database.failOver();
        else if (fate !== 'answered') authority.loseNext(fate);
        const seen = await authority.states(['shop_x']).catch(() => null);
        const expected = seen?.[0]?.head;
        if (expected === undefined) return;
        const group = groupOf('shop_x', expected, `s${step}`);
        const result = await appendDefinitely(authority, group, async () => writers[release]?.releaseLate());
        if (result.kind === 'appended') acknowledged.set(expected.sequenceNumber + 1, `s${step}`);
      };
      // Three at a time, so that writers compete.
      for (let at = 0; at < steps.length; at += 3) {
        await Promise.all(steps.slice(at, at + 3).map((step, index) => write(step, at + index)));
      }
      for (const writer of writers) writer.releaseLate();
      const marks = await marksBehind(reader, 'shop_x');
      assert.deepEqual(
        marks.filter((mark) => acknowledged.get(Number.parseInt(mark, 10)) !== mark.replace(/^\d+:/, '')),
        [],
      );
      assert.equal(marks.length, acknowledged.size);
    }),
    { numRuns: Number(process.env['RATEWRIGHT_LOST_RUNS'] ?? 150) },
  );
});
