/**
 * A flush or a write to the data file fails: the first one, the second, and so on. Acknowledged writes are there
 * after the next start, other writes are never visible, and the server ends at once. The long form:
 * `RATEWRIGHT_FAILED_CALLS=1000 npm test -- io-error` continues until all writes end before such a call fails.
 */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { quantileText } from './quantile-text.ts';
import { straceMissing } from './strace.ts';
import { WriteLedger } from './write-ledger.ts';

const CALLS = Number(process.env['RATEWRIGHT_FAILED_CALLS'] ?? 1);
const FAULTS = [
  ['fdatasync', 'EIO'],
  ['pwrite64', 'ENOSPC'],
  ['writev', 'EIO'],
] as const;
const WRITERS = 4;
const WRITES = 12;
/** Far above the usual time, because other tests run meanwhile. */
const EXIT_MS_MAX = 20_000;
/** LMDB's error report of a failed write can overrun its buffer, which also ends the process. */
const ENDINGS = [70, 'SIGABRT'];

test(`a failing disk call of each kind, from the first to call ${CALLS}`, {
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

  const exitMs: number[] = [];
  const ended = new Map<string, number>();
  for (const [call, error] of FAULTS) {
    const data = join(folder.path, call);
    cpSync(base, data, { recursive: true });
    const ledger = new WriteLedger();
    ledger.accepted.push(...before.accepted);
    for (let failing = 1; failing <= CALLS; failing++) {
      const ending = await failOne(data, ledger, call, error, failing);
      if (ending === null) break;
      const kind = `${call} ends with ${ending.how}`;
      ended.set(kind, (ended.get(kind) ?? 0) + 1);
      exitMs.push(ending.afterMs);
    }
    const next = await ServerProcess.start(data);
    await ledger.check(next, `${call}, in the end`);
    assert.equal((await next.call('/api/groups', { body: { name: 'after' } })).status, 201);
    assert.equal(await next.stop(), 0);
    rmSync(data, { recursive: true });
  }
  assert.ok(exitMs.length >= FAULTS.length);
  const endings = Array.from(ended, ([kind, times]) => `${kind}: ${times}`).join(', ');
  context.diagnostic(`${exitMs.length} failures: ${endings}; the end comes after ${quantileText(exitMs)}`);
});

interface Ending {
  readonly how: number | string | null;
  /** Time from the first failed answer. */
  readonly afterMs: number;
}

/** How the server ended; null when it never made that call. Its start also checks the data of the server before. */
async function failOne(
  data: string,
  ledger: WriteLedger,
  call: string,
  error: string,
  failing: number,
): Promise<Ending | null> {
  const inject = `inject=${call}:error=${error}:when=${failing}+`;
  const strace = ['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-P', join(data, 'data.mdb')];
  const launcher = [...strace, '-e', `trace=${call}`, '-e', inject];
  const server = await ServerProcess.start(data, { RATEWRIGHT_LOG_LEVEL: 'error' }, launcher);
  await ledger.check(server, `before ${call} ${failing}`);
  const known = ledger.unknown.length;
  let failedMs = 0;
  let endedMs = 0;
  const ended = new Promise<number | string | null>((resolve) => {
    server.process.once('exit', (code, signal) => {
      endedMs = performance.now();
      resolve(code ?? signal);
    });
  });
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      await ledger.write(server, `during-${failing}-${writer}`, WRITES);
      if (ledger.unknown.length > known) failedMs ||= performance.now();
    }),
  );
  if (ledger.unknown.length === known) {
    await server.stop('SIGKILL');
    return null;
  }
  // Failed writes are not visible while the server still answers.
  const seen = await server.call('/api/groups').catch(() => null);
  if (seen?.status === 200) {
    const { groups } = seen.body as { groups: { name: string }[] };
    const visible = groups.filter(({ name }) => ledger.unknown.includes(name, known));
    assert.deepEqual(visible, [], `${call} ${failing}: failed and visible`);
  }
  const ending = await ended;
  const afterMs = Math.max(0, endedMs - failedMs);
  assert.ok(afterMs < EXIT_MS_MAX, `${call} ${failing}: it ends late, after ${afterMs} ms`);
  assert.ok(ENDINGS.includes(ending ?? ''), `${call} ${failing}: ended with ${ending}`);
  assert.equal(ledger.refused.length, 0);
  // LMDB prints text of its own; each line of the log is whole all the same.
  const lines = server.output.stderr.split('\n').filter((line) => line.includes('"event"'));
  const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
  if (ending === 70) assert.ok(events.includes('service.failed') && events.includes('library.error'));
  return { how: ending, afterMs };
}
