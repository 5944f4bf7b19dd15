/** What holds when an authority is opened: which databases are used, and what is said of those that are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorityUnavailableError } from '../../../src/log/authority.ts';
import { UnusableDataFileError } from '../../../src/log/event-log.ts';
import { openPostgresAuthority } from '../../../src/log/postgres/postgres-authority.ts';
import type { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { formatRisesWithTheOldestNode } from '../authority-node-promises.ts';
import { newShop } from '../authority-shops.ts';

export function openingPromises(serverOf: () => PostgresServer): void {
  const open = (url: string, copies: 'managed' | 'standbys' = 'managed') =>
    openPostgresAuthority({ url, copies });

  test('PostgreSQL: nodes that start at once on an empty database make one cluster', async () => {
    const url = await serverOf().newDatabase('at_once');
    const authorities = await Promise.all(Array.from({ length: 8 }, () => open(url)));
    const ids = new Set(authorities.map(({ cluster }) => cluster.id));
    assert.equal(ids.size, 1);
    assert.deepEqual([authorities[0]?.cluster.epoch, authorities[0]?.cluster.writeFormat], [1, 1]);
    for (const authority of authorities) await authority.close();
  });

  test('PostgreSQL: an ordinary role that owns the database is enough', async () => {
    await serverOf().query('CREATE ROLE shopkeeper LOGIN');
    const url = await serverOf().newDatabase('owned', 'OWNER shopkeeper');
    const authority = await open(url.replace(/\/\/[^@]*@/, '//shopkeeper@'));
    const { shopId } = await newShop(authority, 'a');
    assert.equal((await authority.start(shopId)).records.length, 1);
    await authority.close();
  });

  test('PostgreSQL: tables of a later layout are refused with a one-line message', async () => {
    const url = await serverOf().newDatabase('later');
    await (await open(url)).close();
    const { port } = serverOf();
    await serverOf().queryDatabase('later', 'UPDATE rw_cluster SET layout = 2');
    await assert.rejects(open(url), (error: Error) => {
      assert.ok(error instanceof UnusableDataFileError);
      assert.match(error.message, /^[^\n]*layout 2[^\n]*$/);
      assert.ok(!error.message.includes(String(port)));
      return true;
    });
  });

  test('PostgreSQL: the write format rises once the last node that cannot read the newer one has left', async () => {
    const url = await serverOf().newDatabase('formats');
    const [one, other] = await Promise.all([open(url), open(url)]);
    await formatRisesWithTheOldestNode(one, other);
    await Promise.all([one.close(), other.close()]);
    await assert.rejects(open(url), (error: Error) => {
      assert.ok(error instanceof UnusableDataFileError);
      assert.match(error.message, /^[^\n]*records of format 2[^\n]*reads up to 1[^\n]*$/);
      return true;
    });
  });

  test('PostgreSQL: a refusal is one line that names each server and its reason', async () => {
    const { url } = serverOf();
    const unencoded = await serverOf().newDatabase('unencoded', "ENCODING 'SQL_ASCII' TEMPLATE template0");
    const [missing, others] = [url.replace(/\/postgres$/, '/missing'), '@127.0.0.1:1,127.0.0.1:2'];
    const cases: readonly (readonly [string, RegExp])[] = [
      [url, /^no database to write to: 127\.0\.0\.1:\d+: .*synchronous_standby_names is empty\)$/],
      [unencoded, /its encoding is SQL_ASCII/],
      [missing, /127\.0\.0\.1:\d+: database "missing" does not exist$/],
      [url.replace(/@[^/]*/, others), /127\.0\.0\.1:1: .*; 127\.0\.0\.1:2: .*$/],
    ];
    for (const [url, line] of cases) {
      await assert.rejects(open(url, 'standbys'), (error: Error) => {
        assert.ok(error instanceof AuthorityUnavailableError, String(error));
        assert.match(error.message, line);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    }
  });

  test('PostgreSQL: a read-only database is refused, and becomes usable without a restart', async () => {
    const url = await serverOf().newDatabase('fenced');
    const authority = await open(url);
    const { shopId } = await newShop(authority, 'a');
    await serverOf().query('ALTER DATABASE fenced SET default_transaction_read_only = on');
    await assert.rejects(open(url), /it takes no writes/);
    await serverOf().query('ALTER DATABASE fenced RESET default_transaction_read_only');
    await (await open(url)).close();
    assert.equal((await authority.tail(shopId, 0)).records.length, 1);
    await authority.close();
  });

  test('PostgreSQL: a malformed address is refused, and the message does not show the password', async () => {
    for (const url of [
      'mysql://u:secret@h/d',
      'postgres://u:secret@/d',
      'postgres://u:secret@h:70000/d',
      'postgres://',
    ]) {
      await assert.rejects(open(url), (error: Error) => {
        assert.ok(error instanceof RangeError, url);
        assert.ok(!error.message.includes('secret'));
        return true;
      });
    }
    const wrong = serverOf().url.replace(/\/\/[^@]*@/, '//nobody:secret@');
    await assert.rejects(open(wrong), (error: Error) => !error.message.includes('secret'));
  });
}
