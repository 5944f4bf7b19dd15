/** Logs moved from LMDB into a real database and back. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFolderBox } from '../../../../src/base/secrets/secret-box.ts';
import { claimFolder } from '../../../../src/front/operator/folder-socket.ts';
import { AuthorityUnavailableError } from '../../../../src/store/log/authority.ts';
import { DamagedLogError } from '../../../../src/store/log/event-log.ts';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import type { Table } from '../../../../src/store/log/lmdb/log-tables.ts';
import { recordKey } from '../../../../src/store/log/lmdb/table-format.ts';
import { CopyRefusedError } from '../../../../src/store/log/log-copy.ts';
import { type DatabaseOptions, verifyDatabase } from '../../../../src/store/log/postgres/database-copy.ts';
import { openPostgresAuthority } from '../../../../src/store/log/postgres/postgres-authority.ts';
import { moveFromDatabase, moveToDatabase } from '../../../../src/store/node/move-log.ts';
import { callCommand } from '../../../cli/run-command.ts';
import { readText } from '../../../house/project-files.ts';
import { CuttingProxy } from '../../../support/postgres/cutting-proxy.ts';
import type { PostgresServer } from '../../../support/postgres/postgres-server.ts';
import { fixtureFolder, unpackFixture } from '../lmdb/log-fixture.ts';
import { newLogFolder, withLog } from '../lmdb/log-folder.ts';
import {
  answeredRecord,
  imageWith,
  keyRecord,
  revokeRecord,
  START_MS,
  settingsRecord,
  versionRecord,
} from '../sample-records.ts';

const COPIES = 'managed' as const;

/** All entries of these tables, except times of deletions and data of a single process. */
const TABLES = [
  ...(['records', 'checkpoints', 'shops', 'beginnings', 'apiKeys', 'keyIds'] as const),
  ...(['keyUse', 'versions', 'audit', 'answers'] as const),
];

const entriesOf = (table: Table): string[] =>
  Array.from(table.getRange({}), ({ key, value }) => `${key.toString('hex')} ${value.toString('hex')}`);

/** The whole content of a log. */
const contentOf = (path: string): Promise<Record<string, string[]>> =>
  withLog(path, (log) => {
    const deleted = Array.from(log.tables.deletedShops.getKeys({}), (key) => key.toString('latin1'));
    return { ...Object.fromEntries(TABLES.map((name) => [name, entriesOf(log.tables[name])])), deleted };
  });

/**
 * A trimmed log, keys made and revoked on both sides of its beginning, large values and a deleted shop.
 */
async function oddLog(): Promise<string> {
  const path = newLogFolder();
  await withLog(path, async (log) => {
    const keys = ['key_1', 'key_2', 'key_3'].map((id) => keyRecord(id, `secret ${id}`, 'read'));
    const versions = Array.from({ length: 5 }, (_, index) => versionRecord(index + 1));
    const before = [...versions, ...keys, revokeRecord('key_1')];
    await log.append('shop_a', 0, before);
    const live = keys.slice(1).map(({ event }) => (event.kind === 'keyCreated' ? event.key : assert.fail()));
    await log.writeCheckpoint('shop_a', { sequenceNumber: 4, image: imageWith('shop_a', []) });
    await log.writeCheckpoint('shop_a', { sequenceNumber: 9, image: imageWith('shop_a', live) });
    const behind = [
      revokeRecord('key_2'),
      keyRecord('key_4', 'secret key_4'),
      answeredRecord('answered', 'idempotency key', START_MS),
      settingsRecord('x'.repeat(200_000)),
      versionRecord(6),
    ];
    await log.append('shop_a', 9, behind);
    await log.writeCheckpoint('shop_a', { sequenceNumber: 12, image: imageWith('shop_a', live) });
    await log.trim('shop_a', 9);
    await log.append('shop_b', 0, [settingsRecord(1)]);
    await log.append('shop_gone', 0, [settingsRecord(1)]);
    await log.deletions.delete('shop_gone', 1, START_MS);
    await log.writeKeyUse(new Map([['key_3', START_MS + 5]]));
  });
  return path;
}

export function movePromises(serverOf: () => PostgresServer): void {
  let databases = 0;
  const newDatabase = async (): Promise<DatabaseOptions & { name: string }> => {
    const name = `moved_${++databases}`;
    return { url: await serverOf().newDatabase(name), copies: COPIES, name };
  };

  const logs: readonly (readonly [string, () => Promise<string> | string])[] = [
    ['a trimmed log with large values', oddLog],
    ...readdirSync(fixtureFolder)
      .filter((file) => file.endsWith('.mdb.gz'))
      .map((file) => file.replace(/\.mdb\.gz$/, ''))
      .map((name) => [`the log of ${name}`, () => unpackFixture(name).path] as const),
  ];
  for (const [name, make] of logs) {
    test(`PostgreSQL: ${name} is moved into a database and back byte for byte`, async () => {
      const path = await make();
      const content = await contentOf(path);
      const database = await newDatabase();
      const report = await moveToDatabase(path, database);
      assert.ok(report.records > 0);
      assert.equal(report.records, content['records']?.length);
      const { defects, records, checkpoints } = await verifyDatabase(database);
      assert.deepEqual(defects, []);
      assert.deepEqual([records, checkpoints], [report.records, report.checkpoints]);
      const back = newLogFolder();
      assert.deepEqual(await moveFromDatabase(back, database, START_MS), report);
      assert.deepEqual(await contentOf(back), content);
      assert.deepEqual((await withLog(back, (log) => verifyLog(log))).defects, []);
      assert.deepEqual(readdirSync(back).sort(), ['clean', 'data.mdb', 'format', 'lock.mdb']);
    });
  }

  test('PostgreSQL: a move is refused and changes nothing while the source or the target is in use', async () => {
    const path = await oddLog();
    const database = await newDatabase();
    const refused = (pattern: RegExp) => (error: Error) =>
      error instanceof CopyRefusedError && pattern.test(error.message);
    await moveToDatabase(path, database);
    await assert.rejects(moveToDatabase(path, database), refused(/holds shops already/));
    await assert.rejects(moveFromDatabase(path, database, START_MS), refused(/holds a log already/));
    const mirror = newLogFolder();
    mkdirSync(mirror);
    writeFileSync(join(mirror, 'cluster'), 'x\n');
    await assert.rejects(moveFromDatabase(mirror, database, START_MS), refused(/copy of a database/));
    const node = await openPostgresAuthority(database);
    await node.join({ node: 'the living', readsFormat: 1 });
    const back = newLogFolder();
    // The row of a killed node does not prevent a move.
    await moveFromDatabase(newLogFolder(), database, START_MS);
    // A beat may still be running when the node leaves.
    const beating = setInterval(() => void node.beat().catch(() => {}), 50);
    await assert.rejects(moveFromDatabase(back, database, START_MS), refused(/the living/));
    clearInterval(beating);
    await node.close();
    assert.deepEqual(readdirSync(back), []);
    const empty = await newDatabase();
    const writer = openLmdbEventLog({ path });
    const writing = setInterval(() => {
      writer.tables.keyUse.putSync(Buffer.from('key_3'), Buffer.from('x'));
    }, 1);
    await assert.rejects(moveToDatabase(path, empty), refused(/was written to meanwhile/));
    clearInterval(writing);
    await writer.close();
    const [row] = await serverOf().queryDatabase(empty.name, 'SELECT count(*)::int AS n FROM rw_heads');
    assert.equal(row?.['n'], 0);
  });

  test('PostgreSQL: damage aborts a move in either direction, and the target stays empty', async () => {
    const path = await oddLog();
    const database = await newDatabase();
    await moveToDatabase(path, database);
    await serverOf().queryDatabase(
      database.name,
      "UPDATE rw_records SET stored = set_byte(stored, 60, 0) WHERE shop = 'shop_a' AND seq = 12",
    );
    const back = newLogFolder();
    await assert.rejects(moveFromDatabase(back, database, START_MS), DamagedLogError);
    assert.deepEqual(readdirSync(back), []);
    await withLog(path, (log) => log.tables.records.put(recordKey('shop_a', 13), Buffer.from('rubbish')));
    const empty = await newDatabase();
    await assert.rejects(moveToDatabase(path, empty), DamagedLogError);
    const [row] = await serverOf().queryDatabase(empty.name, 'SELECT count(*)::int AS n FROM rw_heads');
    assert.equal(row?.['n'], 0);
  });

  test('PostgreSQL: a lost connection leaves the database empty, and the move can be repeated', async () => {
    const path = await oddLog();
    const database = await newDatabase();
    const proxy = await CuttingProxy.start(serverOf().port);
    const url = database.url.replace(`:${serverOf().port}/`, `:${proxy.port}/`);
    const cut = proxy.cutAt('rw_copy_records', 'beforeAnswer');
    await assert.rejects(moveToDatabase(path, { ...database, url }), AuthorityUnavailableError);
    await cut;
    await proxy.close();
    assert.ok((await moveToDatabase(path, database)).records > 0);
  });

  test('PostgreSQL: the command moves a data folder that no server uses, and prints the settings that nodes need', async () => {
    const path = await oddLog();
    const { url, name } = await newDatabase();
    const call = { environment: { RATEWRIGHT_DATABASE_COPIES: COPIES } };
    writeFileSync(join(path, 'secret.key'), `${'0'.repeat(64)}\n`);
    openFolderBox({ keyText: null, dataFolder: path }).seal('a secret', 'shop_a');
    const server = createServer();
    const claim = await claimFolder(path, 'server', {
      listen: (socket) => new Promise((resolve) => server.listen(socket, resolve)),
      stop: () => server.close(),
    });
    const served = await callCommand(path, ['move', '--to', url], call);
    assert.deepEqual(
      [served.code, served.stderr],
      [1, 'ratewright move: another process serves this data folder\n'],
    );
    server.close();
    claim.release();
    const moved = await callCommand(path, ['move', '--to', url], call);
    assert.equal(moved.code, 0, moved.stderr);
    assert.match(moved.stdout, /^2 shops, 6 records, 2 checkpoints, 2 API keys: moved and whole$/m);
    assert.ok(moved.stdout.includes(`RATEWRIGHT_SECRET_KEY must be what is in ${join(path, 'secret.key')}`));
    const back = newLogFolder();
    // Left by a killed move.
    mkdirSync(join(back, 'unfinished-move'), { recursive: true });
    writeFileSync(join(back, 'unfinished-move', 'data.mdb'), 'the first pages');
    const returned = await callCommand(back, ['move', '--from', url], call);
    assert.equal(returned.code, 0, returned.stderr);
    assert.deepEqual(await contentOf(back), await contentOf(path));
    assert.ok(!existsSync(join(back, 'unfinished-move')));
    const [probe, probeBack] = [path, back].map((folder) =>
      readFileSync(join(folder, 'secret.probe'), 'utf8'),
    );
    assert.equal(probeBack, probe);
    const stored = await serverOf().queryDatabase(name, 'SELECT probe FROM rw_cluster');
    assert.equal(stored[0]?.['probe'], probe?.trim());
    const shared = { environment: { ...call.environment, RATEWRIGHT_DATABASE_URL: url } };
    const verified = await callCommand('nowhere', ['verify'], shared);
    assert.match(verified.stdout, /^2 shops, 6 records, 2 checkpoints, 2 index entries: all whole$/m);
    const asNode = { environment: { ...shared.environment, RATEWRIGHT_SECRET_KEY: '0'.repeat(64) } };
    const copied = await callCommand(newLogFolder(), ['backup', 'x'], asNode);
    assert.deepEqual([copied.code, /pg_dump/.test(copied.stderr)], [1, true], copied.stderr);
    const page = readText('data/deploy/cluster.md');
    const [raise = assert.fail('no statement'), ...others] = page.matchAll(/^```sql\n([\s\S]*?)^```$/gm);
    assert.deepEqual(others, []);
    await serverOf().queryDatabase(name, raise[1] ?? '');
    const restored = await openPostgresAuthority({ url, copies: COPIES });
    assert.equal((await restored.open()).epoch, 2);
    await restored.close();
    for (const args of [['move'], ['move', '--to', url, '--from', url], ['move', '--to', 'mysql://x/y']])
      assert.equal((await callCommand(path, args, call)).code, 64, args.join(' '));
    const nowhere = await callCommand(`${path}-missing`, ['move', '--to', url], call);
    assert.match(nowhere.stderr, /there is no data folder/);
    assert.ok(!existsSync(`${path}-missing`));
  });
}
