/** `npm run bench -- --url`: load on services that run already, and what differs between two of them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readBenchOptions, UsageError } from '../../bench/command-line.ts';
import { TemporaryFolders } from '../../bench/process/temporary-folders.ts';
import { projectPath } from '../../bench/project-paths.ts';
import { measureServices } from '../../bench/service/measure-services.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { Rate } from '../../src/engine/wire/answer.ts';

const folder = mkdtempSync(join(tmpdir(), 'ratewright-services-'));
const folders = new TemporaryFolders(join(folder, 'data'));
const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close().closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

interface FakeAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly unknownFields?: string;
}

/** Starts a service with the key `key`; returns its address. */
async function fakeService(answerTo: (cart: SimulateRequest) => FakeAnswer): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { status = 200, body, unknownFields } = answerTo(JSON.parse(text) as SimulateRequest);
    const isAllowed = request.headers.authorization === 'Bearer key';
    if (unknownFields !== undefined) response.setHeader('X-Unknown-Fields', unknownFields);
    response.writeHead(isAllowed ? status : 401);
    // In two pieces, so that the body is sent in chunks.
    response.write(' ');
    response.end(JSON.stringify(isAllowed ? body : { error: { code: 'UNAUTHORIZED' } }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const rate = (serviceCode: string, totalPrice: number, more: Partial<Rate> = {}): Rate => ({
  serviceName: serviceCode,
  serviceCode,
  description: '',
  totalPrice,
  currency: 'USD',
  ...more,
});

const offering =
  (...rates: readonly Rate[]) =>
  (): FakeAnswer => ({ body: { rates } });

const cartTo = (country: string): SimulateRequest => ({
  destination: { country },
  items: [{ quantity: 1, grams: 100, price: 1_000 }],
});
const carts = join(folder, 'carts.jsonl');
writeFileSync(carts, ['US', 'CA', 'DE'].map((country) => `${JSON.stringify(cartTo(country))}\n`).join(''));
const reportFile = join(folder, 'report.html');
const common = ['--key', 'key', '--carts', carts, '--report', reportFile];

async function measure(...given: readonly string[]): Promise<{ code: number; text: string; page: string }> {
  const service = readBenchOptions([...common, ...given], '')?.service;
  assert.ok(service !== undefined && service !== null);
  const printed: string[] = [];
  const code = await measureServices(service, folders, (text) => printed.push(text));
  return { code, text: printed.join('\n'), page: readFileSync(reportFile, 'utf8') };
}

/** A row of a printed table as its cells. */
const row = (text: string, name: string): readonly string[] | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.split(/ {2,}/);

test('answers that differ are named by cart and service code, with both, and the exit code is 1', async () => {
  const dates = { minDeliveryDate: '2026-12-01', maxDeliveryDate: '2026-12-03' };
  const before = [rate('standard', 490, dates), rate('express', 1_290), rate('pickup', 0)];
  const one = await fakeService(offering(...before));
  const two = await fakeService(({ destination: { country } }) => {
    if (country === 'US') return { body: { rates: [rate('standard', 790, dates), ...before.slice(1)] } };
    if (country === 'CA') return { status: 422, body: { error: { code: 'NOT_SOLD' } } };
    const later = { ...dates, maxDeliveryDate: '2026-12-04' };
    return { body: { rates: [rate('standard', 490, later), rate('pickup', 0), rate('drone', 5)] } };
  });
  const { code, text, page } = await measure('--url', one, '--against', two, '--for', '0s');
  assert.equal(code, 1);
  assert.match(text, /^The answers to 3 of 3 carts differ\.$/m);
  assert.deepEqual(row(text, 'standard USD'), ['standard USD', '1', '0', '300', '0', '0', '1', '0']);
  assert.deepEqual(row(text, 'express USD')?.slice(4, 6), ['1', '0']);
  assert.deepEqual(row(text, 'drone USD')?.slice(4, 6), ['0', '1']);
  assert.equal(row(text, '(refusals)')?.at(-1), '1');
  assert.equal(row(text, 'pickup'), undefined);
  for (const lines of [
    '\n  standard USD 490 -> 790 (+300)\n  A: standard 490 USD 2026-12-01 to 2026-12-03, express 1290 USD, pickup 0 USD\n',
    '\n  200 -> 422 NOT_SOLD\n',
    '\n  B: 422 NOT_SOLD\n',
    ' 2026-12-01 to 2026-12-03 -> 2026-12-01 to 2026-12-04\n  express USD lost (1290)\n  drone USD gained (5)\n',
  ]) {
    assert.ok(text.includes(lines), `${lines}\n${text}`);
  }
  assert.match(page, /standard USD 490 -&gt; 790 \(\+300\)/);
  assert.doesNotMatch(page, /<script|src=|NaN|undefined/);
  const given = [...common, '--url', one, '--against', two, '--for', '0s'];
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [projectPath('dist/bench/main.js'), ...given], (error) =>
      resolve(error?.code),
    );
  });
  assert.equal(ended, 1);
});

test('names, descriptions and order are no difference', async () => {
  const rates = [rate('a', 100), rate('a', 200), rate('b', 300)];
  const renamed = rates.map((each) => ({ ...each, serviceName: 'New', description: 'New' })).toReversed();
  const [one, two] = [await fakeService(offering(...rates)), await fakeService(offering(...renamed))];
  const { code, text } = await measure('--url', one, '--against', two, '--for', '0.2s', '--rate', '100');
  assert.equal(code, 0);
  assert.match(text, /^The answers to 3 carts do not differ\.$/m);
  assert.match(text, /100 requests per second, for 0\.2 s each, in 5 turns\./);
  assert.deepEqual([row(text, 'p50 A')?.[0], row(text, 'p99.99 B')?.[0]], ['p50 A', 'p99.99 B']);
});

test('a load counts refusals by code, unknown fields and what came of the rate', async () => {
  const url = await fakeService(({ destination: { country } }) =>
    country === 'CA'
      ? { status: 422, body: { error: { code: 'NOT_SOLD' } }, unknownFields: '/a,/b' }
      : { body: { rates: [] }, unknownFields: '/a' },
  );
  const { code, text, page } = await measure('--url', url, '--rate', '300', '--for', '0.3s');
  assert.equal(code, 0);
  const counted = (name: string): number => Number(row(text, name)?.[1]);
  const [all, refused] = [counted('A: unknown field /a'), counted('A: 422 NOT_SOLD')];
  assert.ok(all > 40 && Math.abs(all / 3 - refused) <= 1, text);
  assert.equal(counted('A: unknown field /b'), refused);
  assert.deepEqual(row(text, 'A  300 /s')?.slice(4, 6), [String(refused), '0']);
  assert.match(page, /<svg [\s\S]*p99\.99[\s\S]*<\/svg>/);
  assert.doesNotMatch(page, /<script|src=|NaN|undefined/);
});

test('without a rate it is half of the peak', async () => {
  const { text } = await measure('--url', await fakeService(offering()), '--for', '0.2s');
  const [, asked = '', peak = ''] =
    /^Open loop: ([\d,.]+) requests per second, half of the peak of ([\d,.]+) in a closed/m.exec(text) ?? [];
  const [rateAsked, found] = [asked, peak].map((count) => Number(count.replaceAll(',', '')));
  assert.ok(rateAsked !== undefined && found !== undefined && Math.abs(rateAsked - found / 2) <= 1, text);
});

const refused = (given: readonly string[], message: RegExp): Promise<void> =>
  assert.rejects(
    async () => measure(...given),
    (error) => error instanceof UsageError && message.test(error.message) && !error.message.includes('\n'),
    `${given}`,
  );

test('what cannot be measured is one line', async () => {
  const url = await fakeService(offering());
  const none = await fakeService(() => ({ status: 404, body: { error: { code: 'NOT_FOUND' } } }));
  const page = await fakeService(() => ({ body: '<html>' }));
  const useless = await fakeService(() => ({ status: 422, body: { error: { code: 'NO' } } }));
  await refused(['--url', url, '--key', 'other'], /refuses the key: 401 UNAUTHORIZED$/);
  await refused(['--url', none], /is no service of POST \/api\/simulate: it answers 404 NOT_FOUND$/);
  await refused(['--url', page], /is no service of POST \/api\/simulate: it answers 200$/);
  await refused(['--url', url, '--against', none, '--rate', '1'], /it answers 404/);
  await refused(['--url', 'http://127.0.0.1:1'], /^http:\/\/127\.0\.0\.1:1 cannot be reached: ECONNREFUSED$/);
  await refused(['--url', useless, '--for', '0.1s'], /answers no cart with rates$/);
  await refused(['--url', url, '--carts', join(folder, 'none')], /none cannot be read: ENOENT/);
});
