import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '../../src/base/runtime/logger.ts';
import { COMMANDS } from '../../src/front/command-line/command-table.ts';
import { type ControlServerOptions, openControlServer } from '../../src/front/control/control-server.ts';
import { readText } from '../house/project-files.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { smallDisk } from '../support/small-disk.ts';
import { type Call, callCommand, type Ended, FULL_PATH, runCommand } from './run-command.ts';

const demoFile = new URL('../../../data/demo-shop.json', import.meta.url);
const demoConfig = JSON.stringify((JSON.parse(readFileSync(demoFile, 'utf8')) as { config: unknown }).config);
const cart = readFileSync(new URL('../../../data/carts/us-two-groups.json', import.meta.url), 'utf8');

/** A data folder that does not exist yet, and functions that run commands on it. */
async function newFolder(context: TestContext) {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const data = join(folder.path, 'db');
  const run = (args: readonly string[], call?: Call) => callCommand(data, args, call);
  /** Runs a command in a separate process: for its streams and its exit code. */
  const runAlone = (args: readonly string[], call?: Call) => runCommand(data, args, call);
  /** The output of a command, which must succeed and write nothing to standard error. */
  const ok = async (args: readonly string[], call?: Call, how = run): Promise<string> => {
    const ended = await how(args, call);
    assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' }, args.join(' '));
    return ended.stdout;
  };
  return { folder: folder.path, data, run, runAlone, ok };
}

/** Stands for a running server on the data folder until the test ends. */
async function serveControl(
  context: TestContext,
  dataFolder: string,
  answers: Pick<ControlServerOptions, 'onShopChanged'> & Partial<ControlServerOptions>,
): Promise<void> {
  const options = { dataFolder, logger: silentLogger, mayDelete: async () => true, ...answers };
  const server = await openControlServer(options);
  context.after(() => server.close());
}

/** A configuration with a reference to a missing record, and perhaps a field of the wrong type. */
const withZone = (name: unknown): string =>
  JSON.stringify({
    zones: [{ name, countries: [] }],
    methods: [{ name: 'M', zoneId: 'zone_x', rateType: 'free' }],
  });
const FORM_ALONE = /import: \/data\/zones\/0\/name must be [^;]*$/m;
const MEANING = /import: \/data\/methods\/0\/zoneId must be [^;]*$/m;

const NEW_SHOP = ['shop', 'create', '--name', 'A', '--currency', 'EUR', '--timezone', 'Europe/Berlin'];

test('every command answers --help with its summary and its usage', async () => {
  const commands = Object.entries(COMMANDS);
  assert.ok(commands.length > 0);
  for (const [name, { summary }] of commands) {
    const { code, stdout, stderr } = await callCommand('nowhere', [...name.split(' '), '--help']);
    assert.equal(code, 0, stderr);
    assert.ok(stdout.startsWith(`${summary}.\n\nUsage: ratewright ${name}`), stdout);
  }
});

test('the program lists its commands, without arguments and with --help', async () => {
  for (const args of [[], ['--help'], ['help']]) {
    const { code, stdout } = await (args.length === 0 ? runCommand : callCommand)('nowhere', args);
    assert.equal(code, 0);
    for (const name of Object.keys(COMMANDS)) assert.ok(stdout.includes(`  ${name} `), name);
  }
  const { stdout } = await callCommand('nowhere', ['key', '--help']);
  assert.ok(stdout.includes('key revoke') && !stdout.includes('shop list'));
});

test('the program prints its version', async () => {
  const { code, stdout } = await callCommand('nowhere', ['--version']);
  const { version } = JSON.parse(readText('package.json')) as { readonly version: string };
  assert.deepEqual([code, stdout], [0, `ratewright ${version} (Node ${process.version})\n`]);
});

test('a failure is one line on standard error and a code that is not 0', async (context) => {
  const { run, runAlone, ok } = await newFolder(context);
  const check = (what: string, ended: Ended, code: number, pattern: RegExp) => {
    assert.equal(ended.code, code, `${what}: ${ended.stderr}`);
    assert.match(ended.stderr, pattern);
    assert.match(ended.stderr, /^ratewright[^\n]*\n$/);
    assert.equal(ended.stdout, '', what);
  };
  const fail = async (cases: readonly (readonly [number, RegExp, string[], Call?])[]) => {
    for (const [code, pattern, args, call] of cases) {
      check(args.join(' '), await run(args, call), code, pattern);
    }
  };
  await fail([
    [64, /no command fly/, ['fly']],
    [64, /say which: shop create/, ['shop']],
    [64, /--name NAME is missing/, ['shop', 'create']],
    [64, /KEY_ID is missing/, ['key', 'revoke']],
    [64, /Unknown option/, ['export', '--everything']],
    [64, /--at must be an ISO time/, ['simulate', '--at', 'noon']],
    [64, /--view must be live or staged/, ['simulate', '--view', 'old']],
    [64, /exclude each other/, ['simulate', '--view', 'staged', '--version', 'version_1']],
    [64, /RATEWRIGHT_PORT/, ['export'], { environment: { RATEWRIGHT_PORT: 'http' } }],
    [1, /no data folder/, ['shop', 'list']],
  ]);
  await ok(NEW_SHOP);
  await fail([
    [1, /no shop shop_x/, ['export', '--shop', 'shop_x']],
    [1, /API key not found: key_x/, ['key', 'revoke', 'key_x']],
    [64, /--permission must be one of/, ['key', 'create', '--permission', 'root']],
    [64, /--label must be text of 1 to 200 characters/, ['key', 'create', '--label', '']],
    [64, /--label must be text of 1 to 200 characters/, ['key', 'create', '--label', 'a\nb']],
    [1, /expiresAt must be null or an ISO 8601 time/, ['key', 'create', '--expires', 'tomorrow']],
    [1, /expiresAt must be at most 5 years ahead/, ['key', 'create', '--expires', '9999-01-01T00:00:00Z']],
    [1, /cannot be written/, ['export', '--output', 'absent/config.json']],
    [1, /\/plan must be one of/, ['shop', 'set-plan', 'golden']],
    [1, /cannot be read/, ['import', 'absent.json']],
    [64, /plan file/, ['shop', 'list'], { environment: { RATEWRIGHT_PLANS: 'absent.json' } }],
    [1, /\/destination is required/, ['simulate'], { input: '{"items": []}' }],
    [1, /\/zones/, ['import', '-'], { input: '{"zones": 7}' }],
    [1, /^ratewright import: \/data must be an object$/m, ['import', '-'], { input: '7' }],
    [1, FORM_ALONE, ['import', '-'], { input: withZone(7) }],
    [1, FORM_ALONE, ['import', '-', '--dry-run'], { input: withZone(7) }],
    [1, MEANING, ['import', '-'], { input: withZone('Z') }],
    [64, /--cart needs --dry-run/, ['import', '-', '--cart', 'cart.json'], { input: '{}' }],
    [64, /--at needs --cart/, ['import', '-', '--dry-run', '--at', 'now'], { input: '{}' }],
  ]);
  const alone = [
    [1, /is not JSON/, ['simulate'], { input: '{' }],
    [64, /no command fly/, ['fly']],
  ] as const;
  for (const [code, pattern, args, call] of alone) {
    check(args.join(' '), await runAlone(args, call), code, pattern);
  }
});

test('shops are made, listed and moved to another plan', async (context) => {
  const { ok } = await newFolder(context);
  assert.equal(await ok([...NEW_SHOP, '--id', 'shop_a']), 'shop_a\n');
  const made = JSON.parse(await ok([...NEW_SHOP, '--plan', 'pro', '--json'])) as { shop: { id: string } };
  assert.match(made.shop.id, /^shop_[0-9A-Z]{26}$/);
  assert.equal(await ok(['shop', 'set-plan', 'pro', '--shop', 'shop_a']), 'shop_a is on plan pro\n');
  const { shops } = JSON.parse(await ok(['shop', 'list', '--json'])) as { shops: unknown[] };
  assert.deepEqual(
    shops.find((shop) => (shop as { id: string }).id === 'shop_a'),
    {
      id: 'shop_a',
      name: 'A',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      plan: 'pro',
      promotionGate: { checksPass: true },
    },
  );
  assert.match(await ok(['shop', 'list']), /^ID +PLAN +CURRENCY +TIME ZONE +NAME\nshop_/);
});

test('with several shops a command needs --shop', async (context) => {
  const { ok, run } = await newFolder(context);
  await ok([...NEW_SHOP, '--id', 'shop_a']);
  await ok([...NEW_SHOP, '--id', 'shop_b']);
  assert.match((await run(['export'])).stderr, /several shops: name one with --shop ID/);
  assert.equal((await run([...NEW_SHOP, '--id', 'shop_a'])).code, 1);
});

test('keys are made, listed and revoked, and the last admin key is kept', async (context) => {
  const END = new Date(Date.now() + 86_400_000).toISOString();
  const { ok, run, data } = await newFolder(context);
  await ok(NEW_SHOP);
  const [secret = '', what = ''] = (await ok(['key', 'create', '--label', 'First'])).split('\n');
  assert.match(secret, /^rw_[A-Za-z0-9_-]{43}$/);
  const id = what.split(':')[0] ?? '';
  const made = JSON.parse(
    await ok(['key', 'create', '--label', 'Till', '--permission', 'simulate', '--expires', END, '--json']),
  ) as {
    key: { id: string; permission: string; expiresAt: string };
    secret: string;
  };
  assert.deepEqual([made.key.permission, made.key.expiresAt], ['simulate', END]);
  const { keys } = JSON.parse(await ok(['key', 'list', '--json'])) as { keys: Record<string, unknown>[] };
  assert.deepEqual(
    keys.map((key) => [key['id'], key['label'], key['prefix'], key['lastUsedAt']]),
    [
      [id, 'First', secret.slice(0, 9), null],
      [made.key.id, 'Till', made.secret.slice(0, 9), null],
    ],
  );
  const list = await ok(['key', 'list']);
  assert.match(list, new RegExp(`never +${END} +Till`));
  assert.ok(!list.includes(secret) && !list.includes('secretSha256'));
  assert.equal(await ok(['key', 'revoke', made.key.id]), `${made.key.id} is revoked\n`);
  assert.match((await run(['key', 'revoke', id])).stderr, /last admin key/);
  for (const file of ['data.mdb']) assert.equal(readFileSync(join(data, file)).includes(secret), false);
});

test('a secret that is shown once is also shown when the running server does not confirm the change', async (context) => {
  const { run, data } = await newFolder(context);
  mkdirSync(data);
  await serveControl(context, data, { onShopChanged: () => Promise.reject(new Error('hangs')) });
  const unconfirmed = /^ratewright [a-z ]+: the change is stored, but the running server did not confirm it/;
  const shop = await run([...NEW_SHOP, '--id', 'shop_a']);
  assert.deepEqual([shop.code, shop.stdout], [1, 'shop_a\n']);
  assert.match(shop.stderr, unconfirmed);
  const key = await run(['key', 'create', '--json']);
  assert.equal(key.code, 1);
  assert.match(key.stderr, unconfirmed);
  const made = JSON.parse(key.stdout) as { key: { id: string }; secret: string };
  assert.match(made.secret, /^rw_/);
  const { keys } = JSON.parse((await run(['key', 'list', '--json'])).stdout) as { keys: { id: string }[] };
  assert.deepEqual(
    keys.map(({ id }) => id),
    [made.key.id],
  );
});

test('a command that cannot print reports it, and still notifies the running server of its change', async (context) => {
  if (FULL_PATH === null) return context.skip('no file that takes nothing');
  const { ok, data } = await newFolder(context);
  await ok([...NEW_SHOP, '--id', 'shop_a']);
  await ok(['key', 'create']);
  const { key } = JSON.parse(await ok(['key', 'create', '--json'])) as { key: { id: string } };
  const told: string[] = [];
  await serveControl(context, data, { onShopChanged: async (shopId) => void told.push(shopId) });
  for (const args of [['key', 'revoke', key.id], ['export'], ['--help']]) {
    const { code, stderr } = await runCommand(data, args, { stdoutPath: FULL_PATH });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^ratewright[a-z ]*: standard output cannot be written: ENOSPC[^\n]*\n$/);
  }
  assert.deepEqual(told, ['shop_a']);
});

test('a configuration that is exported and imported again changes nothing', async (context) => {
  const { folder, ok, runAlone } = await newFolder(context);
  await ok([...NEW_SHOP, '--plan', 'enterprise']);
  assert.match(await ok(['import', '-', '--dry-run'], { input: demoConfig }), /\nwould change: \d+ added/);
  assert.match(
    await ok(['import', '-'], { input: demoConfig }, runAlone),
    /^version 2 \(version_\w+\): \d+ added/,
  );
  const file = join(folder, 'config.json');
  await ok(['export', '--output', file]);
  const exported = await ok(['export'], {}, runAlone);
  assert.equal(readFileSync(file, 'utf8'), exported);
  const findings = await ok(['lint']);
  assert.match(findings, /^warning \(3\)\n├─ group_without_method: productGroup Oversized/);
  assert.equal(
    await ok(['import', file, '--dry-run']),
    `${findings}would change: 0 added, 0 modified, 0 removed\n`,
  );
  const { version } = JSON.parse(await ok(['import', file, '--json'])) as { version: { number: number } };
  assert.equal(version.number, 3);
  const changed = JSON.parse(exported) as { methods: { name: string }[] };
  const [first] = changed.methods;
  assert.ok(first !== undefined);
  first.name = 'Renamed';
  writeFileSync(file, JSON.stringify(changed));
  assert.match(
    await ok(['import', file, '--dry-run']),
    /^~ method Renamed \(method_\w+\)\nwarning[\s\S]*\nwould change: 0 added, 1 m/,
  );
  const trial = ['--cart', 'data/carts/us-po-box.json', '--at', '2026-11-24T09:30:00Z'];
  const tried = await ok(['import', file, '--dry-run', ...trial]);
  assert.match(tried, /would change: 0 added, 1 [\s\S]*\n\nZone United States [\s\S]* Renamed, /);
  const [edited = '', other = ''] = ['Renamed', 'Standard'].map((name) =>
    tried
      .slice(tried.indexOf(`✔ ${name} (method_`))
      .split('\n')
      .slice(0, 4)
      .join('\n'),
  );
  assert.match(edited, /base by_weight_table, tier 1 .*\n.* not saved\n/);
  assert.match(other, /base flat.*\n.* last changed in version 2 \(import\)/);
});

test('the log is verified and backed up, and a backup restores every shop', async (context) => {
  const { folder, data, ok, run, runAlone } = await newFolder(context);
  await ok([...NEW_SHOP, '--id', 'shop_a']);
  await ok(['key', 'create']);
  const whole = '1 shops, 2 records, 0 checkpoints, ';
  assert.ok((await ok(['verify'])).startsWith(whole));
  const copy = join(folder, 'copy.mdb');
  assert.ok((await ok(['backup', copy])).startsWith(`${copy}: ${whole}`));
  assert.match((await run(['backup', copy])).stderr, /exists already/);
  const restored = join(folder, 'restored');
  mkdirSync(restored);
  copyFileSync(copy, join(restored, 'data.mdb'));
  const environment = { RATEWRIGHT_DATA: restored };
  assert.equal(await ok(['key', 'list'], { environment }), await ok(['key', 'list']));
  assert.deepEqual((JSON.parse(await ok(['verify', '--json'])) as { defects: unknown[] }).defects, []);

  const file = join(data, 'data.mdb');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('Made on the command line');
  assert.ok(at > 0);
  for (let from = at; from > 0; from = bytes.indexOf('Made on the command line', from + 1)) {
    bytes[from] = 0x20;
  }
  writeFileSync(file, bytes);
  const damaged = await runAlone(['verify']);
  assert.equal(damaged.code, 65);
  assert.match(damaged.stderr, /^ratewright verify: the log is damaged: shop shop_a, record 2: [^\n]*\n$/);
  assert.equal((await run(['key', 'list'])).code, 65);
  assert.equal((await runAlone(['backup', `${copy}-of-damaged`])).code, 65);
});

test('a log on a disk that is mounted read-only is verified and backed up, also without its lock file', async (context) => {
  const disk = smallDisk(context, 16);
  if (disk === null) return;
  const { folder, data, ok } = await newFolder(context);
  await ok([...NEW_SHOP, '--id', 'shop_a']);
  const at = (name: string) => ({ environment: { RATEWRIGHT_DATA: join(disk.path, name) } });
  cpSync(data, join(disk.path, 'all'), { recursive: true });
  mkdirSync(join(disk.path, 'alone'));
  copyFileSync(join(data, 'data.mdb'), join(disk.path, 'alone', 'data.mdb'));
  disk.makeReadOnly();
  const { runAlone } = await newFolder(context);
  for (const name of ['all', 'alone']) {
    assert.match(await ok(['verify'], at(name), runAlone), /^1 shops, .*: all whole$/m);
    const copy = join(folder, `${name}.mdb`);
    assert.ok((await ok(['backup', copy], at(name), runAlone)).startsWith(`${copy}: 1 shops, `));
  }
  const refused = await runAlone(['verify'], at('nowhere'));
  assert.deepEqual([refused.code, refused.stderr.split('\n').length], [1, 2], refused.stderr);
});

test('simulate prints a readable trace or the answer of the API', async (context) => {
  const { folder, ok } = await newFolder(context);
  await ok([...NEW_SHOP, '--plan', 'enterprise']);
  await ok(['import', '-'], { input: demoConfig });
  const file = join(folder, 'cart.json');
  writeFileSync(file, cart);
  const at = ['--at', '2026-03-04T05:06:07Z'];
  const text = await ok(['simulate', file, ...at]);
  for (const part of ['Zone ', '\nRates\n', '\nGroup ', ' base flat', ' rule rule_', '\nBlended rates\n']) {
    assert.ok(text.includes(part), part);
  }
  const answer = await ok(['simulate', '--json', ...at], { input: cart });
  assert.deepEqual(Object.keys(JSON.parse(answer) as object), [
    'rates',
    'methodEvaluations',
    'blendedRates',
    'zone',
  ]);
});

/** A folder with `shop_a` and `shop_b`, each with a key. */
async function twoShops(context: TestContext) {
  const made = await newFolder(context);
  for (const id of ['shop_a', 'shop_b']) {
    await made.ok([...NEW_SHOP, '--id', id]);
    await made.ok(['key', 'create', '--shop', id]);
  }
  return made;
}

test('a shop is deleted with all its data, and other shops are unchanged', async (context) => {
  const { run, ok } = await twoShops(context);
  const before = await ok(['export', '--shop', 'shop_b']);
  assert.equal(await ok(['shop', 'delete', 'shop_a', '--yes']), 'shop_a is deleted\n');
  const { shops } = JSON.parse(await ok(['shop', 'list', '--json'])) as { shops: { id: string }[] };
  assert.deepEqual(
    shops.map(({ id }) => id),
    ['shop_b'],
  );
  assert.equal(await ok(['export']), before);
  assert.match(await ok(['verify']), /^1 shops, .*: all whole$/m);
  assert.match((await run(['export', '--shop', 'shop_a'])).stderr, /there is no shop shop_a/);
  assert.match(
    (await run([...NEW_SHOP, '--id', 'shop_a'])).stderr,
    /there is a shop shop_a already, or was one/,
  );
  assert.equal(await ok(['shop', 'delete', 'shop_a', '--yes']), 'shop_a was deleted before\n');
  const unknown = await run(['shop', 'delete', 'shop_c', '--yes']);
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'ratewright shop delete: there is no shop shop_c\n']);
});

test('without a terminal a shop is deleted only with --yes', async (context) => {
  const { run, ok } = await twoShops(context);
  const { code, stderr } = await run(['shop', 'delete', 'shop_a'], { input: 'shop_a\n' });
  assert.equal(code, 64);
  assert.match(stderr, /^ratewright shop delete: there is no terminal to ask on: --yes [^\n]*\n$/);
  assert.match(await ok(['verify']), /^2 shops, /m);
});

test('a shop is not deleted while the running server has pending writes of it, or does not answer', async (context) => {
  const { run, ok, data } = await twoShops(context);
  const told: string[] = [];
  let isBusy = true;
  await serveControl(context, data, {
    onShopChanged: async (shopId) => void told.push(shopId),
    mayDelete: async (shopId) => !(shopId === 'shop_a' && isBusy),
  });
  const refused = await run(['shop', 'delete', 'shop_a', '--yes']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /the server has writes of shop_a waiting: try again/);
  assert.match(await ok(['verify']), /^2 shops, /m);
  assert.deepEqual(told, []);
  isBusy = false;
  await ok(['shop', 'delete', 'shop_a', '--yes']);
  assert.deepEqual(told, ['shop_a']);
  assert.match(await ok(['verify']), /^1 shops, /m);
});

test('a cart is simulated against a changeset and an earlier version', async (context) => {
  const { ok, run } = await newFolder(context);
  await ok([...NEW_SHOP, '--plan', 'enterprise', '--id', 'shop_a']);
  await ok(['import', '-'], { input: demoConfig });
  const { versionId } = JSON.parse(await ok(['export'])) as { versionId: string };
  await ok(['import', '-'], { input: '{"methods": [], "blendedRates": []}' });
  const methodsShown = (text: string): number => text.match(/ \(method_/g)?.length ?? 0;
  assert.equal(methodsShown(await ok(['simulate'], { input: cart })), 0);
  const earlier = await ok(['simulate', '--version', versionId], { input: cart });
  assert.ok(methodsShown(earlier) > 0);
  assert.doesNotMatch(earlier, /^Group group_/m);
  assert.equal(
    methodsShown(await ok(['simulate', '--version', '2'], { input: cart })),
    methodsShown(earlier),
  );
  assert.equal(methodsShown(await ok(['simulate', '--version', 'live'], { input: cart })), 0);
  const plain = JSON.parse(await ok(['simulate', '--version', versionId, '--json'], { input: cart }));
  assert.ok((plain as { rates: unknown[] }).rates.length > 0);
  for (const [args, words] of [
    [['--version', 'version_x'], /Version not found: version_x/],
    [['--view', 'staged'], /no staging changeset is active/],
  ] as const) {
    const { code, stderr } = await run(['simulate', ...args], { input: cart });
    assert.equal(code, 1);
    assert.match(stderr, words);
  }
});

test('status shows the content of the data folder and whether a server runs on it', async (context) => {
  const { run, data } = await twoShops(context);
  const missing = await callCommand(join(data, 'missing'), ['status']);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^ratewright status: there is no data folder .*missing /);
  const stopped = await run(['status']);
  assert.deepEqual([stopped.code, stopped.stderr], [1, 'ratewright status: no server runs\n']);
  assert.match(stopped.stdout, /: 2 shops, \d+ MB, \d+ MB free on its disk\nno server runs on it\n$/);
  const server = await openControlServer({
    dataFolder: data,
    logger: silentLogger,
    onShopChanged: async () => {},
    mayDelete: async () => true,
  });
  context.after(() => server.close());
  const { code, stdout } = await run(['status', '--json']);
  assert.equal(code, 0);
  const { isRunning, shops } = JSON.parse(stdout) as { isRunning: boolean; shops: number };
  assert.deepEqual([isRunning, shops], [true, 2]);
});
