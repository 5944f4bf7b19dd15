/**
 * How long the event loop is held up by each kind of change to, and read of, the largest lawful shop,
 * while carts of another shop come in: the longest turn of the loop, and the p99 of the delays until the step is done,
 * both in processor time of the main thread.
 */

import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { HUGE_RULES_EACH, makeHuge, withMatchers } from '../profiles/huge.ts';
import { bodiesOf, type Profile } from '../profiles/profile.ts';
import { PROJECT_FOLDER, projectPath, scriptPath } from '../project-paths.ts';
import { LAP_MS_MAX, type Laps } from './lap-meter.ts';
import type { MeasuredServer } from './measured-server.ts';
import { startService } from './server-start.ts';
import { ShopClient } from './shop-client.ts';

const OTHER_SHOP = 'shop_other';
const BETWEEN_CARTS_MS = 5;
const SIGNATURE_SECRET = 'bench-secret-of-shopify';
/** Some work continues after its answer, such as checkpoints and garbage collection. */
const SETTLE_MS = 400;
const MIB = 1024 * 1024;

type Environment = Readonly<Record<string, string>>;

const runCommand = promisify(execFile);

/** Asks the meter for the turns since the last time. */
async function readLaps(server: MeasuredServer, file: string): Promise<Laps> {
  rmSync(file, { force: true });
  process.kill(server.child.pid, 'SIGUSR2');
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 2));
  return JSON.parse(readFileSync(file, 'utf8')) as Laps;
}

/** Carts of the other shop until `stop` is called; resolves with how many were answered. */
function sendCarts(client: ShopClient, cart: string): { stop(): Promise<number> } {
  let isOver = false;
  let answered = 0;
  const sending = (async () => {
    while (!isOver) {
      const { status } = await client.call('POST', '/api/simulate', cart).catch(() => ({ status: 0 }));
      if (status === 200) answered++;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_CARTS_MS));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await sending;
      return answered;
    },
  };
}

interface Stage {
  readonly server: MeasuredServer;
  readonly shop: ShopClient;
  readonly shopId: string;
  readonly profile: Profile;
  readonly import: string;
}

type Step = readonly [id: string, label: string, run: () => Promise<unknown>];

const idOf = (text: string, kind: string): string =>
  (JSON.parse(text) as Readonly<Record<string, { readonly id: string }>>)[kind]?.id ?? '';

function stepsOf({ shop, shopId, profile, import: document }: Stage): readonly Step[] {
  const bodies = bodiesOf(profile);
  const cart = bodies[0] ?? '';
  const method = profile.config.methods[Math.floor(profile.config.methods.length / 2)];
  const rule = method?.rules[0];
  let first = '';
  const versions = async () =>
    (JSON.parse(await shop.expect(200, 'GET', '/api/versions?limit=100')) as { versions: { id: string }[] })
      .versions;
  const callback = async () => {
    const body = JSON.stringify(shopifyCart(profile));
    const signature = createHmac('sha256', SIGNATURE_SECRET).update(body).digest('base64');
    return shop.call('POST', `/carriers/shopify/${shopId}`, body, { 'x-shopify-hmac-sha256': signature });
  };
  const edited = document
    .replace('"subtitle":"', '"subtitle":"New: ')
    .replaceAll('"price":895', '"price":896');
  return [
    ['import', 'import of everything', () => shop.expect(200, 'POST', '/api/config', document)],
    ['cart', 'first cart of the largest zone', () => shop.expect(200, 'POST', '/api/simulate', cart)],
    [
      'rule',
      'one rule updated, then a cart',
      async () => {
        first = (await versions())[0]?.id ?? '';
        await shop.expect(200, 'PUT', `/api/rules/${rule?.id}`, { enabled: false });
        await shop.expect(200, 'POST', '/api/simulate', cart);
      },
    ],
    [
      'method',
      'one method created and deleted',
      async () => {
        const body = { name: 'Bench', zoneId: method?.zoneId, rateType: 'flat', config: { price: 1 } };
        const id = idOf(await shop.expect(201, 'POST', '/api/methods', body), 'method');
        await shop.expect(200, 'DELETE', `/api/methods/${id}`);
      },
    ],
    [
      'group',
      'one group created, a cart, and deleted',
      async () => {
        const id = idOf(await shop.expect(201, 'POST', '/api/groups', { name: 'Bench' }), 'group');
        await shop.expect(200, 'POST', '/api/simulate', cart);
        await shop.expect(200, 'DELETE', `/api/groups/${id}`);
        await shop.expect(200, 'POST', '/api/simulate', cart);
      },
    ],
    [
      'settings',
      'settings changed, then a cart',
      async () => {
        await shop.expect(200, 'PUT', '/api/shop', { timezone: 'Europe/Berlin' });
        await shop.expect(200, 'POST', '/api/simulate', cart);
      },
    ],
    [
      'again',
      'the same import again, with an idempotency key',
      () => shop.expect(200, 'POST', '/api/config', document, { 'idempotency-key': `bench-${Date.now()}` }),
    ],
    ['edited', 'import with thousands of edits', () => shop.expect(200, 'POST', '/api/config', edited)],
    [
      'callback',
      'first Shopify callback after it',
      async () => {
        await callback();
      },
    ],
    [
      'preview',
      'preview of everything',
      () => shop.expect(200, 'POST', '/api/config', document.replace('"execute"', '"preview"')),
    ],
    [
      'defect',
      'import with a wrong field at its end',
      () => shop.expect(400, 'POST', '/api/config', `${document.slice(0, -2)},"wrong":1}}`),
    ],
    [
      'broken',
      'import that is no JSON at its end',
      () => shop.expect(400, 'POST', '/api/config', `${document.slice(0, -2)}}`),
    ],
    ['export', 'export of everything', () => shop.expect(200, 'GET', '/api/config')],
    ['methods', 'list of all methods', () => shop.expect(200, 'GET', '/api/methods')],
    ['zones', 'list of all zones', () => shop.expect(200, 'GET', '/api/zones')],
    ['groups', 'list of all groups', () => shop.expect(200, 'GET', '/api/groups')],
    ['rules', 'list of all rules', () => shop.expect(200, 'GET', '/api/rules')],
    [
      'records',
      'the last rule, the largest zone and the largest group',
      async () => {
        const lastRule = profile.config.methods.findLast(({ rules }) => rules.length > 0)?.rules.at(-1);
        await shop.expect(200, 'GET', `/api/rules/${lastRule?.id}`);
        await shop.expect(200, 'GET', `/api/zones/${longest(profile.config.zones)?.id}`);
        await shop.expect(200, 'GET', `/api/groups/${longest(profile.config.productGroups)?.id}`);
      },
    ],
    [
      'small',
      'shop, keys, versions, vocabulary and metrics',
      async () => {
        for (const path of ['/api/shop', '/api/keys', '/api/versions', '/api/vocabulary', '/metrics']) {
          await shop.expect(200, 'GET', path);
        }
      },
    ],
    ['lint', 'lint', () => shop.call('GET', '/api/config/lint')],
    ['version', 'an earlier version read', () => shop.expect(200, 'GET', `/api/versions/${first}`)],
    [
      'old-cart',
      'cart of an earlier version',
      () => shop.expect(200, 'POST', `/api/simulate?version=${first}`, cart),
    ],
    [
      'compare',
      'two versions compared',
      async () => {
        const now = (await versions())[0]?.id;
        await shop.expect(200, 'POST', '/api/versions', {
          action: 'compare',
          versionA: first,
          versionB: now,
        });
      },
    ],
    [
      'rollback',
      'rollback to an earlier version, then a cart',
      async () => {
        await shop.expect(200, 'POST', '/api/versions', { action: 'rollback', targetVersionId: first });
        await shop.expect(200, 'POST', '/api/simulate', cart);
      },
    ],
    [
      'staging',
      'changeset entered, one rule, promoted',
      async () => {
        await shop.expect(200, 'POST', '/api/staging', { action: 'enter' });
        await shop.expect(200, 'PUT', `/api/rules/${rule?.id}`, { enabled: true });
        await shop.expect(200, 'GET', '/api/staging');
        await shop.expect(200, 'POST', '/api/simulate?view=staged', cart);
        await shop.expect(200, 'POST', '/api/staging', { action: 'promote', force: true });
      },
    ],
    [
      'staged-import',
      'changeset with an import, shown and discarded',
      async () => {
        await shop.expect(200, 'POST', '/api/staging', { action: 'enter' });
        await shop.expect(200, 'POST', '/api/config', edited);
        for (let look = 0; look < 3; look++) await shop.expect(200, 'GET', '/api/staging');
        await shop.expect(200, 'POST', '/api/simulate?view=staged', cart);
        await shop.expect(200, 'POST', '/api/staging', { action: 'discard' });
      },
    ],
    [
      'clear',
      'everything removed',
      () =>
        shop.expect(200, 'POST', '/api/config', {
          action: 'execute',
          data: { methods: [], zones: [], blendedRates: [] },
        }),
    ],
    [
      'restore',
      'rollback to everything',
      async () => {
        const before = (await versions())[1]?.id;
        await shop.expect(200, 'POST', '/api/versions', { action: 'rollback', targetVersionId: before });
      },
    ],
  ];
}

/** The record with the longest text. */
const longest = <T>(records: readonly T[]): T | undefined => {
  const lengths = records.map((record) => JSON.stringify(record).length);
  return records[lengths.indexOf(Math.max(...lengths))];
};

function shopifyCart({ requests }: Profile): unknown {
  const { country, postalCode } = requests[0]?.destination ?? { country: '', postalCode: '' };
  const item = { name: 'Map', sku: 'MAP', quantity: 1, grams: 45, price: 1_895, vendor: 'Bench' };
  const rest = { requires_shipping: true, taxable: true, fulfillment_service: 'manual', properties: null };
  const place = { country, postal_code: postalCode, province: null, city: null, name: null };
  const lines = { address1: null, address2: null, address3: null, phone: null, fax: null, email: null };
  const address = { ...place, ...lines, address_type: null, company_name: null };
  const items = [{ ...item, ...rest, product_id: 1, variant_id: 2 }];
  return { rate: { origin: address, destination: address, items, currency: 'USD', locale: 'en' } };
}

/** Runs a command of the service beside the server; resolves with what it prints. */
async function command(given: Environment, args: readonly string[], input?: string): Promise<string> {
  const running = runCommand(process.execPath, [projectPath('dist/program/cli.js'), ...args], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...given },
    maxBuffer: 64 * MIB,
  });
  if (input !== undefined) running.child.stdin?.end(input);
  return (await running).stdout;
}

async function start(
  part: PartRun,
  dataFolder: string,
  lapsFile: string,
  environment: Environment,
): Promise<MeasuredServer> {
  return startService(part, dataFolder, {
    ...environment,
    NODE_OPTIONS: `--import=${scriptPath('http/lap-meter.js')} ${process.env['NODE_OPTIONS'] ?? ''}`,
    BENCH_LAPS_FILE: lapsFile,
  });
}

export const stallsPart: Part = {
  id: 'http/stalls',
  title: 'Longest turn of the event loop by change of the largest shop',
  run: (part) => measureStalls(part, 'http/stalls', {}),
};

/** `environment` says where the service keeps its shops, when it is not the data folder alone. */
export async function measureStalls(part: PartRun, partId: string, environment: Environment): Promise<void> {
  part.step('making the shop');
  const huge = makeHuge(part.effort);
  const { hugeMethods } = part.effort;
  const profile = { ...huge, config: withMatchers(huge.config, HUGE_RULES_EACH * hugeMethods) };
  const document = JSON.stringify({ action: 'execute', data: profile.config });
  const folder = part.folders.make('stalls');
  const lapsFile = join(part.folders.make('laps'), 'laps.json');
  const results = new Rounds();
  let server = await start(part, folder, lapsFile, environment);
  const given = { ...environment, RATEWRIGHT_DATA: folder };
  const shopId = (
    JSON.parse(await new ShopClient(server, server.authorization).expect(200, 'GET', '/api/shop')) as {
      shop: { id: string };
    }
  ).shop.id;
  await command(given, ['shop', 'create', '--name', 'Other', '--id', OTHER_SHOP, '--currency', 'USD']);
  await command(given, ['shop', 'set-plan', 'enterprise', '--shop', OTHER_SHOP]);
  await command(given, ['shop', 'set-shopify-secret', '--shop', shopId], SIGNATURE_SECRET);
  const secret = /rw_\S+/.exec(await command(given, ['key', 'create', '--shop', OTHER_SHOP]))?.[0] ?? '';
  const cart = JSON.stringify({
    destination: { country: 'US' },
    items: [{ quantity: 1, grams: 1, price: 1 }],
  });
  const measure = async ([id, label, run]: Step, carts = true) => {
    part.step(label);
    const sending = carts ? sendCarts(new ShopClient(server, `Bearer ${secret}`), cart) : null;
    await readLaps(server, lapsFile);
    const began = performance.now();
    await run().catch((error: unknown) => {
      if (server.child.hasEnded) throw server.child.failure(`ended at "${label}"`);
      part.note(`${label}: ${error instanceof Error ? error.message : String(error)}`);
    });
    const tookMs = performance.now() - began;
    const during = await readLaps(server, lapsFile);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const after = await readLaps(server, lapsFile);
    const answered = (await sending?.stop()) ?? 0;
    const longestOf = (of: (laps: Laps) => number): number => Math.max(of(during), of(after));
    const longestMs = longestOf((laps) => laps.longestMs);
    results.add(`${partId}/${id}`, label, 'ms', longestMs);
    results.add(`${partId}/${id}/p99`, `${label}: p99 of the delays`, 'ms', during.delayMsP99);
    part.note(
      `${label}: longest turn ${longestMs.toFixed(1)} ms (${longestOf((laps) => laps.longestWallMs).toFixed(1)} by ` +
        `the clock), p99 of delays ${during.delayMsP99.toFixed(1)} ms, ${during.beyond + after.beyond} beyond ` +
        `${LAP_MS_MAX} ms, longest collection ${longestOf((laps) => laps.longestCollectionMs).toFixed(1)} ms, done after ${Math.round(tookMs)} ms, ${answered} carts meanwhile`,
    );
  };
  for (const step of stepsOf({
    server,
    shopId,
    shop: new ShopClient(server, server.authorization),
    profile,
    import: document,
  })) {
    await measure(step);
  }
  await measure([
    'refresh',
    'key made on the command line',
    () => command(given, ['key', 'create', '--shop', shopId]),
  ]);
  await server.child.stop();
  server = await start(part, folder, lapsFile, environment);
  const again = new ShopClient(server, server.authorization);
  await measure(['load', 'first request after a start', () => again.expect(200, 'GET', '/api/shop')]);
  await measure([
    'load-cart',
    'the first cart then',
    () => again.expect(200, 'POST', '/api/simulate', bodiesOf(profile)[0]),
  ]);
  results.recordTo(part);
  part.note(
    `The shop has ${part.effort.hugeMethods.toLocaleString('en-US')} methods of ${HUGE_RULES_EACH} rules, ` +
      `${part.effort.hugePatterns.toLocaleString('en-US')} postal patterns; its document ${(document.length / MIB).toFixed(0)} MiB.`,
  );
}
