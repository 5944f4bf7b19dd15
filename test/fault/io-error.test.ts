/**
 * A flush or a write to the data file fails, the first one, the second, and so on: what was acknowledged is
 * there after the next start, what was not is seen by nobody meanwhile, and the server ends at once. The
 * long form: `RATEWRIGHT_FAILED_CALLS=20 npm test -- io-error` goes on to the twentieth call of each kind.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { straceMissing } from './strace.ts';
import { WriteLedger } from './write-ledger.ts';

const CALLS = Number(process.env['RATEWRIGHT_FAILED_CALLS'] ?? 2);
const FAULTS = [
  ['fdatasync', 'EIO'],
  ['pwrite64', 'ENOSPC'],
  ['writev', 'EIO'],
] as const;
/** Far above what it takes, because other tests run meanwhile. */
const EXIT_MS_MAX = 5_000;
/** LMDB's own report of a failed write can overrun its buffer, which ends the process in its place. */
const ENDINGS = [70, 'SIGABRT'];

test(`a failing call to the disk, of each kind and up to the ${CALLS}th`, {
  skip: straceMissing(),
  timeout: 600_000,
}, async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const base = join(folder.path, 'base');
  const first = await ServerProcess.start(base);
  const before = new WriteLedger();
  await before.write(first, 'before', 3);
  assert.equal(before.accepted.length, 3);
  assert.equal(await first.stop(), 0);

  const endings: string[] = [];
  for (const [call, error] of FAULTS) {
    for (let failing = 1; failing <= CALLS; failing++) {
      const data = join(folder.path, `${call}-${failing}`);
      cpSync(base, data, { recursive: true });
      const ending = await failOne(data, call, error, failing);
      if (ending === null) break;
      endings.push(`${call} ${failing}: ${ending}`);
    }
  }
  assert.ok(endings.length >= FAULTS.length, endings.join('; '));
  context.diagnostic(endings.join('; '));
});

/** How the server ended, or null when it never got to that call. */
async function failOne(
  data: string,
  call: string,
  error: string,
  failing: number,
): Promise<number | string | null> {
  const inject = `inject=${call}:error=${error}:when=${failing}+`;
  const strace = ['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-P', join(data, 'data.mdb')];
  const launcher = [...strace, '-e', `trace=${call}`, '-e', inject];
  // Every second fault hits a server of two threads.
  const environment = { RATEWRIGHT_LOG_LEVEL: 'fatal', RATEWRIGHT_THREADS: failing % 2 === 0 ? '2' : '1' };
  const server = await ServerProcess.start(data, environment, launcher);
  const ledger = new WriteLedger();
  let failedMs = 0;
  const ended = new Promise<number | string | null>((resolve) => {
    server.process.once('exit', (code, signal) => resolve(code ?? signal));
  });
  await Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      await ledger.write(server, `during-${writer}`, 10 + 5 * failing);
      failedMs ||= performance.now();
    }),
  );
  if (ledger.unknown.length === 0) {
    await server.stop('SIGKILL');
    return null;
  }
  // Nothing that failed is seen while the server still answers.
  const seen = await server.call('/api/groups').catch(() => null);
  if (seen?.status === 200) {
    const { groups } = seen.body as { groups: { name: string }[] };
    const visible = groups.filter(({ name }) => ledger.unknown.includes(name));
    assert.deepEqual(visible, [], `${call} ${failing}: failed and visible`);
  }
  const ending = await ended;
  assert.ok(performance.now() - failedMs < EXIT_MS_MAX, `${call} ${failing}: it ends late`);
  assert.ok(ENDINGS.includes(ending ?? ''), `${call} ${failing}: ended with ${ending}`);
  assert.equal(ledger.refused.length, 0);
  const next = await ServerProcess.start(data);
  await ledger.check(next, `${call} ${failing}`);
  assert.equal((await next.call('/api/groups', { body: { name: 'after' } })).status, 201);
  assert.equal(await next.stop(), 0);
  return ending;
}
