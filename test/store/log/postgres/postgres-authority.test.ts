/** The PostgreSQL adapter keeps the contract of the port, also in races of writers and when answers are lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { settleAppend } from '../../../../src/store/log/append-definitely.ts';
import { type Authority, AuthorityUnavailableError } from '../../../../src/store/log/authority.ts';
import { verifyDatabase } from '../../../../src/store/log/postgres/database-copy.ts';
import { openPostgresAuthority } from '../../../../src/store/log/postgres/postgres-authority.ts';
import { headAfter, NO_HEAD } from '../../../../src/store/log/record-codec.ts';
import { CuttingProxy } from '../../../support/postgres/cutting-proxy.ts';
import { postgresMissing } from '../../../support/postgres/postgres-programs.ts';
import { PostgresServer } from '../../../support/postgres/postgres-server.ts';
import { describeAuthority } from '../authority-contract.ts';
import { describeLostAnswers, type LostAnswer, soon } from '../authority-faults.ts';
import {
  appendMarks,
  bulkyRecord,
  groupOf,
  kindOf,
  marksBehind,
  newShop,
  newShopId,
} from '../authority-shops.ts';
import { encodeGroup } from '../encoded-records.ts';
import { halfDonePromises } from './half-done-promises.ts';
import { movePromises } from './move-promises.ts';
import { openingPromises } from './opening-promises.ts';
import { verifyPromises } from './verify-promises.ts';

const missing = postgresMissing();
let server: PostgresServer;

const open = (url = server.url, answerMsMax = 30_000): Promise<Authority> =>
  openPostgresAuthority({ url, copies: 'managed', answerMsMax });

/** Opens an authority that reaches the server through its own proxy. */
async function openThroughProxy(answerMsMax = 30_000) {
  const proxy = await CuttingProxy.start(server.port);
  const authority = await open(server.url.replace(`:${server.port}/`, `:${proxy.port}/`), answerMsMax);
  const close = async () => {
    await authority.close();
    await proxy.close();
  };
  return { proxy, authority, close };
}

const RACES = Number(process.env['RATEWRIGHT_RACES'] ?? 400);
const CONTENDERS = 8;
const LANES = 16;

/** Runs races of all contenders on one shop; returns the marks of the winners. */
async function raceOn(
  shopId: string,
  races: number,
  contenders: readonly Authority[],
): Promise<readonly string[]> {
  const winners: string[] = [];
  let head = NO_HEAD;
  for (let race = 0; race < races; race++) {
    const groups = contenders.map((_, index) => groupOf(shopId, head, `${race}-${index}`));
    const kinds = await Promise.all(
      contenders.map((contender, index) => kindOf(contender.append(groups[index] ?? assert.fail()))),
    );
    const won = kinds.indexOf('appended');
    assert.equal(kinds.filter((kind) => kind === 'appended').length, 1, `race ${race}: ${kinds}`);
    assert.equal(kinds.filter((kind) => kind === 'staleWriter').length, contenders.length - 1, `${kinds}`);
    head = headAfter(groups[won] ?? assert.fail());
    winners.push(`${race + 1}:${race}-${won}`);
  }
  return winners;
}

if (missing !== false) test('PostgreSQL: the contract of the port', { skip: missing });
else {
  before(async () => {
    server = await PostgresServer.create('single');
    await server.start();
  });
  after(() => server.discard());

  describeAuthority('PostgreSQL', { open: () => open() });
  describeLostAnswers('PostgreSQL', {
    open: async () => {
      const { proxy, authority, close } = await openThroughProxy();
      const loseNext = (fate: LostAnswer) =>
        proxy.cutAt('rw_append', fate === 'lostAfter' ? 'beforeAnswer' : 'beforeStatement');
      return { authority, loseNext, close };
    },
  });

  test(`PostgreSQL: each of ${RACES} races of ${CONTENDERS} writers has one winner`, async () => {
    const contenders = await Promise.all(Array.from({ length: CONTENDERS }, () => open()));
    const lanes = Array.from({ length: LANES }, () => newShopId());
    const winners = await Promise.all(
      lanes.map((shopId) => raceOn(shopId, Math.ceil(RACES / LANES), contenders)),
    );
    const [reader] = contenders;
    for (const [index, shopId] of lanes.entries()) {
      assert.deepEqual(await marksBehind(reader ?? assert.fail(), shopId), winners[index]);
    }
    for (const contender of contenders) await contender.close();
  });

  test('PostgreSQL: while the network is silent, an append times out as unknown, and is settled afterwards', async () => {
    const { proxy, authority, close } = await openThroughProxy(500);
    const { shopId, head } = await newShop(authority, 'a');
    const group = groupOf(shopId, head, 'b');
    proxy.isSilent = true;
    assert.equal(await kindOf(authority.append(group)), 'outcomeUnknown');
    await assert.rejects(authority.tail(shopId, 0), AuthorityUnavailableError);
    proxy.isSilent = false;
    assert.equal((await settleAppend(authority, group, soon)).kind, 'appended');
    assert.deepEqual(await marksBehind(authority, shopId), ['1:a', '2:b']);
    await close();
  });

  test('PostgreSQL: slow answers are waited for', async () => {
    const { proxy, authority, close } = await openThroughProxy(5_000);
    const { shopId, head } = await newShop(authority, 'a');
    proxy.delayMs = 150;
    await appendMarks(authority, shopId, head, 'b');
    assert.deepEqual(await marksBehind(authority, shopId), ['1:a', '2:b']);
    await close();
  });

  test('PostgreSQL: a shop whose head stays locked does not delay other shops', async () => {
    const authority = await open(server.url, 1_000);
    const [locked, free] = [await newShop(authority, 'a'), await newShop(authority, 'a')];
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM rw_heads WHERE shop = $1 FOR UPDATE', [locked.shopId]);
    const appendBoth = () =>
      Promise.all(
        [locked, free].map(({ shopId, head }) => kindOf(authority.append(groupOf(shopId, head, 'b')))),
      );
    assert.deepEqual(await appendBoth(), ['unavailable', 'appended']);
    const turn = await authority.takeTurn(locked.shopId, () => assert.fail('there is no lock'));
    assert.equal(turn.kind, 'unavailable');
    await holder.end();
    assert.deepEqual(await appendBoth(), ['appended', 'staleWriter']);
    await authority.close();
  });

  test('PostgreSQL: a large group that waits does not delay other shops', async () => {
    const authority = await open();
    const [locked, free] = [await newShop(authority, 'a'), await newShop(authority, 'a')];
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM rw_heads WHERE shop = $1 FOR UPDATE', [locked.shopId]);
    let isLargeAppended = false;
    const large = authority.append(encodeGroup(locked.shopId, locked.head, [bulkyRecord(300_000)]));
    void large.then(() => {
      isLargeAppended = true;
    });
    const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE 'ratewright large%'`;
    while ((await server.query(waits)).length === 0) await soon();
    assert.equal(await kindOf(authority.append(groupOf(free.shopId, free.head, 'b'))), 'appended');
    assert.ok(!isLargeAppended);
    await holder.end();
    assert.equal(await kindOf(large), 'appended');
    await authority.close();
  });

  test('PostgreSQL: reads that are not confirmed in time are refused; later reads succeed', async () => {
    const authority = await open(server.url, 1_000);
    const { shopId, head } = await newShop(authority, 'a');
    assert.deepEqual(await authority.hashAt(shopId, 1), head.hash);
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('UPDATE rw_cluster SET epoch = epoch');
    // The first read has its own confirmation; the others share the next one.
    const reads = Array.from({ length: 3 }, () => authority.hashAt(shopId, 1));
    await Promise.all(reads.map((read) => assert.rejects(read, AuthorityUnavailableError)));
    await holder.end();
    assert.deepEqual(await authority.hashAt(shopId, 1), head.hash);
    await authority.close();
  });

  test('PostgreSQL: a turn that takes too long loses its lock and appends nothing', async () => {
    const [one, other] = [await open(server.url, 1_000), await open()];
    const { shopId, head } = await newShop(one, 'a');
    let isFree = () => {};
    const freed = new Promise<void>((resolve) => {
      isFree = resolve;
    });
    const turn = one.takeTurn(shopId, async () => {
      await freed;
      return groupOf(shopId, head, 'late');
    });
    while ((await kindOf(other.append(groupOf(shopId, head, 'b')))) !== 'appended');
    isFree();
    assert.notEqual(await kindOf(turn), 'appended');
    assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b']);
    await one.close();
    await other.close();
  });

  let databases = 0;
  verifyPromises(async () => {
    const name = `verified_${++databases}`;
    const url = await server.newDatabase(name);
    const authority = await open(url);
    const change = async (text: string, ...values: readonly unknown[]) => {
      await server.queryDatabase(name, text, values);
    };
    return {
      authority,
      verify: () => verifyDatabase({ url, copies: 'managed' }),
      damageRecord: (shopId, sequenceNumber) =>
        change(
          'UPDATE rw_records SET stored = set_byte(stored, 100, get_byte(stored, 100) # 1) WHERE shop = $1 AND seq = $2',
          shopId,
          sequenceNumber,
        ),
      removeRecord: (shopId, sequenceNumber) =>
        change('DELETE FROM rw_records WHERE shop = $1 AND seq = $2', shopId, sequenceNumber),
      removeKey: (digest) => change('DELETE FROM rw_keys WHERE digest = $1', digest),
      close: () => authority.close(),
    };
  });
  openingPromises(() => server);
  halfDonePromises(() => server);
  movePromises(() => server);
}
