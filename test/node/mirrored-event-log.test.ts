/** The log of a node keeps the promises of the port, on an authority in memory and on a real database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Authority } from '../../src/log/authority.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { openLmdbEventLog } from '../../src/log/lmdb/lmdb-event-log.ts';
import { openPostgresAuthority } from '../../src/log/postgres/postgres-authority.ts';
import { SharedNode } from '../../src/node/shared-node.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { describeEventLog } from '../log/event-log-contract.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { FakeAuthority } from '../support/fake-authority.ts';
import { FakeDatabase } from '../support/fake-database.ts';
import { postgresMissing } from '../support/postgres/postgres-programs.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';

const AUTHORITIES_MAX = 5;

interface Parts {
  readonly folder: string;
  readonly authority: Authority;
}

const partsOf = new WeakMap<EventLog, Parts>();

function openOn({ folder, authority }: Parts): EventLog {
  const { log } = new SharedNode({
    authority,
    copy: openLmdbEventLog({ path: folder }),
    clock: systemClock,
    self: { node: 'test', readsFormat: 1, address: null },
    staleSeconds: 0,
    logger: silentLogger,
    onFatal: assert.fail,
  });
  partsOf.set(log, { folder, authority });
  return log;
}

async function reopen(log: EventLog): Promise<EventLog> {
  await log.close();
  return openOn(partsOf.get(log) ?? assert.fail());
}

describeEventLog('mirror of an authority in memory', {
  open: () => openOn({ folder: newLogFolder(), authority: new FakeAuthority(new FakeDatabase()) }),
  reopen,
});

const missing = postgresMissing();
if (missing !== false) test('mirror of PostgreSQL', { skip: missing });
else {
  let server: PostgresServer;
  let opened = 0;
  const authorities: Authority[] = [];
  before(async () => {
    server = await PostgresServer.create('mirrored');
    await server.start();
  });
  after(async () => {
    await Promise.all(authorities.map((authority) => authority.close()));
    await server.discard();
  });
  describeEventLog('mirror of PostgreSQL', {
    open: async () => {
      const name = `log_${++opened}`;
      await server.query(`CREATE DATABASE ${name}`);
      const authority = await openPostgresAuthority({
        url: server.url.replace(/\/postgres$/, `/${name}`),
        copies: 'managed',
        answerMsMax: 30_000,
      });
      authorities.push(authority);
      // The server has a bounded number of connections.
      if (authorities.length > AUTHORITIES_MAX) await authorities.shift()?.close();
      return openOn({ folder: newLogFolder(), authority });
    },
    reopen,
  });
}
