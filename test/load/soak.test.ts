// A mixed load for a long time: reads, simulations, writes, changesets, versions. Nothing fails, grows or is lost, and
// the log verifies. The long form: `RATEWRIGHT_SOAK_SECONDS=3600 npm test -- soak`. The heap in use is measured once a minute, after a collection.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { callCommand } from '../cli/run-command.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { type FloodResult, runFlood } from './flood.ts';
import { COLLECTING, cartRequests, openLoadStage } from './load-stage.ts';
import { SteadyWriter } from './steady-writer.ts';

const SECONDS = Number(process.env['RATEWRIGHT_SOAK_SECONDS'] ?? 60);
const SHOPS = 4;
const PER_SECOND = 40;
const SAMPLE_MS = 1_000;
/** Interval of full collections, after which the heap is measured. Long, because each stops the server. */
const COLLECT_MS = Math.min(60_000, (SECONDS * 1_000) / 12);
/** Maximum growth of the heap after collections, by least squares, in runs long enough to see growth. */
const HEAP_GROWTH_MB_PER_HOUR_MAX = 5;
const TRIES_MAX = 10;
/** Share of the run for the warm-up, in which memory may grow. */
const WARM_SHARE = 1 / 3;
/** Connections of the generator come and go. */
const DESCRIPTORS_SLACK = 100;
/** Maximum bytes of the data file per record: five times the size of a record with its checkpoints and indexes. */
const BYTES_PER_RECORD_MAX = 5_000;
/** After this time memory is stable, because the heaps of the threads have reached the size of their collections. */
const RESTED_SECONDS = 900;
/** Maximum ratio of the lowest own memory of the last third to that of the second third. */
const OWN_GROWTH_MAX = 1.15;
const PARTS = 12;

interface Sample {
  readonly hours: number;
  readonly heapMB: number;
  /** Resident memory without mapped files, because the system decides how much of the log it keeps. */
  readonly ownMB: number;
  readonly residentMB: number;
  readonly fileMB: number;
  readonly descriptors: number;
}

/** The samples in this number of parts of equal length. */
const partsOf = (samples: readonly Sample[], parts: number): (readonly Sample[])[] =>
  Array.from({ length: parts }, (_, at) =>
    samples.slice(Math.floor((samples.length * at) / parts), Math.floor((samples.length * (at + 1)) / parts)),
  );

/** The minimum of the samples, which contains the least garbage. */
const lowestOwnMB = (samples: readonly Sample[]): number => Math.min(...samples.map(({ ownMB }) => ownMB));

/** Growth per hour by least squares. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const hours = mean(samples.map((sample) => sample.hours));
  const value = mean(samples.map(of));
  const across = samples.map((sample) => (sample.hours - hours) * (of(sample) - value));
  const along = samples.map((sample) => (sample.hours - hours) ** 2);
  return mean(across) / mean(along);
}

/**
 * The requests of a merchant, repeated; every answer must be a success. On a busy machine a call may be refused; it is
 * repeated, as by any client.
 */
async function manage(server: ServerProcess, key: string, isOver: () => boolean): Promise<number> {
  const headers = { 'x-batch-id': 'soak' };
  const call = async (path: string, body?: unknown, method?: string): Promise<unknown> => {
    const request = {
      key,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    };
    for (let tries = 1; ; tries++) {
      const reply = await server.call(path, request);
      if (reply.status === 429 && tries < TRIES_MAX) {
        await wait(1_000 * Number(reply.headers['retry-after']));
        continue;
      }
      assert.ok(reply.status < 300, `${path}: ${reply.text.slice(0, 300)}`);
      return reply.body;
    }
  };
  let rounds = 0;
  for (; !isOver(); rounds++) {
    const { versions } = (await call('/api/versions')) as { versions: { id: string }[] };
    const [newest] = versions;
    await call('/api/staging', { action: 'enter' });
    const made = (await call('/api/groups', { name: `Staged ${rounds}` })) as { group: { id: string } };
    await call('/api/staging');
    await call('/api/staging', { action: rounds % 2 === 0 ? 'promote' : 'discard' });
    await call('/api/config');
    await call('/api/methods');
    if (newest !== undefined) await call(`/api/versions/${newest.id}`);
    if (rounds % 2 === 0) {
      await call(`/api/groups/${made.group.id}`, undefined, 'DELETE');
    }
    await wait(100);
  }
  return rounds;
}

const skip = existsSync('/proc/self/status') ? false : 'needs /proc';

test(`everything at once for ${SECONDS} s`, { skip, timeout: (SECONDS + 300) * 1_000 }, async (context) => {
  const stage = await openLoadStage(context, COLLECTING);
  const { server, port, dataFolder } = stage;
  const keys = await Array.from({ length: SHOPS }, (_, at) => `shop_${at}`).reduce<Promise<string[]>>(
    async (made, id) => [...(await made), await stage.addShop(id)],
    Promise.resolve([]),
  );
  const requests = keys.flatMap((key) => cartRequests(key, 3, false, 20));
  const startMs = performance.now();
  const isOver = () => performance.now() - startMs > SECONDS * 1_000;
  const writer = new SteadyWriter(context, server, 'soak', 100);
  const merchants = keys.map((key) => manage(server, key, isOver));
  const floods: FloodResult[] = [];
  const samples: Sample[] = [];
  /** The first sample after each collection, which has no garbage. */
  const collected: Sample[] = [];
  const sample = async (): Promise<Sample> => {
    const [heap = 0, resident = 0, descriptors = 0] = await stage.metrics(
      'nodejs_heap_size_used_bytes',
      'process_resident_memory_bytes',
      'process_open_fds',
    );
    const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    const ownKB = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    const hours = (performance.now() - startMs) / 3_600_000;
    const fileMB = statSync(join(dataFolder, 'data.mdb')).size / 1e6;
    const [heapMB, residentMB] = [heap / 1e6, resident / 1e6];
    const taken = { hours, heapMB, ownMB: ownKB / 1e3, residentMB, fileMB, descriptors };
    samples.push(taken);
    return taken;
  };
  const sampling = (async () => {
    for (; !isOver(); await wait(SAMPLE_MS)) {
      const isDue = performance.now() - startMs >= collected.length * COLLECT_MS;
      if (isDue) server.process.kill('SIGUSR2');
      const taken = await sample();
      if (isDue) collected.push(taken);
    }
  })();
  // New connections for each part.
  while (!isOver()) {
    floods.push(await runFlood({ port, requests, perSecond: PER_SECOND, seconds: 5, connections: 20 }));
  }
  const rounds = (await Promise.all(merchants)).reduce((sum, count) => sum + count, 0);
  await Promise.all([sampling, writer.stop()]);

  const afterWarmUp = (of: readonly Sample[]) => of.slice(Math.floor(of.length * WARM_SHARE));
  const warm = afterWarmUp(samples);
  const heapGrowth = slope(afterWarmUp(collected), (one) => one.heapMB);
  const ownGrowth = slope(warm, (one) => one.ownMB);
  const simulated = floods.reduce((sum, flood) => sum + flood.accepted.count, 0);
  context.diagnostic(
    `${SECONDS} s: ${simulated} simulations, ${rounds} rounds of merchants, ${writer.ledger.accepted.length} writes ` +
      `acknowledged; after warm-up heap ${heapGrowth.toFixed(1)} MB/h, own memory ` +
      `${ownGrowth.toFixed(1)} MB/h, at the end ${warm.at(-1)?.ownMB.toFixed(0)} MB, ` +
      `with files ${warm.at(-1)?.residentMB.toFixed(0)} MB`,
  );
  const parts = partsOf(samples, PARTS);
  const each = (of: (part: readonly Sample[]) => number) =>
    parts.map((part) => of(part).toFixed(0)).join(' ');
  context.diagnostic(
    `by twelfths: lowest own memory, MB: ${each(lowestOwnMB)}; data file, MB: ${each((part) => part.at(-1)?.fileMB ?? 0)}`,
  );
  context.diagnostic(`heap collected, MB: ${collected.map((one) => one.heapMB.toFixed(1)).join(' ')}`);
  const p99s = floods.map((flood) => (flood.accepted.quantileUs(0.99) / 1_000).toFixed(0));
  context.diagnostic(
    `p99 of simulations by 5 s, ms: ${p99s.slice(0, 3).join(' ')} ... ${p99s.slice(-3).join(' ')}`,
  );
  for (const flood of floods) {
    assert.deepEqual([...flood.others], []);
    assert.equal(flood.broken, 0);
    assert.equal(flood.answered, flood.sent);
  }
  assert.ok(rounds > 0);
  assert.deepEqual(writer.ledger.unknown, []);
  const [first, last] = [warm[0], warm.at(-1)];
  assert.ok((last?.descriptors ?? 0) <= (first?.descriptors ?? 0) + DESCRIPTORS_SLACK, 'descriptors leak');
  await writer.ledger.check(server, 'at the end');
  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  const verified = await callCommand(dataFolder, ['verify']);
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /all whole/);
  const records = Number(/([0-9,]+) records/.exec(verified.stdout)?.[1]?.replaceAll(',', ''));
  const fileBytes = ((samples.at(-1)?.fileMB ?? 0) - (samples[0]?.fileMB ?? 0)) * 1e6;
  context.diagnostic(`${records} records, ${(fileBytes / records).toFixed(0)} bytes of the file for each`);
  assert.ok(fileBytes / records <= BYTES_PER_RECORD_MAX, 'the data file grows by more than is written');
  const [, second = [], third = []] = partsOf(samples, 3);
  const growthOfOwn = lowestOwnMB(third) / lowestOwnMB(second);
  if (SECONDS < RESTED_SECONDS) return;
  assert.ok(growthOfOwn <= OWN_GROWTH_MAX, `own memory: ${growthOfOwn}`);
  assert.ok(heapGrowth <= HEAP_GROWTH_MB_PER_HOUR_MAX, `heap: ${heapGrowth} MB/h`);
});
