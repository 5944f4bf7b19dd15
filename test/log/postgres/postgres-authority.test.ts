/** The authority in PostgreSQL keeps the promises of the port. */
import { after, before, test } from 'node:test';
import { openPostgresAuthority } from '../../../src/log/postgres/postgres-authority.ts';
import { postgresMissing } from '../../support/postgres/postgres-programs.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { describeAuthority } from '../authority-contract.ts';

const missing = postgresMissing();

if (missing !== false) test('PostgreSQL: the contract of the port', { skip: missing });
else {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.create('single');
    await server.start();
  });
  after(() => server.discard());
  describeAuthority('PostgreSQL', {
    open: () => openPostgresAuthority({ url: server.url, copies: 'managed' }),
  });
}
