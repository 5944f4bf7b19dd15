/** What holds when an authority is opened: which databases are used, and what is said of those that are not. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { AuthorityUnavailableError } from '../../../../src/store/log/authority.ts';
import { UnusableDataFileError } from '../../../../src/store/log/event-log.ts';
import { openPostgresAuthority } from '../../../../src/store/log/postgres/postgres-authority.ts';
import { headAfter } from '../../../../src/store/log/record-codec.ts';
import { CuttingProxy } from '../../../support/postgres/cutting-proxy.ts';
import { giveToServer, type PostgresServer } from '../../../support/postgres/postgres-server.ts';
import { soon } from '../authority-faults.ts';
import { formatRisesWithTheOldestNode } from '../authority-node-promises.ts';
import { appendGroup, bulkyRecord, groupOf, marksBehind, newShop } from '../authority-shops.ts';
import { encodeGroup } from '../encoded-records.ts';

const ATTEMPTS_MAX = 2_000;

/** A certificate of `localhost` that is its own authority, made in the server's folder; null where openssl is missing. */
function certify({ folder }: PostgresServer): { readonly certificate: string; readonly key: string } | null {
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const { status, error } = spawnSync('openssl', [
    ...[
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
    ],
    ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
  ]);
  if (error !== undefined) return null;
  assert.equal(status, 0);
  giveToServer(folder);
  return { certificate, key };
}

export function openingPromises(serverOf: () => PostgresServer): void {
  const open = (url: string, copies: 'managed' | 'standbys' = 'managed') =>
    openPostgresAuthority({ url, copies });

  test('PostgreSQL: nodes that start at once on an empty database make one cluster', async () => {
    const url = await serverOf().newDatabase('at_once');
    const authorities = await Promise.all(Array.from({ length: 8 }, () => open(url)));
    const clusters = await Promise.all(authorities.map((authority) => authority.open()));
    assert.equal(new Set(clusters.map(({ id }) => id)).size, 1);
    const [{ epoch, writeFormat, probe } = assert.fail()] = clusters;
    assert.deepEqual([epoch, writeFormat, probe], [1, 1, null]);
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
    await serverOf().queryDatabase('later', 'UPDATE rw_cluster SET layout = 4');
    await assert.rejects(open(url), (error: Error) => {
      assert.ok(error instanceof UnusableDataFileError);
      assert.match(error.message, /^[^\n]*layout 4[^\n]*$/);
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

  test('PostgreSQL: a primary that takes no writes any more is left at once, and used again when it does', async () => {
    const authority = await open(await serverOf().newDatabase('disk_full'));
    const { shopId, head: first } = await newShop(authority, 'a');
    let head = first;
    const refusals: string[] = [];
    const appendUntil = async (isEnough: (kind: string) => boolean) => {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const group = groupOf(shopId, head, attempt);
        const result = await authority.append(group);
        if (result.kind === 'appended') head = headAfter(group);
        else refusals.push(result.kind === 'unavailable' ? result.cause.message : result.kind);
        if (isEnough(result.kind)) return;
        await soon();
      }
      assert.fail(refusals.join('; '));
    };
    // Running servers take up a setting a moment later.
    serverOf().set({ default_transaction_read_only: 'on' });
    await appendUntil((kind) => kind !== 'appended');
    await appendUntil((kind) => kind !== 'appended');
    assert.match(refusals[0] ?? '', /read-only transaction \(25006\)$/);
    assert.match(refusals[1] ?? '', /^no database to write to: .*it takes no writes/);
    serverOf().set({});
    await appendUntil((kind) => kind === 'appended');
    assert.equal((await marksBehind(authority, shopId)).length, head.sequenceNumber);
    await authority.close();
  });

  test('PostgreSQL: over TLS the certificate must be of a known authority and of the name of the server', async (context) => {
    const server = serverOf();
    const made = certify(server);
    if (made === null) return context.skip('there is no openssl on this machine');
    const { certificate, key } = made;
    const plain = (await server.newDatabase('encrypted')).replace('127.0.0.1', 'localhost');
    const trusting = `${plain}?sslmode=verify-full&sslrootcert=${certificate}`;
    await assert.rejects(open(trusting), /does not support SSL/);
    server.set({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key });
    let authority = await open(trusting).catch(() => null);
    for (let attempt = 0; authority === null && attempt < ATTEMPTS_MAX; attempt++) {
      await soon();
      authority = await open(trusting).catch(() => null);
    }
    assert.ok(authority !== null);
    const { shopId, head } = await newShop(authority, 'a');
    await appendGroup(authority, encodeGroup(shopId, head, [bulkyRecord(3_000_000)]));
    assert.equal((await authority.tail(shopId, 0)).records.length, 2);
    const connections = await server.query(
      `SELECT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
      WHERE a.datname = 'encrypted' AND a.application_name LIKE 'ratewright %'`,
    );
    assert.ok(connections.length >= 3);
    assert.ok(connections.every(({ ssl }) => ssl === true));
    await authority.close();

    await assert.rejects(open(`${plain}?sslmode=verify-full`), /self.signed certificate/);
    await assert.rejects(open(trusting.replace('localhost', '127.0.0.1')), /127\.0\.0\.1 is not in the cert/);
    // A silent network is noticed behind the encryption too.
    const proxy = await CuttingProxy.start(server.port);
    const cut = await openPostgresAuthority({
      url: trusting.replace(`:${server.port}/`, `:${proxy.port}/`),
      copies: 'managed',
      answerMsMax: 500,
    });
    assert.equal((await cut.tail(shopId, 2)).records.length, 0);
    proxy.isSilent = true;
    await assert.rejects(cut.tail(shopId, 0), /did not answer within 500 ms/);
    await cut.close();
    await proxy.close();
    server.set({});
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
