/**
 * Three PostgreSQL servers with quorum commit: no acknowledged append is lost when the primary crashes or hangs, and an
 * append that is on one machine only is neither acknowledged nor read.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { appendDefinitely, settleAppend } from '../../../../src/store/log/append-definitely.ts';
import {
  type AppendGroup,
  type Authority,
  AuthorityUnavailableError,
} from '../../../../src/store/log/authority.ts';
import { openPostgresAuthority } from '../../../../src/store/log/postgres/postgres-authority.ts';
import { headAfter } from '../../../../src/store/log/record-codec.ts';
import { postgresMissing } from '../../../support/postgres/postgres-programs.ts';
import { PostgresTrio } from '../../../support/postgres/postgres-trio.ts';
import { FailoverStage, failoversBelow } from '../../node/failovers-below-nodes.ts';
import { soon } from '../authority-faults.ts';
import { groupOf, marksBehind, newShop } from '../authority-shops.ts';

const missing = postgresMissing();
const FAILOVERS = Number(process.env['RATEWRIGHT_FAILOVERS'] ?? 2);
const SHOPS = 8;
const WRITERS_PER_SHOP = 2;
/** Answer timeout where no answer will arrive. */
const CUT_MS = 700;
/** Time of writing between two failovers. */
const CALM_MS = 500;

let trio: PostgresTrio;
const open = (answerMsMax = 1_500): Promise<Authority> =>
  openPostgresAuthority({ url: trio.url, answerMsMax, connectMsMax: 1_000 });

/** Process ids of backends that wait for the second copy of a commit. */
const waitingBackends = async (): Promise<readonly number[]> => {
  const rows = await trio.primary.query("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  return rows.map(({ pid }) => Number(pid));
};

async function untilWaiting(): Promise<number> {
  for (;;) {
    const [pid] = await waitingBackends();
    if (pid !== undefined) return pid;
    await wait(10);
  }
}

/** Number of records of the shop that other connections can see on the primary. */
const visibleRecords = async (shopId: string): Promise<number> => {
  const rows = await trio.primary.query('SELECT count(*)::int AS n FROM rw_records WHERE shop = $1', [
    shopId,
  ]);
  return Number(rows[0]?.['n']);
};

/** Retries while the database is unavailable: commits that waited for standbys hold their locks a little longer. */
async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  for (const endMs = Date.now() + 60_000; ; await soon()) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AuthorityUnavailableError) || Date.now() > endMs) throw error;
    }
  }
}

/** Makes a shop, and opens the connections of both authorities to the present primary. */
async function connectAll(idle: Authority, rival: Authority): Promise<Awaited<ReturnType<typeof newShop>>> {
  for (const authority of [idle, rival]) {
    const { shopId } = await eventually(async () => newShop(authority, 'first'));
    await eventually(() => authority.tail(shopId, 0));
  }
  await idle.join({ node: 'idle', readsFormat: 1 });
  await idle.beat();
  return newShop(idle, 'a');
}

/**
 * Connections that were idle during a failover stay open to the replaced primary. There commits wait for a second copy forever
 * and keep their locks, so later statements get lock timeouts from a server that still answers.
 */
async function leaveTheReplaced(
  idle: Authority,
  rival: Authority,
  { shopId, head }: Awaited<ReturnType<typeof newShop>>,
): Promise<void> {
  const [beat, append] = [idle.beat(), idle.append(groupOf(shopId, head, 'never stored'))];
  await assert.rejects(beat, AuthorityUnavailableError);
  assert.equal((await append).kind, 'outcomeUnknown');
  assert.deepEqual(await eventually(() => marksBehind(idle, shopId)), ['1:a']);
  const group = groupOf(shopId, head, 'b');
  while ((await appendDefinitely(rival, group, soon)).kind !== 'appended') await soon();
  assert.deepEqual(await eventually(() => marksBehind(idle, shopId)), ['1:a', '2:b']);
  await eventually(() => idle.beat());
  await idle.leave();
}

/** Ways to interrupt an append that waits for its second copy. */
const CUTS: Readonly<Record<string, (backend: number) => Promise<unknown>>> = {
  'its wait is cancelled': (backend) => trio.primary.query('SELECT pg_cancel_backend($1)', [backend]),
  'its connection is ended': (backend) => trio.primary.query('SELECT pg_terminate_backend($1)', [backend]),
  'the primary crashes and starts again': async () => {
    await trio.primary.kill();
    await trio.primary.start();
  },
};

if (missing !== false) test('PostgreSQL: failovers', { skip: missing });
else {
  before(async () => {
    trio = await PostgresTrio.start();
    // The warning that a commit has no second copy reaches a node nevertheless.
    await trio.primary.query('ALTER ROLE ratewright SET client_min_messages = error');
  });
  after(() => trio.discard());

  test('PostgreSQL: an append is invisible until it has a second copy, and acknowledged then', async () => {
    const authority = await open(30_000);
    const { shopId, head } = await newShop(authority, 'a');
    await trio.detachStandbys();
    const append = authority.append(groupOf(shopId, head, 'b'));
    await untilWaiting();
    assert.equal(await visibleRecords(shopId), 1);
    await trio.attachStandbys();
    assert.equal((await append).kind, 'appended');
    assert.equal(await visibleRecords(shopId), 2);
    await authority.close();
  });

  for (const [cut, cutShort] of Object.entries(CUTS)) {
    test(`PostgreSQL: when ${cut}, the outcome of an append is unknown, it is not read, and it is settled later`, async () => {
      const [authority, other] = [await open(CUT_MS), await open(CUT_MS)];
      const { shopId, head } = await newShop(authority, 'a');
      await other.join({ node: 'n', readsFormat: 1 });
      await other.beat();
      // Opens all connections now: a new one would fail its check, because no commit succeeds.
      await other.tail(shopId, 0);
      await other.takeTurn(shopId, async () => null);
      await trio.detachStandbys();
      const group = groupOf(shopId, head, 'b');
      const append = authority.append(group);
      await cutShort(await untilWaiting());
      assert.equal((await append).kind, 'outcomeUnknown');
      // It is committed, on one machine only. The warning that tells of it comes a moment before it can be seen.
      for (const endMs = Date.now() + 60_000; (await visibleRecords(shopId)) !== 2; await soon())
        assert.ok(Date.now() < endMs, 'the append is not committed');
      // The turn does not get the lock, or its read is not confirmed.
      const turn = other.takeTurn(shopId, () => other.tail(shopId, 0).then(() => null));
      const turned = turn.then(
        ({ kind }) => kind,
        () => 'unavailable',
      );
      const asked = [other.tail(shopId, 0), other.hashAt(shopId, 2), other.beat()];
      await Promise.all(asked.map((each) => assert.rejects(each, AuthorityUnavailableError)));
      assert.equal(await turned, 'unavailable');
      await trio.attachStandbys();
      assert.equal((await settleAppend(authority, group, soon)).kind, 'appended');
      assert.deepEqual(await eventually(() => marksBehind(other, shopId)), ['1:a', '2:b']);
      await authority.close();
      await other.close();
    });
  }

  test('PostgreSQL: after its client has given up, an append keeps the head locked, so no rival is appended', async () => {
    const [authority, other] = [await open(CUT_MS), await open(CUT_MS)];
    const { shopId, head } = await newShop(authority, 'a');
    await trio.detachStandbys();
    const [group, rival] = [groupOf(shopId, head, 'b'), groupOf(shopId, head, 'x')];
    assert.equal((await authority.append(group)).kind, 'outcomeUnknown');
    assert.notEqual((await other.append(rival)).kind, 'appended');
    await trio.attachStandbys();
    assert.equal((await settleAppend(authority, group, soon)).kind, 'appended');
    assert.equal((await other.append(rival)).kind, 'staleWriter');
    assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b']);
    await authority.close();
    await other.close();
  });

  for (const [name, value] of [
    ['synchronous_standby_names', ''],
    ['fsync', 'off'],
  ] as const) {
    test(`PostgreSQL: a primary whose ${name} becomes unsafe acknowledges nothing, is left, and is used again when it is safe`, async () => {
      const [writer, node] = [await open(), await open()];
      const { shopId, head } = await newShop(writer, 'a');
      await node.join({ node: 'n', readsFormat: 1 });
      await node.beat();
      const reason = new RegExp(`${name} is`);
      const isUnavailable = (error: Error) =>
        error instanceof AuthorityUnavailableError && reason.test(error.message);
      const makeSafe = await trio.setOnPrimary(name, value);
      const group = groupOf(shopId, head, 'b');
      const first = await writer.append(group);
      assert.equal(first.kind, 'outcomeUnknown');
      assert.match('cause' in first ? first.cause.message : '', reason);
      const second = await writer.append(group);
      assert.equal(second.kind, 'unavailable');
      assert.match('cause' in second ? second.cause.message : '', reason);
      // One beat closes all connections of a node, not only its own.
      await assert.rejects(node.beat(), isUnavailable);
      await assert.rejects(node.tail(shopId, 0), isUnavailable);
      await assert.rejects(open(), isUnavailable);
      await makeSafe();
      assert.equal((await settleAppend(writer, group, soon)).kind, 'appended');
      assert.deepEqual(await eventually(() => marksBehind(node, shopId)), ['1:a', '2:b']);
      assert.equal((await eventually(() => node.beat()))?.changed, null);
      await node.leave();
      for (const authority of [writer, node]) await authority.close();
    });
  }

  test('PostgreSQL: the primary is found among several servers, and a refusal names a reason for each server', async () => {
    const [standby] = trio.standbys;
    await assert.rejects(
      openPostgresAuthority({ url: standby?.url ?? '' }),
      /^AuthorityUnavailableError: no database to write to: 127\.0\.0\.1:\d+: it is a standby$/,
    );
    const authority = await open();
    assert.equal((await marksBehind(authority, (await newShop(authority, 'a')).shopId)).length, 1);
    await authority.close();
  });

  test(`PostgreSQL: ${FAILOVERS} failovers under ${SHOPS * WRITERS_PER_SHOP} writers lose no append and store none twice`, async (context) => {
    const ledger = new Ledger();
    const authorities = await Promise.all(Array.from({ length: 4 }, () => open()));
    const [reader] = authorities;
    assert.ok(reader !== undefined);
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => newShop(reader, 'first')));
    let isOver = false;
    const node = await open();
    const [idle, rival] = [await open(), await open()];
    await node.join({ node: 'n', readsFormat: 1 });
    await node.beat();
    const writers = shops.flatMap(({ shopId }, shop) =>
      Array.from({ length: WRITERS_PER_SHOP }, async (_, writer) => {
        const authority = authorities[(shop + writer) % authorities.length] ?? reader;
        for (let round = 0; !isOver; round++) await ledger.write(authority, shopId, `${writer}-${round}`);
      }),
    );
    for (let failover = 0; failover < FAILOVERS; failover++) {
      await wait(CALM_MS);
      const old = trio.primary;
      assert.ok((await eventually(() => node.beat()))?.changed !== null);
      const connected = await connectAll(idle, rival);
      if (failover % 2 === 0) await old.kill();
      else old.pause();
      await trio.failOver();
      // Transaction ids of the new primary are not comparable with the old ones, so the feed starts over.
      assert.equal((await eventually(() => node.beat()))?.changed, null);
      // The replaced primary comes back: clients reach it, but it acknowledges nothing.
      if (failover % 2 === 1) {
        old.resume();
        await leaveTheReplaced(idle, rival, connected);
      }
      await wait(CALM_MS);
      await trio.rejoin(old);
    }
    await wait(CALM_MS);
    isOver = true;
    await Promise.all(writers);
    for (const { shopId } of shops) ledger.check(shopId, await marksBehind(reader, shopId, 1));
    const { acknowledged, unknown, ownFound } = ledger;
    context.diagnostic(
      `${acknowledged} acknowledged, ${unknown} of unknown outcome, ${ownFound} of those were stored`,
    );
    assert.ok(acknowledged > FAILOVERS * SHOPS);
    for (const authority of [...authorities, node, idle, rival]) await authority.close();
  });

  // The long form is `node/node-failovers`; there, a primary also hangs and comes back.
  test('PostgreSQL: a failover under two nodes with leases loses no write, stores none twice, and no unmarked answer is stale', async (context) => {
    const stage = await FailoverStage.start(trio, 2);
    context.after(() => stage.nodes.discard());
    await failoversBelow(stage, { failovers: 1, shops: 1 }, (text) => context.diagnostic(text));
  });
}

/** Acknowledged marks by shop and sequence number. */
class Ledger {
  readonly #marks = new Map<string, Map<number, string>>();
  acknowledged = 0;
  unknown = 0;
  ownFound = 0;

  /** Reads the head, appends after it and retries until the outcome is known. */
  async write(authority: Authority, shopId: string, mark: string): Promise<void> {
    const head = await authority.states([shopId]).then(
      ([state]) => state?.head ?? null,
      () => null,
    );
    if (head === null) {
      await wait(20);
      return;
    }
    const group = groupOf(shopId, head, mark);
    let isUnknown = false;
    const result = await appendDefinitely(authority, group, async () => {
      isUnknown = true;
      await wait(20);
    });
    if (isUnknown) this.unknown++;
    if (result.kind === 'appended') this.#acknowledge(group, mark, isUnknown);
    else assert.notEqual(result.kind, 'outcomeUnknown', shopId);
    // A short pause, so that writers conflict only some of the time.
    if (result.kind !== 'appended') await wait(2);
  }

  #acknowledge(group: AppendGroup, mark: string, wasUnknown: boolean): void {
    const { sequenceNumber } = headAfter(group);
    const marks = this.#marks.get(group.shopId) ?? new Map<number, string>();
    this.#marks.set(group.shopId, marks);
    assert.equal(
      marks.get(sequenceNumber),
      undefined,
      `${group.shopId}: ${sequenceNumber} acknowledged twice`,
    );
    marks.set(sequenceNumber, mark);
    this.acknowledged++;
    if (wasUnknown) this.ownFound++;
  }

  /** The stored marks must be exactly the acknowledged ones, because every outcome was settled. */
  check(shopId: string, read: readonly string[]): void {
    const marks = this.#marks.get(shopId) ?? new Map<number, string>();
    const known = Array.from(marks, ([number, mark]) => `${number}:${mark}`);
    const byNumber = (a: string, b: string) => Number.parseInt(a, 10) - Number.parseInt(b, 10);
    assert.deepEqual(read, known.toSorted(byNumber), shopId);
  }
}
