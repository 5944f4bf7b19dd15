/** Commands on a data folder: with the server of this file, and without one. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { COMMANDS } from '../../src/front/command-line/command-table.ts';
import { readText } from '../house/project-files.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { smallDisk } from '../support/small-disk.ts';
import { type Call, callCommand, type Ended, FULL_PATH, runCommand } from './run-command.ts';

const demoFile = new URL('../../../data/demo-shop.json', import.meta.url);
const demoConfig = JSON.stringify((JSON.parse(readFileSync(demoFile, 'utf8')) as { config: unknown }).config);
const cart = readFileSync(new URL('../../../data/carts/us-two-groups.json', import.meta.url), 'utf8');

const CONSOLE_MAYBE = { environment: { RATEWRIGHT_CONSOLE: 'maybe' } };

type Run = (args: readonly string[], call?: Call) => Promise<Ended>;

/** The output of a command, which must succeed and write nothing to standard error. */
async function output(run: Run, args: readonly string[], call?: Call): Promise<string> {
  const ended = await run(args, call);
  assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' }, args.join(' '));
  return ended.stdout;
}

/** A data folder that does not exist yet, and functions that run commands on it. */
async function newFolder(context: TestContext) {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const data = join(folder.path, 'db');
  const run: Run = (args, call) => callCommand(data, args, call);
  /** Runs a command in a separate process: for its streams and its exit code. */
  const runAlone: Run = (args, call) => runCommand(data, args, call);
  const ok = (args: readonly string[], call?: Call, how = run) => output(how, args, call);
  return { folder: folder.path, data, run, runAlone, ok };
}

let stage: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let served: string;
const run: Run = (args, call) => callCommand(served, args, call);
const runAlone: Run = (args, call) => runCommand(served, args, call);
const ok = (args: readonly string[], call?: Call, how = run) => output(how, args, call);

before(async () => {
  stage = await temporaryFolder();
  served = join(stage.path, 'db');
  server = await ServerProcess.start(served);
});

after(async () => {
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.output.stderr, /"level":"(?:error|fatal)"/);
  await stage.discard();
});

/** Makes a shop on the server of this file; resolves with the option that names it. */
async function newShop(id: string, ...options: string[]): Promise<readonly string[]> {
  assert.equal(await ok([...NEW_SHOP, '--id', id, ...options]), `${id}\n`);
  return ['--shop', id];
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
  const nowhere = await newFolder(context);
  const shop = await newShop('shop_failing');
  const check = (what: string, ended: Ended, code: number, pattern: RegExp) => {
    assert.equal(ended.code, code, `${what}: ${ended.stderr}`);
    assert.match(ended.stderr, pattern);
    assert.match(ended.stderr, /^ratewright[^\n]*\n$/);
    assert.equal(ended.stdout, '', what);
  };
  type Case = readonly [code: number, pattern: RegExp, args: readonly string[], call?: Call];
  const without: readonly Case[] = [
    [64, /no command fly/, ['fly']],
    [64, /say which: shop create/, ['shop']],
    [64, /--name NAME is missing/, ['shop', 'create']],
    [64, /KEY_ID is missing/, ['key', 'revoke']],
    [64, /there is no option --everything/, ['export', '--everything']],
    [64, /--at must be an ISO time/, ['simulate', '--at', 'noon']],
    [64, /--view must be one of live, staged/, ['simulate', '--view', 'old']],
    [64, /exclude each other/, ['simulate', '--view', 'staged', '--version', 'version_1']],
    [64, /--permission must be one of/, ['key', 'create', '--permission', 'root']],
    [64, /: RATEWRIGHT_URL must be an addr/, ['export'], { environment: { RATEWRIGHT_URL: 'ftp://x' } }],
    [64, /RATEWRIGHT_CONSOLE is not accepted: must be one of on, off/, ['export'], CONSOLE_MAYBE],
    [64, /--operator-key goes with --url/, ['shop', 'list', '--operator-key', 'x'.repeat(32)]],
    [64, /RATEWRIGHT_PORT/, ['export'], { environment: { RATEWRIGHT_PORT: 'http' } }],
    [64, /--cart needs --dry-run/, ['import', '-', '--cart', 'cart.json'], { input: '{}' }],
    [64, /--at needs --cart/, ['import', '-', '--dry-run', '--at', 'now'], { input: '{}' }],
    [1, /cannot be read/, ['import', 'absent.json']],
    [1, /is not JSON/, ['simulate'], { input: '{' }],
    [1, /no data folder/, ['shop', 'list']],
    [1, /no data folder/, ['verify']],
    [1, /no data folder/, ['backup', 'copy.mdb']],
  ];
  for (const [code, pattern, args, call] of without) {
    check(args.join(' '), await nowhere.run(args, call), code, pattern);
  }
  assert.equal(existsSync(nowhere.data), false);
  const withServer: readonly Case[] = [
    [1, /there are several shops: name one with --shop ID/, ['export']],
    [1, /shop_x/, ['export', '--shop', 'shop_x']],
    [1, /is not JSON: .*: --from reads files of other/, ['import', '-', ...shop], { input: 'Country,Price' }],
    [1, /API key not found: key_x/, ['key', 'revoke', 'key_x', ...shop]],
    [1, /\/label must be text of 1 to 200 characters/, ['key', 'create', '--label', '', ...shop]],
    [1, /\/label must be text of 1 to 200 characters/, ['key', 'create', '--label', 'a\nb', ...shop]],
    [1, /expiresAt must be null or an ISO 8601 time/, ['key', 'create', '--expires', 'tomorrow', ...shop]],
    [1, /expiresAt must be at most 5 years/, ['key', 'create', '--expires', '9999-01-01T00:00:00Z', ...shop]],
    [1, /cannot be written/, ['export', '--output', 'absent/config.json', ...shop]],
    [1, /\/plan must be one of/, ['shop', 'set-plan', 'golden', ...shop]],
    [1, /shop_failing/, [...NEW_SHOP, '--id', 'shop_failing']],
    [1, /\/destination is required/, ['simulate', ...shop], { input: '{"items": []}' }],
    [1, /\/zones/, ['import', '-', ...shop], { input: '{"zones": 7}' }],
    [1, /^ratewright import: \/data must be an object/m, ['import', '-', ...shop], { input: '7' }],
    [1, FORM_ALONE, ['import', '-', ...shop], { input: withZone(7) }],
    [1, FORM_ALONE, ['import', '-', '--dry-run', ...shop], { input: withZone(7) }],
    [1, MEANING, ['import', '-', ...shop], { input: withZone('Z') }],
    [1, /there is no shop shop_c|Shop not found: shop_c/, ['shop', 'delete', 'shop_c', '--yes']],
  ];
  for (const [code, pattern, args, call] of withServer) {
    check(args.join(' '), await run(args, call), code, pattern);
  }
});

test('shops are made, listed and moved to another plan', async () => {
  const shop = await newShop('shop_planned');
  const made = JSON.parse(await ok([...NEW_SHOP, '--plan', 'pro', '--json'])) as { shop: { id: string } };
  assert.match(made.shop.id, /^shop_[0-9A-Za-z]{26}$/);
  assert.equal(await ok(['shop', 'set-plan', 'pro', ...shop]), 'shop_planned is on plan pro\n');
  const { shops } = JSON.parse(await ok(['shop', 'list', '--json'])) as { shops: { id: string }[] };
  const { id, name, plan, currency, timezone } = shops.find((each) => each.id === 'shop_planned') as Record<
    string,
    unknown
  > & { id: string };
  assert.deepEqual(
    [id, name, plan, currency, timezone],
    ['shop_planned', 'A', 'pro', 'EUR', 'Europe/Berlin'],
  );
  const list = await ok(['shop', 'list']);
  assert.match(list, /^ID +PLAN +CURRENCY +TIME ZONE +NAME\nshop_/);
  assert.match(list, /^shop_planned +pro +EUR +Europe\/Berlin +A$/m);
});

test('keys are made, listed and revoked, and the last admin key is kept', async () => {
  const END = new Date(Date.now() + 86_400_000).toISOString();
  const shop = await newShop('shop_keys');
  const [secret = '', what = ''] = (await ok(['key', 'create', '--label', 'First', ...shop])).split('\n');
  assert.match(secret, /^rw_[A-Za-z0-9_-]{43}$/);
  const id = what.split(':')[0] ?? '';
  const till = ['key', 'create', '--label', 'Till', '--permission', 'simulate', '--expires', END, '--json'];
  const made = JSON.parse(await ok([...till, ...shop])) as {
    key: { id: string; permission: string; expiresAt: string };
    secret: string;
  };
  assert.deepEqual([made.key.permission, made.key.expiresAt], ['simulate', END]);
  const { keys } = JSON.parse(await ok(['key', 'list', '--json', ...shop])) as {
    keys: Record<string, unknown>[];
  };
  assert.deepEqual(
    keys.map((key) => [key['id'], key['label'], key['prefix'], key['lastUsedAt']]),
    [
      [id, 'First', secret.slice(0, 9), null],
      [made.key.id, 'Till', made.secret.slice(0, 9), null],
    ],
  );
  const list = await ok(['key', 'list', ...shop]);
  assert.match(list, new RegExp(`never +${END} +Till`));
  assert.ok(!list.includes(secret) && !list.includes('secretSha256'));
  assert.equal(await ok(['key', 'revoke', made.key.id, ...shop]), `${made.key.id} is revoked\n`);
  assert.match((await run(['key', 'revoke', id, ...shop])).stderr, /last admin key/);
  for (const entry of readdirSync(served, { withFileTypes: true })) {
    if (entry.isFile()) assert.equal(readFileSync(join(served, entry.name)).includes(secret), false);
  }
});

test('a command that cannot print reports it, and its change holds', async (context) => {
  if (FULL_PATH === null) return context.skip('no file that takes nothing');
  const shop = await newShop('shop_silent');
  await ok(['key', 'create', ...shop]);
  const { key } = JSON.parse(await ok(['key', 'create', '--json', ...shop])) as { key: { id: string } };
  const revoke = ['key', 'revoke', key.id, ...shop];
  const { code, stderr } = await runCommand(served, revoke, { stdoutPath: FULL_PATH });
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^ratewright key revoke: standard output cannot be written: ENOSPC[^\n]*\n$/);
  const { keys } = JSON.parse(await ok(['key', 'list', '--json', ...shop])) as { keys: unknown[] };
  assert.equal(keys.length, 1);
});

test('a configuration that is exported and imported again changes nothing', async () => {
  const shop = await newShop('shop_copied', '--plan', 'enterprise');
  const dryRun = await ok(['import', '-', '--dry-run', ...shop], { input: demoConfig });
  assert.match(dryRun, /\nwould change: \d+ added/);
  const imported = await ok(['import', '-', ...shop], { input: demoConfig }, runAlone);
  assert.match(imported, /^version 2 \(version_\w+\): \d+ added/);
  const file = join(stage.path, 'config.json');
  assert.match(await ok(['export', '--output', file, ...shop]), /config\.json: \d+ zones, \d+ methods\n$/);
  const exported = await ok(['export', ...shop], {}, runAlone);
  assert.equal(readFileSync(file, 'utf8'), exported);
  const findings = await ok(['lint', ...shop]);
  assert.match(findings, /^warning \(3\)\n├─ group_without_method: productGroup Oversized/);
  assert.equal(
    await ok(['import', file, '--dry-run', ...shop]),
    `${findings}would change: 0 added, 0 modified, 0 removed\n`,
  );
  const again = JSON.parse(await ok(['import', file, '--json', ...shop])) as { version: { number: number } };
  assert.equal(again.version.number, 3);
  const changed = JSON.parse(exported) as { methods: { name: string }[] };
  const [first] = changed.methods;
  assert.ok(first !== undefined);
  first.name = 'Renamed';
  writeFileSync(file, JSON.stringify(changed));
  assert.match(
    await ok(['import', file, '--dry-run', ...shop]),
    /^~ method Renamed \(method_\w+\)\nwarning[\s\S]*\nwould change: 0 added, 1 m/,
  );
  const trial = ['--cart', 'data/carts/us-po-box.json', '--at', '2026-11-24T09:30:00Z'];
  const tried = await ok(['import', file, '--dry-run', ...trial, ...shop]);
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

test('without a server the log is verified and backed up, and a backup restores every shop', async (context) => {
  const alone = await newFolder(context);
  const { folder, data } = alone;
  assert.equal(await alone.ok([...NEW_SHOP, '--id', 'shop_a']), 'shop_a\n');
  await alone.ok(['key', 'create']);
  const whole = '1 shop, 2 records, 0 checkpoints, ';
  assert.ok((await alone.ok(['verify'])).startsWith(whole));
  const copy = join(folder, 'copy.mdb');
  assert.equal(await alone.ok(['backup', copy]), `${copy}: 1 MB\n`);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.match((await alone.run(['backup', copy])).stderr, /exists already/);
  const restored = join(folder, 'restored');
  mkdirSync(restored);
  copyFileSync(copy, join(restored, 'data.mdb'));
  const environment = { RATEWRIGHT_DATA: restored };
  assert.equal(await alone.ok(['key', 'list'], { environment }), await alone.ok(['key', 'list']));
  const verified = JSON.parse(await alone.ok(['verify', '--json'])) as { defects: unknown[] };
  assert.deepEqual(verified.defects, []);

  const file = join(data, 'data.mdb');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('Made on the command line');
  assert.ok(at > 0);
  for (let from = at; from > 0; from = bytes.indexOf('Made on the command line', from + 1)) {
    bytes[from] = 0x20;
  }
  writeFileSync(file, bytes);
  const damaged = await alone.run(['verify']);
  assert.equal(damaged.code, 65);
  assert.match(damaged.stderr, /^ratewright verify: the log is damaged: shop shop_a, record 2: [^\n]*\n$/);
  const unread = await alone.run(['key', 'list']);
  assert.equal(unread.code, 70, unread.stderr);
  assert.match(unread.stderr, /damaged at record 2/);
  const listed = await alone.ok(['shop', 'list']);
  assert.match(listed, /\nthe stored configuration of shop shop_a is damaged at record 2\n$/);
  const refused = await alone.run(['backup', `${copy}-of-damaged`]);
  assert.equal(refused.code, 1, refused.stderr);
  assert.match(refused.stderr, /^ratewright backup: [^\n]*record 2[^\n]*\n$/);
  assert.deepEqual(readdirSync(folder).sort(), ['copy.mdb', 'db', 'restored']);
});

test('verify says that a folder holds no log', async (context) => {
  const { folder, run } = await newFolder(context);
  const { code, stderr } = await run(['verify'], { environment: { RATEWRIGHT_DATA: folder } });
  assert.equal(code, 65);
  assert.equal(stderr, `ratewright verify: data folder ${folder} holds no log: it has no data.mdb\n`);
  assert.deepEqual(readdirSync(folder), []);
});

test('a log on a disk that is mounted read-only is verified, also without its lock file', async (context) => {
  const disk = smallDisk(context, 16);
  if (disk === null) return;
  const { data, ok: make, runAlone: verify } = await newFolder(context);
  await make([...NEW_SHOP, '--id', 'shop_a']);
  const at = (name: string) => ({ environment: { RATEWRIGHT_DATA: join(disk.path, name) } });
  cpSync(data, join(disk.path, 'all'), { recursive: true });
  mkdirSync(join(disk.path, 'alone'));
  copyFileSync(join(data, 'data.mdb'), join(disk.path, 'alone', 'data.mdb'));
  disk.makeReadOnly();
  for (const name of ['all', 'alone']) {
    assert.match(await output(verify, ['verify'], at(name)), /^1 shop, .*: all whole$/m);
  }
});

test('simulate prints a readable trace or the answer of the API', async () => {
  const shop = await newShop('shop_traced', '--plan', 'enterprise');
  await ok(['import', '-', ...shop], { input: demoConfig });
  const file = join(stage.path, 'cart.json');
  writeFileSync(file, cart);
  const at = ['--at', '2026-03-04T05:06:07Z'];
  const text = await ok(['simulate', file, ...at, ...shop]);
  for (const part of ['Zone ', '\nRates\n', '\nGroup ', ' base flat', ' rule rule_', '\nBlended rates\n']) {
    assert.ok(text.includes(part), part);
  }
  const answer = await ok(['simulate', '--json', ...at, ...shop], { input: cart });
  assert.deepEqual(Object.keys(JSON.parse(answer) as object), [
    'rates',
    'methodEvaluations',
    'blendedRates',
    'zone',
  ]);
});

test('a shop is deleted with all its data, and other shops are unchanged', async () => {
  const [gone, kept] = [await newShop('shop_gone'), await newShop('shop_kept')];
  await ok(['key', 'create', ...gone]);
  const before = await ok(['export', ...kept]);
  const asked = await run(['shop', 'delete', 'shop_gone'], { input: 'shop_gone\n' });
  assert.equal(asked.code, 64);
  assert.match(asked.stderr, /^ratewright shop delete: there is no terminal to ask on: --yes [^\n]*\n$/);
  assert.equal(await ok(['shop', 'delete', 'shop_gone', '--yes']), 'shop_gone is deleted\n');
  const { shops } = JSON.parse(await ok(['shop', 'list', '--json'])) as { shops: { id: string }[] };
  const ids = shops.map(({ id }) => id);
  assert.ok(ids.includes('shop_kept') && !ids.includes('shop_gone'));
  assert.equal(await ok(['export', ...kept]), before);
  assert.match(await ok(['verify']), /^\d+ shops, .*: all whole$/m);
  assert.match((await run(['export', ...gone])).stderr, /shop_gone/);
  assert.match((await run([...NEW_SHOP, '--id', 'shop_gone'])).stderr, /shop_gone already, or was one/);
  assert.deepEqual(JSON.parse(await ok(['shop', 'delete', 'shop_gone', '--json'])), { deleted: 'shop_gone' });
});

test('a cart is simulated against a changeset and an earlier version', async () => {
  const shop = await newShop('shop_earlier', '--plan', 'enterprise');
  await ok(['import', '-', ...shop], { input: demoConfig });
  const { versionId } = JSON.parse(await ok(['export', ...shop])) as { versionId: string };
  await ok(['import', '-', ...shop], { input: '{"methods": [], "blendedRates": []}' });
  const simulated = (...args: string[]) => ok(['simulate', ...args, ...shop], { input: cart });
  const methodsShown = (text: string): number => text.match(/ \(method_/g)?.length ?? 0;
  assert.equal(methodsShown(await simulated()), 0);
  const earlier = await simulated('--version', versionId);
  assert.ok(methodsShown(earlier) > 0);
  assert.doesNotMatch(earlier, /^Group group_/m);
  assert.equal(methodsShown(await simulated('--version', '2')), methodsShown(earlier));
  assert.equal(methodsShown(await simulated('--version', 'live')), 0);
  const plain = JSON.parse(await simulated('--version', versionId, '--json'));
  assert.ok((plain as { rates: unknown[] }).rates.length > 0);
  for (const [args, words] of [
    [['--version', 'version_x'], /Version not found: version_x/],
    [['--view', 'staged'], /no staging changeset is active/],
  ] as const) {
    const { code, stderr } = await run(['simulate', ...args, ...shop], { input: cart });
    assert.equal(code, 1);
    assert.match(stderr, words);
  }
});

test('status shows the content of the data folder and whether a server runs on it', async (context) => {
  const alone = await newFolder(context);
  const missing = await alone.run(['status']);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^ratewright status: there is no data folder .*db /);
  await alone.ok(NEW_SHOP);
  const stopped = await alone.run(['status']);
  assert.deepEqual([stopped.code, stopped.stderr], [1, 'ratewright status: no server runs\n']);
  assert.match(stopped.stdout, /: 1 shop, \d+ MB, \d+ MB free on its disk\nno server runs on it\n$/);
  assert.match(await ok(['status']), /: \d+ shops, \d+ MB, \d+ MB free on its disk\na server runs on it: /);
  const { isRunning, cluster } = JSON.parse(await ok(['status', '--json'])) as Record<string, unknown>;
  assert.deepEqual([isRunning, cluster], [true, null]);
});
