/** Files of a reader's own: which shops and carts the bench takes, and how it refuses the others. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../bench/command-line.ts';
import { makeDemo } from '../../bench/profiles/demo.ts';
import { CARTS_MAX, readOwnShop } from '../../bench/profiles/own-shop.ts';
import { makeSmall } from '../../bench/profiles/small.ts';
import { projectPath } from '../../bench/project-paths.ts';
import type { Report } from '../../bench/report/measurement.ts';
import { snapshotOf } from '../../src/engine/wire/record-view.ts';

const folder = mkdtempSync(join(tmpdir(), 'ratewright-own-shop-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const small = makeSmall();
const [cart, otherCart] = small.requests;
const shop = write('export.json', snapshotOf(small.config, 'version_1'));
const carts = write('cart.json', cart);

test('an export is measured in USD and UTC, with every record as it was exported', () => {
  const profile = readOwnShop({ shop, carts });
  assert.deepEqual(snapshotOf(profile.config, 'version_1'), snapshotOf(small.config, 'version_1'));
  assert.deepEqual(profile.settings, { currency: 'USD', timezone: 'UTC' });
  assert.deepEqual(profile.requests, [cart]);
  assert.equal(profile.name, 'own');
  assert.match(
    profile.description,
    /^export\.json, USD, UTC: 4 zones, 12 methods, \d+ rules; 1 cart, 0 of them without rates$/,
  );
});

test('a file with a shop beside its configuration gives currency and time zone', () => {
  const demo = makeDemo();
  const profile = readOwnShop({ shop: projectPath('data/demo-shop.json'), carts: projectPath('data/carts') });
  assert.deepEqual(profile.settings, demo.settings);
  assert.equal(profile.config.methods.length, demo.config.methods.length);
  assert.equal(profile.requests.length, readdirSync(projectPath('data/carts')).length);
});

test('carts come from a file, from lines of JSON, and from a folder in the order of its names', () => {
  assert.deepEqual(readOwnShop({ shop, carts }).requests, [cart]);
  const lines = `${JSON.stringify(cart)}\n\n${JSON.stringify(otherCart)}\n`;
  assert.deepEqual(readOwnShop({ shop, carts: write('carts.jsonl', lines) }).requests, [cart, otherCart]);
  mkdirSync(join(folder, 'carts'));
  write('carts/b.json', cart);
  write('carts/a.ndjson', lines);
  write('carts/notes.txt', 'not a cart');
  assert.deepEqual(readOwnShop({ shop, carts: join(folder, 'carts') }).requests, [cart, otherCart, cart]);
});

test('the description counts the carts to which the shop offers no rate', () => {
  const elsewhere = { ...cart, destination: { country: 'JP' } };
  const lines = [cart, elsewhere, elsewhere].map((one) => `${JSON.stringify(one)}\n`).join('');
  const home = {
    ...small.config,
    zones: small.config.zones.slice(0, 1),
    methods: small.config.methods.slice(0, 6),
  };
  const profile = readOwnShop({ shop: write('home.json', home), carts: write('elsewhere.jsonl', lines) });
  assert.match(profile.description, /; 3 carts, 2 of them without rates$/);
});

test('records that an export leaves to the service get the values that the service gives', () => {
  const bare = write('bare.json', {
    zones: [{ id: 'zone_us', name: 'US', countries: ['US'] }],
    productGroups: [{ id: 'group_all', name: 'All', isDefault: true }],
    methods: [
      {
        name: 'Standard',
        zoneId: 'zone_us',
        productGroupId: 'group_all',
        rateType: 'flat',
        config: { price: 500 },
      },
    ],
  });
  const { config } = readOwnShop({ shop: bare, carts });
  assert.deepEqual(config.methods[0]?.rules, []);
  assert.equal(config.methods[0]?.enabled, true);
  assert.deepEqual(config.blendedRates, []);
});

const refused = (paths: { readonly shop?: string; readonly carts?: string }, message: RegExp): void => {
  assert.throws(
    () => readOwnShop({ shop, carts, ...paths }),
    (error) => {
      assert.ok(error instanceof UsageError, `${error}`);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
};

test('a shop that cannot be used is refused with its file and what is wrong with it', () => {
  refused({ shop: join(folder, 'missing.json') }, /missing\.json cannot be read: ENOENT/);
  refused({ shop: folder }, /cannot be read: EISDIR/);
  refused({ shop: write('text.json', '{\n "zones": [\n') }, /text\.json is not JSON: /);
  refused({ shop: write('list.json', []) }, /list\.json is no configuration: /);
  refused(
    { shop: write('named.json', { name: 'x' }) },
    /named\.json is no configuration: \/name is not a field/,
  );
  refused(
    { shop: write('half.json', { config: small.config }) },
    /half\.json is no configuration: \/shop is required/,
  );
  const place = { shop: { currency: 'USD', timezone: 'Mars/Base' }, config: {} };
  refused({ shop: write('mars.json', place) }, /mars\.json is no configuration: .*time ?zone/i);
  const [method] = small.config.methods;
  const dangling = { ...small.config, methods: [{ ...method, zoneId: 'zone_gone' }] };
  refused({ shop: write('dangling.json', dangling) }, /dangling\.json is no configuration: .*zone_gone/);
});

test('carts that cannot be used are refused with their file and what is wrong with them', () => {
  refused({ carts: join(folder, 'missing') }, /missing cannot be read: ENOENT/);
  mkdirSync(join(folder, 'empty'));
  refused({ carts: join(folder, 'empty') }, /empty holds no cart/);
  refused({ carts: write('empty.jsonl', '\n\n') }, /empty\.jsonl holds no cart/);
  refused({ carts: write('body.json', { items: [] }) }, /body\.json is no cart: \/destination is required/);
  refused(
    { carts: write('lines.jsonl', `${JSON.stringify(cart)}\n{"items":\n`) },
    /lines\.jsonl line 2 is not JSON: /,
  );
  const dear = { quantity: 1_000_000, grams: 1, price: 1_000_000_000 };
  const tooLarge = write('dear.json', { ...cart, items: Array.from({ length: 10 }, () => dear) });
  refused({ carts: tooLarge }, /dear\.json is refused by the shop: \/items must come to totals/);
  const many = `${JSON.stringify(cart)}\n`.repeat(CARTS_MAX + 1);
  refused({ carts: write('many.jsonl', many) }, /many\.jsonl holds more than 10000 carts/);
});

test('a run on a shop of --shop measures that shop, and its file names what was measured', () => {
  const json = join(folder, 'run.json');
  const given = ['--shop', shop, '--carts', carts, 'evaluate', '--quick', '--json', json];
  const { status, stdout } = spawnSync(process.execPath, [projectPath('dist/bench/main.js'), ...given], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^own: export\.json, USD, UTC: 4 zones/);
  const { sections } = JSON.parse(readFileSync(json, 'utf8')) as Report;
  const measured = sections.flatMap(({ measurements }) => measurements);
  assert.deepEqual(
    measured.map(({ id }) => id),
    ['micro/evaluate/parse/own', 'micro/evaluate/text/own', 'micro/evaluate/answer/own'],
  );
  for (const { samples } of measured) assert.ok(samples.length > 1 && samples.every((sample) => sample > 0));
});
