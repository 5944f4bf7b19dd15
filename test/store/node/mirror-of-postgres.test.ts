/** The log of a node keeps the promises of the port on a real database. */
import { after, before, test } from 'node:test';
import type { Authority } from '../../../src/store/log/authority.ts';
import { openPostgresAuthority } from '../../../src/store/log/postgres/postgres-authority.ts';
import { postgresMissing } from '../../support/postgres/postgres-programs.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { describeEventLog } from '../log/event-log-contract.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { openOn, reopen } from './mirrored-log-stage.ts';

const AUTHORITIES_MAX = 5;

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
      const url = await server.newDatabase(`log_${++opened}`);
      const authority = await openPostgresAuthority({ url, copies: 'managed', answerMsMax: 30_000 });
      authorities.push(authority);
      // The server has a bounded number of connections.
      if (authorities.length > AUTHORITIES_MAX) await authorities.shift()?.close();
      return openOn({ folder: newLogFolder(), authority });
    },
    reopen,
  });
}
