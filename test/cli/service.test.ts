/** Commands with `--url` against a running server, and imports of other systems. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../../src/front/client/client.ts';
import { DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { type Call, callCommand, type Ended, runCommand } from './run-command.ts';

const cart = readFileSync(new URL('../../../data/carts/us-po-box.json', import.meta.url), 'utf8');
const TABLE = [
  'Country,Region/State,"Zip/Postal Code","Weight (and above)","Shipping Price"',
  'USA,*,*,0,9.95',
  'USA,AK,*,0,19.95',
  'USA,*,90210-1234,0,1.00',
].join('\n');

test('simulate, export and import work against a running server', async (context) => {
  const folder = await temporaryFolder();
  const server = await ServerProcess.start(join(folder.path, 'db'));
  context.after(async () => {
    await server.stop();
    await folder.discard();
  });
  const url = ['--url', server.url];
  const environment = { RATEWRIGHT_KEY: DEMO_KEY };
  // The data folder does not exist, so every success was over HTTP.
  const run = (args: readonly string[], call: Call = {}) =>
    callCommand('nowhere', args, { environment, ...call });
  const ok = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input, environment });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return stdout;
  };

  // In a separate process, which must end although it has a kept-alive connection.
  const { code, stdout: trace } = await runCommand('nowhere', ['simulate', ...url], {
    environment,
    input: cart,
  });
  assert.equal(code, 0);
  assert.match(trace, /✘ Expedited \(method_us_expedited\): hidden by rule\n/);
  assert.match(trace, /base flat: 7\.95 USD \(795\)\n/);
  assert.match(trace, /It would match, and the method would cost \d/);
  const { rates } = JSON.parse(await ok(['simulate', '--json', ...url], cart)) as { rates: unknown[] };
  assert.equal(rates.length, 2);
  assert.match(trace, /^Time \w+ \d{4}-/m);

  const exported = await ok(['export', ...url]);
  const file = join(folder.path, 'config.json');
  writeFileSync(file, exported);
  const findings = await ok(['lint', ...url]);
  assert.match(findings, /^warning \(3\)\n/);
  assert.equal(
    await ok(['import', file, '--dry-run', ...url]),
    `${findings}would change: 0 added, 0 modified, 0 removed\n`,
  );

  // The server and its data folder give the same output.
  const local = ['--shop', 'shop_demo'];
  const both = async (args: readonly string[]): Promise<readonly Ended[]> => [
    await run([...args, ...url]),
    await callCommand(join(folder.path, 'db'), [...args, ...local]),
  ];
  const trial = ['--cart', 'data/carts/us-po-box.json', '--at', '2026-11-24T09:30:00Z'];
  const [asked, alone] = await both(['import', file, '--dry-run', ...trial]);
  assert.match(asked?.stdout ?? '', /\nTime tuesday 2026-11-24 [\s\S]*Group Standard goods/);
  assert.deepEqual(asked, alone);
  for (const { code: ran, stdout } of await both(['check', 'run'])) {
    assert.equal(ran, 0, stdout);
    assert.match(
      stdout,
      /^✔ A single item within the US \(check_single_item\)\n[\s\S]*\n12 passed, 0 failed\n$/,
    );
  }
  for (const { stdout } of await both(['check', 'list'])) {
    assert.match(stdout, /^ID +TO +EXPECTS +AT +ENABLED +NAME\n/);
    assert.match(
      stdout,
      /\ncheck_po_box +US +rate, no_rate, no_rate +2026-11-18T17:00:00Z +yes +A PO box gets no/,
    );
  }
  const cartFile = join(folder.path, 'po-box.json');
  writeFileSync(cartFile, cart);
  const added = await both(['check', 'add', '--from-cart', cartFile, '--at', '2026-11-18T17:00:00Z']);
  for (const { code: ran, stdout, stderr } of added) {
    assert.equal(ran, 0, stderr);
    assert.match(stdout, /^check_\w+: po-box, expects us-economy 495, us-standard 795\n$/);
  }
  await ok(['check', 'run', ...url]);
  const client = createClient({ url: server.url, key: DEMO_KEY });
  context.after(() => client.close());
  assert.ok((await client.updateShop({ promotionGate: { checksPass: true, evaluatedMin: 5 } })).ok);
  assert.ok((await client.changeStaging({ action: 'enter' })).ok);
  assert.ok((await client.updateMethod('method_us_standard', { enabled: false })).ok);
  for (const { code: ran, stdout, stderr } of await both([
    'check',
    'run',
    '--view',
    'staged',
    '--ids',
    'check_po_box',
  ])) {
    assert.deepEqual([ran, stderr], [1, 'ratewright check run: 1 of 1 checks failed\n']);
    const lines = [
      '✘ A PO box gets no courier (check_po_box)',
      '├─ us-standard is not offered: "Standard" is disabled.',
    ];
    assert.equal(stdout, [...lines, '└─ offered: us-economy 495', '0 passed, 1 failed\n'].join('\n'));
  }
  for (const { code: ran, stdout, stderr } of await both(['gate'])) {
    assert.deepEqual([ran, stderr], [1, 'ratewright gate: the gate asks for checksPass, evaluatedMin\n']);
    assert.match(
      stdout,
      /^[1-9]\d* of \d+ probe carts would get other rates: \d+ would lose all, \d+ would gain some\n {2}a cart to US: /,
    );
    assert.match(
      stdout,
      /\n✘ checksPass {4}\d+ \(at most 0\)\n├─ A single item within the US: us-standard is not offered/,
    );
    assert.match(stdout, /\n✘ evaluatedMin {2}0 \(at least 5\)\nThe changeset does not pass the gate\.\n$/);
  }
  // The samples of the effects have the time of the call.
  const [there, here] = (await both(['gate', '--json'])).map(({ stdout }) =>
    stdout.replaceAll(/"at": "[^"]+"/g, ''),
  );
  assert.equal(here, there);
  assert.ok((await client.changeStaging({ action: 'discard' })).ok);
  assert.equal((await run(['gate', ...url])).code, 1);
  assert.match(await ok(['check', 'run', '--version', '2', '--json', ...url]), /"failed": 0,/);
  // Only this cart is live: `simulate` and `check add` only try theirs.
  assert.ok((await client.simulate(JSON.parse(cart))).ok);
  for (const { code: ran, stdout, stderr } of await both(['coverage'])) {
    assert.equal(ran, 0, stderr);
    assert.match(
      stdout,
      /^\d+ live simulations since .+\nNot used: \d+ of \d+ methods, \d+ of \d+ rules, .*\n\nKIND /,
    );
    assert.match(stdout, /\nmethod +0 +0 +never +APO, FPO and DPO mail \(method_military_mail\)\n/);
  }
  const used = JSON.parse(await ok(['coverage', '--json', ...url])) as {
    zones: { zoneId: string; count: number }[];
  };
  assert.ok(used.zones.some(({ zoneId, count }) => zoneId === 'zone_us' && count === 1));
  assert.equal((await run(['coverage', '--unused-days', 'x', ...url])).code, 64);

  const table = join(folder.path, 'rates.csv');
  writeFileSync(table, TABLE);
  const from = ['import', table, '--from', 'magento-tablerate', '--weight-unit', 'lb'];
  const out = join(folder.path, 'imported.json');
  const remark = /^line 4, Zip\/Postal Code: .*left out \(for example 90210-0000\) \[zip_plus_4\]\n/;
  assert.match(await ok([...from, '--out', out]), remark);
  assert.equal((JSON.parse(readFileSync(out, 'utf8')) as { methods: unknown[] }).methods.length, 2);
  assert.match(
    await ok([...from, '--dry-run', ...url]),
    /\nwould change: \d+ added, 0 modified, \d+ removed\n\d+ of [^\n]*probe carts? would get other rates: \d+ would lose all, \d+ would gain some\n {2}\S/,
  );
  assert.match(
    await ok([...from, '--yes', ...url]),
    /\n\+ method Table Rate \(method_imported_1\)\n[\s\S]*\nversion 5 \(version_\w+\): /,
  );
  assert.match(await ok(['simulate', ...url], cart), /✔ Table Rate \(method_imported_2\): 9\.95 USD/);
  const again = JSON.parse(await ok([...from, '--yes', ...url, '--json'])) as {
    summary: object;
    remarks: unknown[];
  };
  assert.deepEqual([again.summary, again.remarks.length], [{ added: 0, modified: 0, removed: 0 }, 1]);

  const fails = async (code: number, pattern: RegExp, args: string[], call: Call = {}) => {
    const ended = await run(args, call);
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, pattern);
  };
  await fails(64, /--shop goes without --url/, ['export', ...url, '--shop', 'shop_demo']);
  await fails(64, /RATEWRIGHT_KEY must hold/, ['export', ...url], { environment: {} });
  await fails(64, /--url must be an address/, ['export', '--url', 'nowhere']);
  await fails(1, /UNAUTHORIZED/, ['export', ...url], { environment: { RATEWRIGHT_KEY: 'wrong' } });
  const mixed = {
    zones: [{ name: 7, countries: [] }],
    methods: [{ name: 'M', zoneId: 'z', rateType: 'free' }],
  };
  const formAlone = /: \/data\/zones\/0\/name must be [^;]*\(VALIDATION_ERROR\)$/m;
  await fails(1, formAlone, ['import', '-', ...url], { environment, input: JSON.stringify(mixed) });
  await fails(64, /--from must be one of/, ['import', table, '--from', 'excel']);
  await fails(1, /imported\.json\/x cannot be written: /, [...from, '--out', join(out, 'x')]);
  for (const [name, value] of [
    ['out', out],
    ['weight-unit', 'kg'],
    ['condition', 'weight'],
  ] as const) {
    await fails(64, new RegExp(`--${name} goes with --from`), ['import', file, `--${name}`, value]);
  }
});

test('while a changeset is active an export equals the answer of the API, and a trace has the names of the version that answered', async (context) => {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'db');
  const server = await ServerProcess.start(data);
  context.after(async () => {
    await server.stop();
    await folder.discard();
  });
  const client = createClient({ url: server.url, key: DEMO_KEY });
  context.after(() => client.close());
  assert.ok((await client.changeStaging({ action: 'enter' })).ok);
  assert.ok((await client.updateGroup('group_standard', { name: 'Staged name' })).ok);
  const environment = { RATEWRIGHT_KEY: DEMO_KEY };
  const [here, there] = [
    await callCommand(data, ['export']),
    await callCommand(data, ['export', '--url', server.url], { environment }),
  ];
  assert.deepEqual([here.code, here.stderr], [0, '']);
  assert.equal(here.stdout, there.stdout);
  assert.match(here.stdout, /"Staged name"/);
  for (const args of [['simulate'], ['simulate', '--url', server.url]]) {
    const { stdout } = await callCommand(data, args, { environment, input: cart });
    assert.match(stdout, /^Group Standard goods \(group_standard\)$/m, args.join(' '));
    const staged = await callCommand(data, [...args, '--view', 'staged'], { environment, input: cart });
    assert.match(staged.stdout, /^Group Staged name \(group_standard\)$/m, args.join(' '));
  }
  assert.ok((await client.changeStaging({ action: 'promote' })).ok);
  const versions = await client.listVersions();
  const earlier = versions.ok ? (versions.value.versions[1]?.id ?? '') : '';
  for (const args of [['simulate'], ['simulate', '--url', server.url]]) {
    const { stdout } = await callCommand(data, [...args, '--version', earlier], { environment, input: cart });
    assert.match(stdout, /^Group Standard goods \(group_standard\)$/m, args.join(' '));
  }
});

test('an import with errors names every row and changes nothing', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const data = join(folder.path, 'db');
  const made = await callCommand(data, ['shop', 'create', '--name', 'A', '--currency', 'USD']);
  assert.equal(made.code, 0);
  const input = TABLE.replace('USA,AK', 'QQQ,AK').replace('9.95', 'free');
  const args = ['import', '-', '--from', 'magento-tablerate', '--weight-unit', 'kg', '--yes'];
  const { code, stdout, stderr } = await callCommand(data, args, { input });
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^line 2, Shipping Price: [^\n]*\[not_a_decimal\]\nline 3, Country: [^\n]*\[unknown_country\]\n/,
  );
  assert.equal(stderr, 'ratewright import: 2 errors in -: nothing was changed\n');
  const { errors } = JSON.parse((await callCommand(data, [...args, '--json'], { input })).stdout) as {
    errors: { row: number }[];
  };
  assert.deepEqual(
    errors.map(({ row }) => row),
    [2, 3],
  );
  const whole = await callCommand(data, args, { input: TABLE });
  assert.match(whole.stdout, /\nversion 2 /);
});
