/** Which servers are accepted, and how addresses are parsed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseHosts } from '../../../../src/store/log/postgres/database-url.ts';
import { serverRefusal } from '../../../../src/store/log/postgres/primary-link.ts';

const server = (
  changes: Partial<Record<'names' | 'fsync' | 'version' | 'standby' | 'readOnly' | 'encoding', unknown>>,
) => {
  const row = {
    names: 'ANY 1 (b, c)',
    fsync: 'on',
    version: 130_000,
    standby: false,
    readOnly: 'off',
    encoding: 'UTF8',
    ...changes,
  };
  return [row.names, row.fsync, row.version, row.standby, row.readOnly, row.encoding] as Parameters<
    typeof serverRefusal
  >[0];
};

test('a primary of PostgreSQL 13 or later with synchronous standbys is accepted', () => {
  assert.equal(serverRefusal(server({}), 'standbys'), null);
  assert.equal(serverRefusal(server({ version: 180_004 }), 'standbys'), null);
});

test('old releases, standbys, read-only servers, other encodings and missing standbys are refused with a reason', () => {
  assert.match(serverRefusal(server({ version: 129_999 }), 'managed') ?? '', /^PostgreSQL 12 is too old/);
  assert.match(serverRefusal(server({ standby: true }), 'managed') ?? '', /standby/);
  assert.match(serverRefusal(server({ readOnly: 'on' }), 'managed') ?? '', /no writes/);
  assert.match(serverRefusal(server({ encoding: 'SQL_ASCII' }), 'managed') ?? '', /SQL_ASCII/);
  assert.match(serverRefusal(server({ names: '' }), 'standbys') ?? '', /one machine only/);
  assert.match(serverRefusal(server({ fsync: 'off' }), 'standbys') ?? '', /fsync is off/);
});

test('a managed service needs no synchronous standbys, and flushes in its own way', () => {
  assert.equal(serverRefusal(server({ names: '', fsync: 'off' }), 'managed'), null);
});

test('an address with several hosts gives a connection string for each', () => {
  assert.deepEqual(databaseHosts('postgres://u:p%40@one,two.example:6000,[::1]:7000/shop?sslmode=require'), [
    { name: 'one:5432', connectionString: 'postgres://u:p%40@one:5432/shop?sslmode=require' },
    { name: 'two.example:6000', connectionString: 'postgres://u:p%40@two.example:6000/shop?sslmode=require' },
    { name: '[::1]:7000', connectionString: 'postgres://u:p%40@[::1]:7000/shop?sslmode=require' },
  ]);
  assert.deepEqual(databaseHosts('postgresql://h'), [
    { name: 'h:5432', connectionString: 'postgresql://h:5432' },
  ]);
});

test('a malformed address is refused', () => {
  for (const url of [
    '',
    'postgres:',
    'http://h/d',
    'postgres://h,/d',
    'postgres://h:x/d',
    'postgres://a b/d',
    'postgres://u:%ff@h/d',
    'postgres://u:p%@h/d',
    'postgres://h/%E0',
    'postgres://h/d?sslmode=verify_full',
  ]) {
    assert.equal(databaseHosts(url), null, url);
  }
});
