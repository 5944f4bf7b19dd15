/** The ways to a service: a key of a shop, the operator key, the socket of the data folder, and a service of the command's own. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readCallbacks } from '../data/demo-files.ts';
import { freePort } from '../support/free-port.ts';
import { answered, DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { type Call, callCommand, runCommand } from './run-command.ts';

const cart = readFileSync(new URL('../../../data/carts/us-po-box.json', import.meta.url), 'utf8');
const TABLE = [
  'Country,Region/State,"Zip/Postal Code","Weight (and above)","Shipping Price"',
  'USA,*,*,0,9.95',
  'USA,AK,*,0,19.95',
  'USA,*,90210-1234,0,1.00',
].join('\n');
const SECRET = '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';
const OPERATOR_KEY = 'operator_key_of_the_tests_0123456789abcdef';
const SHOP = ['--shop', 'shop_demo'];
const CART = 'data/carts/us-po-box.json';
const AT = ['--at', '2026-11-18T17:00:00Z'];

let stage: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let data: string;

before(async () => {
  stage = await temporaryFolder();
  data = join(stage.path, 'db');
  server = await ServerProcess.start(data, { RATEWRIGHT_OPERATOR_KEY: OPERATOR_KEY });
});

after(async () => {
  await server.stop();
  await stage.discard();
});

/** How a command on the demo shop is told where that is. Without a data folder a success was over the network. */
interface Way {
  readonly name: string;
  readonly folder: string;
  readonly options: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const ways = (): readonly Way[] => [
  {
    name: 'a key of the shop',
    folder: 'nowhere',
    options: ['--url', server.url],
    environment: { RATEWRIGHT_KEY: DEMO_KEY },
  },
  {
    name: 'the operator key',
    folder: 'nowhere',
    options: ['--url', server.url, '--operator-key', OPERATOR_KEY],
    environment: { RATEWRIGHT_KEY: 'not used' },
  },
  {
    name: 'the operator key in the environment',
    folder: 'nowhere',
    options: SHOP,
    environment: {
      RATEWRIGHT_URL: server.url,
      RATEWRIGHT_OPERATOR_KEY: OPERATOR_KEY,
      RATEWRIGHT_KEY: 'not used',
    },
  },
  { name: 'the socket', folder: data, options: [], environment: {} },
];

const runIn = ({ folder, options, environment }: Way, args: readonly string[], call: Call = {}) =>
  callCommand(folder, [...args, ...options], {
    ...call,
    environment: { ...environment, ...call.environment },
  });

/** A command, its exit code, and what it prints. */
type Expected = readonly [args: readonly string[], code: number, stdout: RegExp, stderr?: RegExp];

/** Runs the commands in this way; each must end and print as expected. */
async function expect(way: Way, expected: readonly Expected[]): Promise<string[]> {
  const printed: string[] = [];
  for (const [args, code, stdout, stderr = /^$/] of expected) {
    const ended = await runIn(way, args, { input: cart });
    const what = `${way.name}: ${args.join(' ')}`;
    assert.equal(ended.code, code, `${what}: ${ended.stderr}`);
    assert.match(ended.stdout, stdout, what);
    assert.match(ended.stderr, stderr, what);
    // Each request uses the key of the shop anew.
    printed.push(ended.stdout.replace(/"lastUsedAt": .*/, ''));
  }
  return printed;
}

/** Commands that print the same whoever is asked. */
const READS: readonly Expected[] = [
  [['simulate', ...AT], 0, /✘ Expedited \(method_us_expedited\): hidden by rule\n/],
  [['simulate', '--json', ...AT], 0, /^\{\n {2}"rates": \[\n/],
  [['bisect', CART, ...AT], 0, /^version +when +by +before +after\n2 +\S+ +import +no rate +us-economy /],
  [['bisect', CART, ...AT, '--json'], 0, /"flips": \[\n/],
  [['sweep', CART, '--from', '5800', '--to', '9000', ...AT], 0, /^from +to +rates\n/],
  [['sweep', CART, '--from', '5800', '--to', '9000', ...AT, '--json'], 0, /"segments": \[/],
  [['lint'], 0, /^warning \(3\)\n/],
  [['lint', '--json'], 0, /"findings": \[/],
  [['export'], 0, /^\{\n {2}"versionId": "version_/],
  [
    ['check', 'run'],
    0,
    /^✔ A single item within the US \(check_single_item\)\n[\s\S]*\n12 passed, 0 failed\n$/,
  ],
  [['check', 'run', '--version', '2', '--json'], 0, /"failed": 0,/],
  [
    ['check', 'list'],
    0,
    /\ncheck_po_box +US +rate, no_rate, no_rate +2026-11-18T17:00:00Z +yes +A PO box gets no/,
  ],
  [['check', 'list', '--json'], 0, /"id": "check_po_box"/],
  [['key', 'list', '--json'], 0, /"label": "Demo admin"/],
  [
    ['coverage'],
    0,
    /^\d+ live simulations? since .+\nNot used: \d+ of \d+ methods, \d+ of \d+ rules, .*\n\nDAY .*\n(?:\d{4}-\d\d-\d\d +[0-2] .*\n)+\nKIND /,
  ],
  [
    ['coverage', '--json'],
    0,
    /"date": "[-\d]+",\s+"simulations": 1,\s+"withoutRate": 0,\s+"cheapestMedian": \d/,
  ],
  [['audit', '--limit', '1'], 0, /^AT +WHO +ACTION +WHAT +CHANGE\n/],
  [['audit', '--json'], 0, /"entries": \[\n/],
  [['gate'], 1, /^$/, /no staging changeset is active/],
];

test('commands on one shop print the same whoever they ask', async () => {
  // Only this cart is live: commands only try theirs.
  answered(await server.client.simulate(JSON.parse(cart)));
  // In a separate process, which must end although it has a kept-alive connection.
  const [first] = ways();
  assert.ok(first !== undefined);
  const { folder, options, environment } = first;
  const alone = await runCommand(folder, ['simulate', ...options], { environment, input: cart });
  assert.deepEqual([alone.code, alone.stderr], [0, '']);
  assert.match(alone.stdout, /base flat: 7\.95 USD \(795\)\n/);
  assert.match(alone.stdout, /It would match, and the method would cost \d/);
  assert.match(alone.stdout, /^Time \w+ \d{4}-/m);

  const printed = new Map<string, string[]>();
  // The operator key is the same in the environment.
  const asked = ways().filter(({ name }) => name !== 'the operator key');
  for (const way of asked) printed.set(way.name, await expect(way, READS));
  const [one, ...others] = [...printed.values()];
  for (const other of others) assert.deepEqual(other, one);
});

test('each way takes writes, and shows a changeset as it is', async () => {
  const file = join(stage.path, 'po-box.json');
  writeFileSync(file, cart);
  for (const way of ways()) {
    await expect(way, [
      [
        ['check', 'add', '--from-cart', file, ...AT],
        0,
        /^check_\w+: po-box, expects us-economy 495, us-standard 795\n$/,
      ],
    ]);
    const made = await runIn(way, ['key', 'create', '--label', way.name, '--json']);
    const { key, secret } = JSON.parse(made.stdout) as { key: { id: string }; secret: string };
    assert.equal((await server.call('/api/shop', { key: secret })).status, 200);
    await expect(way, [[['key', 'revoke', key.id, '--json'], 0, new RegExp(`"revoked": "${key.id}"`)]]);
    assert.equal((await server.call('/api/shop', { key: secret })).status, 401);
  }
  const { client } = server;
  answered(await client.updateShop({ promotionGate: { checksPass: true, evaluatedMin: 5 } }));
  answered(await client.changeStaging({ action: 'enter' }));
  answered(await client.updateMethod('method_us_standard', { enabled: false }));
  answered(await client.updateGroup('group_standard', { name: 'Staged name' }));
  for (const way of ways()) {
    await expect(way, [
      [
        ['check', 'run', '--view', 'staged', '--ids', 'check_po_box'],
        1,
        /^✘ A PO box gets no courier \(check_po_box\)\n├─ us-standard is not offered: "Standard" is disabled\.\n└─ offered: us-economy 495\n0 passed, 1 failed\n$/,
        /^ratewright check run: 1 of 1 checks failed\n$/,
      ],
      [['simulate'], 0, /^Group Standard goods \(group_standard\)$/m],
      [['simulate', '--view', 'staged'], 0, /^Group Staged name \(group_standard\)$/m],
      [['export'], 0, /"Staged name"/],
    ]);
    await expect(way, [
      [
        ['gate'],
        1,
        /^[1-9]\d* of \d+ probe carts would get other rates: \d+ would lose all, \d+ would gain some\n {2}a cart to US: [\s\S]*\n✘ checksPass {4}\d+ \(at most 0\)\n├─ A single item within the US: us-standard is not offered[\s\S]*\n✘ evaluatedMin {2}0 \(at least 5\)\nThe changeset does not pass the gate\.\n$/,
        /^ratewright gate: the gate asks for checksPass, evaluatedMin\n$/,
      ],
    ]);
  }
  answered(await client.changeStaging({ action: 'discard' }));
  for (const way of ways()) {
    await expect(way, [
      [
        ['audit', '--limit', '2'],
        0,
        /^AT +WHO +ACTION +WHAT +CHANGE\n\S+Z +\S.* +changeset_discarded +staging_\S+ +note: "", writes: \d+\n.*\nMore: --cursor audit_\d+\n$/,
      ],
      [['audit', '--limit', '101'], 64, /^$/, /--limit must be a whole number from 1 to 100/],
      [['audit', '--cursor', 'audit_1'], 1, /^$/, /Audit entry not found: audit_1/],
    ]);
  }
});

test('an import of another system is shown, and replaces what was shown', async () => {
  const [way] = ways();
  assert.ok(way !== undefined);
  const table = join(stage.path, 'rates.csv');
  writeFileSync(table, TABLE);
  const from = ['import', table, '--from', 'magento-tablerate', '--weight-unit', 'lb'];
  const out = join(stage.path, 'imported.json');
  const remark = /^line 4, Zip\/Postal Code: .*left out \(for example 90210-0000\) \[zip_plus_4\]\n/;
  await expect(way, [[[...from, '--out', out], 0, remark]]);
  assert.equal((JSON.parse(readFileSync(out, 'utf8')) as { methods: unknown[] }).methods.length, 2);
  await expect(way, [
    [
      [...from, '--dry-run'],
      0,
      /\nwould change: \d+ added, 0 modified, \d+ removed\n\d+ of [^\n]*probe carts? would get other rates: \d+ would lose all, \d+ would gain some\n {2}\S/,
    ],
    [
      [...from, '--yes'],
      0,
      /\n\+ method Table Rate \(method_imported_1\)\n[\s\S]*\nversion \d+ \(version_\w+\): /,
    ],
    [['simulate'], 0, /✔ Table Rate \(method_imported_2\): 9\.95 USD/],
  ]);
  const again = JSON.parse((await runIn(way, [...from, '--yes', '--json'])).stdout) as {
    summary: object;
    remarks: unknown[];
  };
  assert.deepEqual([again.summary, again.remarks.length], [{ added: 0, modified: 0, removed: 0 }, 1]);
  answered(await server.client.changeVersion({ action: 'rollback', targetVersionId: '2' }));
});

test('commands of operators work over the network as on the folder', async () => {
  const operator = ways().filter(({ name }) => name !== 'a key of the shop');
  for (const [index, way] of operator.entries()) {
    // None of these takes --shop, or each names its own.
    const at: Way = { ...way, options: way.options.filter((option) => !SHOP.includes(option)) };
    const id = `shop_made_${index}`;
    const copy = join(stage.path, `copy-${index}.mdb`);
    await expect(at, [
      [['shop', 'create', '--name', 'Made', '--currency', 'EUR', '--id', id], 0, new RegExp(`^${id}\\n$`)],
      [['shop', 'set-plan', 'pro', '--shop', id], 0, new RegExp(`^${id} is on plan pro\\n$`)],
      [['shop', 'set-plan', 'enterprise', '--shop', id, '--json'], 0, /"plan": "enterprise"/],
      [['shop', 'list'], 0, new RegExp(`^${id} +enterprise +EUR +UTC +Made$`, 'm')],
      [
        ['shop', 'set-shopify-secret', '--shop', id, '--clear'],
        0,
        /takes no callbacks of Shopify any more\n$/,
      ],
      [['backup', copy], 0, new RegExp(`^${copy}: \\d+ MB\\n$`)],
      [['backup', copy], 1, /^$/, /exists already/],
      [['status'], 0, /\na server runs on it: version /],
      [['shop', 'delete', id, '--yes'], 0, new RegExp(`^${id} is deleted\\n$`)],
    ]);
  }
});

test('a secret that is set while the server runs is used at once, and is nowhere in plain text', async () => {
  const callback = JSON.stringify(readCallbacks().get('us-two-items'));
  const send = () =>
    server.call('/carriers/shopify/shop_demo', {
      body: callback,
      key: null,
      headers: { 'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(callback).digest('base64') },
    });
  assert.equal((await send()).status, 401);
  const command = ['shop', 'set-shopify-secret'];
  const set = await runCommand(data, command, { input: `${SECRET}\n` });
  assert.deepEqual([set.code, set.stderr], [0, '']);
  assert.ok(!set.stdout.includes(SECRET) && set.stdout.includes('/carriers/shopify/shop_demo'));
  let reply = await send();
  // On a busy machine an answer may come after the deadline of a checkout.
  while (reply.status === 404) reply = await send();
  assert.equal(reply.status, 200);
  assert.ok((reply.body as { rates: unknown[] }).rates.length > 0);
  for (const entry of readdirSync(data, { withFileTypes: true })) {
    if (entry.isFile()) assert.ok(!readFileSync(join(data, entry.name)).includes(SECRET), entry.name);
  }
  assert.equal((await callCommand(data, [...command, '--clear'])).code, 0);
  assert.equal((await send()).status, 401);
  assert.ok(!server.output.stderr.includes(SECRET));
  for (const [input, code] of [
    ['', 64],
    ['short\n', 1],
    ['with a space in it all\n', 1],
  ] as const) {
    const refused = await callCommand(data, command, { input });
    assert.equal(refused.code, code, refused.stderr);
    assert.match(refused.stderr, /16 to 256 visible ASCII characters/);
  }
});

test('what leads to no service is one sentence that says what to do', async () => {
  const url = ['--url', server.url];
  const key = { RATEWRIGHT_KEY: DEMO_KEY };
  const operator = { RATEWRIGHT_OPERATOR_KEY: OPERATOR_KEY };
  const other = { RATEWRIGHT_OPERATOR_KEY: OPERATOR_KEY.toUpperCase() };
  const unused = `http://127.0.0.1:${await freePort()}`;
  const cases: readonly (readonly [number, RegExp, readonly string[], Readonly<Record<string, string>>])[] = [
    [64, /a key is needed at http:\S+: --operator-key KEY, RATEWRIGHT_OPERATOR_KEY/, ['export', ...url], {}],
    [
      64,
      /operator key is needed at http:\S+: --operator-key KEY, or RATEWRIGHT_OP/,
      ['shop', 'list', ...url],
      key,
    ],
    [64, /operator key is needed/, ['export', ...url, ...SHOP], key],
    [64, /--url must be an address that begins with http/, ['export', '--url', 'nowhere'], key],
    [64, /--operator-key must be /, ['shop', 'list', ...url, '--operator-key', 'two words'], {}],
    [64, /RATEWRIGHT_KEY must be /, ['export', ...url], { RATEWRIGHT_KEY: 'two words' }],
    [1, /\(UNAUTHORIZED\): .*RATEWRIGHT_OPERATOR_KEY/, ['export', ...url], { RATEWRIGHT_KEY: 'wrong' }],
    [1, /\(UNAUTHORIZED\): .*RATEWRIGHT_OPERATOR_KEY/, ['shop', 'list', ...url], other],
    [1, /\(UNAUTHORIZED\): /, ['backup', join(stage.path, 'none.mdb'), ...url], other],
    [1, /shop_x/, ['export', ...url, '--shop', 'shop_x'], operator],
    [1, /\(UNREACHABLE\): see whether the server runs/, ['export', '--url', unused], key],
    [1, /\(UNREACHABLE\): see whether the server runs/, ['shop', 'list', '--url', unused], operator],
  ];
  for (const [code, pattern, args, environment] of cases) {
    const ended = await callCommand('nowhere', args, { environment });
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, pattern, args.join(' '));
    assert.match(ended.stderr, /^ratewright [^\n]*\n$/);
    assert.equal(ended.stdout, '');
  }
});

test('a command with an operator key at a server without one says what the server lacks', async (context) => {
  const without = await ServerProcess.start(join(stage.path, 'without'), { RATEWRIGHT_OPERATOR_KEY: '' });
  context.after(() => without.stop());
  const environment = { RATEWRIGHT_URL: without.url, RATEWRIGHT_OPERATOR_KEY: OPERATOR_KEY };
  const { code, stderr } = await callCommand('nowhere', ['shop', 'list'], { environment });
  assert.equal(code, 1);
  assert.match(stderr, /\(NOT_FOUND\): the server must have been started with RATEWRIGHT_OPERATOR_KEY, /);
});

test('options of another system do not go with an exported file', async () => {
  const [way] = ways();
  assert.ok(way !== undefined);
  const out = join(stage.path, 'imported.json');
  const wrong: readonly (readonly [number, RegExp, readonly string[]])[] = [
    [64, /--from must be one of magento-tablerate, /, ['import', CART, '--from', 'excel']],
    [64, /--unused-days must be a whole number/, ['coverage', '--unused-days', '-1']],
    [64, /--out goes with --from/, ['import', CART, '--out', out]],
    [64, /--weight-unit goes with --from/, ['import', CART, '--weight-unit', 'kg']],
    [64, /--condition goes with --from/, ['import', CART, '--condition', 'weight']],
  ];
  for (const [code, pattern, args] of wrong) await expect(way, [[args, code, /^$/, pattern]]);
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

test('without a server each command starts a service of its own, and prints the same', async () => {
  const socket = ways().at(-1);
  assert.ok(socket !== undefined);
  const texts = READS.filter(([args]) => !args.includes('--json'));
  const asked = await expect(socket, texts);
  assert.equal(await server.stop(), 0);
  const own: Way = { ...socket, name: 'a service of its own' };
  assert.deepEqual(await expect(own, texts), asked);
  await expect(own, [
    [['shop', 'set-plan', 'pro'], 0, /^shop_demo is on plan pro\n$/],
    [['shop', 'list', '--json'], 0, /"plan": "pro"/],
  ]);
  // Two processes at the same time: one waits for the other.
  const both = [runCommand, callCommand].map((run) => run(data, ['key', 'list', '--json']));
  for (const { code, stderr } of await Promise.all(both)) assert.deepEqual([code, stderr], [0, '']);
  assert.match((await runIn(own, ['verify'])).stdout, /all whole/);
});
