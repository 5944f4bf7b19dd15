/**
 * The checkouts of `data/examples/` run as programs: against a real server, against one that refuses, hangs and drips, and
 * against none. A language that is not at hand is skipped.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual, promisify } from 'node:util';
import { FAILURE_STATUS } from '../../src/engine/domain/failure.ts';
import { Rate } from '../../src/engine/wire/answer.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import { isPassing } from '../../src/front/client/retry-policy.ts';
import { filesBelow, projectRoot, readText } from '../house/project-files.ts';
import { freePort } from '../support/free-port.ts';
import { answered, cleanEnvironment, type ServerProcess } from '../support/server-process.ts';

const EXAMPLES = join(projectRoot, 'data/examples');
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const FALLBACK = JSON.parse(readText('data/examples/fallback-rates.json')) as Record<
  string,
  Record<string, readonly unknown[]>
>;
const RATES = [{ serviceName: 'A', serviceCode: 'a', description: '', totalPrice: 1, currency: 'USD' }];

interface Checkout {
  readonly name: string;
  /** Ends with 0 where the language is at hand. */
  readonly probe: readonly string[];
  readonly command: readonly string[];
}

const CHECKOUTS: readonly Checkout[] = [
  {
    name: 'node',
    probe: [process.execPath, '--version'],
    command: [process.execPath, 'checkout.mjs'],
  },
  {
    name: 'python',
    probe: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
    command: ['python3', 'checkout.py'],
  },
  {
    name: 'php',
    probe: ['php', '-r', 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);'],
    command: ['php', 'checkout.php'],
  },
  {
    name: 'go',
    probe: ['go', 'version'],
    // Compiled once, into the folder that `FOLDER` stands for.
    command: ['FOLDER/checkout'],
  },
];
const GO_BUILD = ['go', 'build', '-o', 'FOLDER/checkout', 'checkout.go', 'checkout_rates.go'];

/** What the unruly server does with a cart whose recipient has this name, at its first and its second request. */
type Answer = (response: ServerResponse) => void;
const send =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const live = send(200, { rates: RATES });
const refuse = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  send(status, { error: { code, message: `refused with ${status}` } }, headers);
const later = (seconds: string) => ({ 'retry-after': seconds });
/** Where an answer must come in time on a busy machine. */
const PATIENT = { CHECKOUT_DEADLINE_MS: '60000' };
/** Beyond the usual deadline, so that a checkout without one shows live rates. */
const LATE_MS = 20_000;

interface Scene {
  /** The checkout waits for it as long as it does by itself. */
  readonly isSlow?: true;
  readonly answers: readonly [Answer, Answer?];
  readonly source: 'live' | 'fallback';
  /** Part of the line that the checkout logs. */
  readonly logged?: RegExp;
}
const SCENES: Readonly<Record<string, Scene>> = {
  first: { answers: [live], source: 'live' },
  again: { answers: [live], source: 'live' },
  'limit of the plan': {
    answers: [refuse(429, 'RATE_LIMITED', later('90'))],
    source: 'fallback',
    logged: /refused with 429/,
  },
  stopping: {
    answers: [refuse(503, 'UNAVAILABLE', later('90'))],
    source: 'fallback',
    logged: /refused with 503/,
  },
  'tomorrow, says a proxy': {
    answers: [send(503, 'closed', later(new Date(Date.now() + 86_400_000).toUTCString()))],
    source: 'fallback',
  },
  'soon there again': { answers: [refuse(503, 'UNAVAILABLE', later('0')), live], source: 'live' },
  'a node behind a proxy ended': { answers: [send(502, '<html>Bad Gateway</html>'), live], source: 'live' },
  'a bug once': { answers: [refuse(500, 'INTERNAL_ERROR'), live], source: 'live' },
  'a bug': {
    answers: [refuse(500, 'INTERNAL_ERROR'), refuse(500, 'INTERNAL_ERROR')],
    source: 'fallback',
    logged: /refused with 500/,
  },
  'a wrong cart': {
    answers: [refuse(400, 'VALIDATION_ERROR')],
    source: 'fallback',
    logged: /refused with 400/,
  },
  'a revoked key': { answers: [refuse(401, 'UNAUTHORIZED')], source: 'fallback', logged: /refused with 401/ },
  'a page in place of the service': { answers: [send(200, '<html>Welcome</html>')], source: 'fallback' },
  'a connection that ends': { answers: [(response) => response.destroy(), live], source: 'live' },
  'a part of an answer': {
    answers: [
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"rates":', () => response.destroy());
      },
      live,
    ],
    source: 'live',
  },
  hanging: {
    isSlow: true,
    answers: [(response) => setTimeout(live, LATE_MS, response).unref()],
    source: 'fallback',
  },
  dripping: {
    isSlow: true,
    answers: [
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 100);
        setTimeout(() => response.end(JSON.stringify({ rates: RATES })), LATE_MS).unref();
        response.once('close', () => clearInterval(timer));
      },
    ],
    source: 'fallback',
  },
};

const cartFor = (name: string, more: object = {}): object => ({
  destination: { country: 'us', name },
  currency: 'USD',
  items: [{ quantity: 1, grams: 100, price: 1000 }],
  ...more,
});

interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly body: unknown;
  /** Of the connection. */
  readonly port: number | undefined;
}

/** Keeps what it has received by the prefix of the path, which is the checkout's own, and the name of the recipient. */
class UnrulyServer {
  readonly seen = new Map<string, Seen[]>();
  readonly #server: Server = createServer(async (request, response) => {
    const { headers, url: path = '' } = request;
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text) as { destination: { name: string } };
    const { name } = body.destination;
    const key = `${path.replace(/\/api.*/, '')} ${name}`;
    const known = this.seen.get(key) ?? [];
    this.seen.set(key, [...known, { headers, path, body, port: request.socket.remotePort }]);
    SCENES[name]?.answers[known.length]?.(response);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface Run {
  readonly code: number;
  readonly output: string;
  readonly log: string;
}

async function run(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<Run> {
  const [program = '', ...args] = command;
  const env = { ...cleanEnvironment(), NODE_V8_COVERAGE: '', TRACEPARENT: TRACE, ...environment };
  return promisify(execFile)(program, args, { cwd: EXAMPLES, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout, log: stderr }),
    (failed: { code: number; stderr?: string }) => ({
      code: failed.code,
      output: '',
      log: failed.stderr ?? '',
    }),
  );
}

/** What a checkout shows for each cart. */
const answersIn = ({
  output,
}: Run): readonly { readonly source: string; readonly rates: readonly unknown[] }[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Asks for the rates of these carts, given as their files. */
type Ask = (
  url: string,
  carts: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<Run>;
type CartFile = (name: string, cart: unknown) => string;

async function asksTheDemoShop(ask: Ask, demo: ServerProcess, cartFile: CartFile): Promise<void> {
  const named = ['us-two-groups', 'refused-country'].map((name) => `data/carts/${name}.json`);
  const misspelt = cartFor('', { destination: { country: 'US', zip: '60647' } });
  const misspeltFile = cartFile('misspelt', misspelt);
  const rates = () =>
    Promise.all(
      [...named.map((path): unknown => JSON.parse(readText(path))), misspelt].map(
        async (body) => (await demo.call('/api/simulate?fields=rates', { body })).body,
      ),
    );
  // Rules of the shop look at the clock.
  const asked = [await rates()];
  const files = [...named.map((path) => join(projectRoot, path)), misspeltFile];
  const ended = await ask(demo.url, files, PATIENT);
  const answers = answersIn(ended);
  asked.push(await rates());
  assert.deepEqual(
    answers.map(({ source }) => source),
    ['live', 'live', 'live'],
    ended.log,
  );
  const shown = answers.map(({ rates }) => ({ rates }));
  assert.ok(
    asked.some((each) => isDeepStrictEqual(shown, each)),
    JSON.stringify(shown),
  );
  assert.ok(answers[0]?.rates.length !== 0);
  assert.deepEqual(answers[1]?.rates, []);
  assert.match(ended.log, /\\?\/destination\\?\/zip/);
  const strict = await ask(demo.url, [misspeltFile], { ...PATIENT, CHECKOUT_TEST: '1' });
  assert.notEqual(strict.code, 0);
  assert.match(strict.log, /destination\\?\/zip is unknown: did you mean postalCode/);
}

async function meetsUnrulyAnswers(
  ask: Ask,
  url: string,
  seen: UnrulyServer['seen'],
  cartFile: CartFile,
): Promise<void> {
  const played = async (slow: boolean, environment: Readonly<Record<string, string>>): Promise<void> => {
    const scenes = Object.entries(SCENES).filter(([, { isSlow = false }]) => isSlow === slow);
    const files = scenes.map(([name], at) => cartFile(`unruly-${slow}-${at}`, cartFor(name)));
    const digital = cartFor('digital', {
      items: [{ quantity: 1, grams: 0, price: 1, requiresShipping: false }],
    });
    const ended = await ask(url, [...files, cartFile(`unruly-${slow}-digital`, digital)], environment);
    const expected = scenes.map(([, { source }]) => ({
      source,
      rates: source === 'live' ? RATES : FALLBACK['USD']?.['US'],
    }));
    assert.deepEqual(answersIn(ended), [...expected, { source: 'none', rates: [] }], ended.log);
    for (const [, { logged = /$/ }] of scenes) assert.match(ended.log, logged);
  };
  await Promise.all([played(false, PATIENT), played(true, {})]);
  const { pathname } = new URL(url);
  for (const [name, { answers, isSlow }] of Object.entries(SCENES)) {
    const requests = seen.get(`${pathname} ${name}`) ?? [];
    // A busy machine may let the time pass before the first request.
    assert.ok(isSlow ? requests.length <= 1 : requests.length === answers.length, name);
    for (const { headers, path, body } of requests) {
      assert.equal(path, `${pathname}/api/simulate?fields=rates`);
      assert.deepEqual(body, cartFor(name));
      const { authorization = '', traceparent, 'x-simulation-source': source, expect } = headers;
      assert.deepEqual([traceparent, source, expect], [TRACE, 'live', undefined]);
      assert.match(authorization, /^Bearer rw_/);
    }
  }
  assert.equal(seen.has(`${pathname} digital`), false);
  const portsOf = (name: string) => seen.get(`${pathname} ${name}`)?.map(({ port }) => port);
  assert.deepEqual(portsOf('first'), portsOf('again'), 'the connection is kept');
}

async function findsNobody(ask: Ask, url: string, cartFile: CartFile): Promise<void> {
  const places = [
    ['US', 'USD'],
    ['de', 'USD'],
    ['gb', 'GBP'],
    ['FR', 'GBP'],
    ['FR', 'CHF'],
  ] as const;
  const files = places.map(([country, currency], at) =>
    cartFile(`nobody-${at}`, cartFor('', { destination: { country }, currency })),
  );
  const ended = await ask(url, files);
  const answers = answersIn(ended);
  const { USD, GBP } = FALLBACK;
  assert.deepEqual(
    answers.map(({ rates }) => rates),
    [USD?.['US'], USD?.['*'], GBP?.['GB'], [], []],
    ended.log,
  );
  assert.ok(answers.every(({ source }) => source === 'fallback'));
}

/** To be called where a server with the demo shop is started before tests, in a folder for files. */
export function describeCheckouts(demo: () => ServerProcess, folder: () => string): void {
  describe('the checkouts of data/examples', { concurrency: true }, () => {
    const unruly = new UnrulyServer();
    let unrulyUrl: string;
    let deadUrl: string;
    let key: string;
    before(async () => {
      unrulyUrl = await unruly.start();
      deadUrl = `http://127.0.0.1:${await freePort()}`;
      key = answered(await demo().client.createKey({ label: 'checkout', permission: 'simulate' })).secret;
    });
    after(() => unruly.stop());

    for (const { name, probe, command } of CHECKOUTS) {
      test(`${name}: live rates, or within the deadline those of the file`, async (context) => {
        if ((await run(probe, {})).code !== 0) return context.skip(`there is no ${name} on this machine`);
        const inFolder = (words: readonly string[]) => words.map((word) => word.replace('FOLDER', folder()));
        if (name === 'go')
          assert.deepEqual(await run(inFolder(GO_BUILD), {}), { code: 0, output: '', log: '' });
        const ask: Ask = (url, carts, more = {}) =>
          run([...inFolder(command), ...carts], { RATEWRIGHT_URL: url, RATEWRIGHT_KEY: key, ...more });
        const cartFile: CartFile = (title, cart) => {
          const path = join(folder(), `${name}-${title}.json`);
          writeFileSync(path, JSON.stringify(cart));
          return path;
        };
        await Promise.all([
          asksTheDemoShop(ask, demo(), cartFile),
          meetsUnrulyAnswers(ask, `${unrulyUrl}/${name}`, unruly.seen, cartFile),
          findsNobody(ask, deadUrl, cartFile),
        ]);
      });
    }

    test('the checkout beside an old system shows the old rates, and logs what differs, or that there was no answer', async () => {
      const cart = join(folder(), 'both.json');
      writeFileSync(cart, JSON.stringify(cartFor('first')));
      const ask = (url: string) =>
        run([process.execPath, 'both.mjs', cart], {
          ...PATIENT,
          ...{
            RATEWRIGHT_URL: url,
            RATEWRIGHT_KEY: key,
            OLD_RATES_URL: `${unrulyUrl}/old-${new URL(url).port}`,
          },
        });
      const [compared, alone] = await Promise.all([ask(demo().url), ask(deadUrl)]);
      for (const { output } of [compared, alone]) assert.deepEqual(JSON.parse(output), RATES);
      const line = (log: string) => JSON.parse(log.trimEnd().split('\n').pop() ?? '');
      assert.equal(line(alone.log).compared, false);
      const { reference, differences } = line(compared.log);
      assert.equal(reference, cart);
      const [lost, ...gained] = differences as {
        serviceCode: string;
        old: number | null;
        new: number | null;
      }[];
      assert.deepEqual(lost, { serviceCode: 'a', old: 1, new: null });
      assert.ok(
        gained.some(
          ({ serviceCode, old, new: now }) => serviceCode === 'us-standard' && old === null && now !== null,
        ),
      );
    });

    test('each closes an idle connection before the server does', async () => {
      const kept = {
        'data/examples/checkout_rates.go': /IdleConnTimeout: (\d+) \* time.Second/,
        'data/examples/checkout.php': /^const IDLE_S = (\d+);/m,
        'data/examples/checkout.py': /time.monotonic\(\) - kept.used > (\d+):/,
        'src/front/client/transport.ts': /^const IDLE_MS_MAX = (\d+)_000;/m,
      };
      const { headers } = await demo().call('/api/shop');
      const [, timeout] = /^timeout=(\d+)$/.exec(String(headers['keep-alive'])) ?? [];
      for (const [path, pattern] of Object.entries(kept)) {
        assert.ok(Number(pattern.exec(readText(path))?.[1]) < Number(timeout), path);
      }
    });

    test('the page says of each error what to do, and of each whether to send again as the client does', () => {
      const [, table = ''] =
        /<!-- checkout -->([\s\S]*)<!-- \/checkout -->/.exec(readText('data/examples/README.md')) ?? [];
      const rows = [...table.matchAll(/^\| (\d{3}) `(\w+)` +\| (\w+) +\| (.+?) +\|$/gm)];
      const told = rows.map(([, status, code = '', again]) => [code, Number(status), again]);
      const expected = Object.entries(FAILURE_STATUS).map(([code, status]) => {
        const waits = code === 'RATE_LIMITED' || code === 'UNAVAILABLE';
        return [code, status, !isPassing(status) ? 'no' : waits ? 'later' : 'yes'];
      });
      assert.deepEqual(told, expected);
    });

    test('each is below 80 lines, and the fallback rates have the fields of rates', () => {
      const files = filesBelow('data/examples').filter((path) => /\.(?:mjs|py|php|go)$/.test(path));
      assert.ok(files.length > CHECKOUTS.length);
      for (const path of files) assert.ok(readText(path).trimEnd().split('\n').length < 80, path);
      const schema = compileSchema(Rate);
      for (const [currency, byCountry] of Object.entries(FALLBACK)) {
        for (const rate of Object.values(byCountry).flat()) {
          assert.deepEqual(schema.defects(rate), []);
          assert.equal((rate as Rate).currency, currency);
        }
      }
    });
  });
}
