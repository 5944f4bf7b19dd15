/**
 * What the parts of the cluster share: three PostgreSQL servers with quorum commit, those of the tests, but on the disk
 * of the project and with flushes. Nodes, load and the three servers share the machine.
 */
import { chmodSync } from 'node:fs';
import { postgresMissing } from '../../test/support/postgres/postgres-programs.ts';
import type { PostgresTrio } from '../../test/support/postgres/postgres-trio.ts';
import type { PartRun } from '../part.ts';

/** The defaults of PostgreSQL, in place of the settings that the tests use. */
const SETTINGS = {
  fsync: 'on',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  min_wal_size: '256MB',
};

/** What makes a service a node of this database. */
export const nodeOf = (url: string): Readonly<Record<string, string>> => ({
  RATEWRIGHT_DATABASE_URL: url,
  RATEWRIGHT_SECRET_KEY: 'a_key_that_all_nodes_of_the_bench_have',
});

/** Runs `work` with the servers, and ends them and all child processes. Rejects where they cannot be started. */
export async function withTrio(part: PartRun, work: (trio: PostgresTrio) => Promise<void>): Promise<void> {
  const missing = postgresMissing();
  if (missing !== false) throw new Error(missing);
  part.step('starting PostgreSQL');
  const parent = part.folders.make('postgres');
  // Where the bench runs as the administrator, another user runs the servers.
  chmodSync(parent, 0o755);
  // Only here: other parts need no client of PostgreSQL in their process.
  const { PostgresTrio } = await import('../../test/support/postgres/postgres-trio.ts');
  const trio = await PostgresTrio.start({ parent, settings: SETTINGS });
  part.note(
    'Three PostgreSQL servers with quorum commit run on the same two cores and flush to the same disk.',
  );
  try {
    await work(trio);
  } finally {
    await part.children.stopAll();
    await trio.discard();
  }
}
