/** The confirmation of `import --from` before it replaces everything, with and without a terminal. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanEnvironment, OPERATOR_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { callCommand, type Ended, PROGRAM } from './run-command.ts';

const TABLE = `Country,Region/State,"Zip/Postal Code","Weight (and above)","Shipping Price"\nUSA,*,*,0,5.95\n`;

/** A shop, a table to import, and the current version of the shop. */
async function stage(context: TestContext) {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const data = join(folder.path, 'db');
  const made = await callCommand(data, ['shop', 'create', '--name', 'A', '--currency', 'USD']);
  assert.equal(made.code, 0);
  const file = join(folder.path, 'rates.csv');
  writeFileSync(file, TABLE);
  const args = ['import', file, '--from', 'magento-tablerate', '--weight-unit', 'kg'];
  const version = async () =>
    (JSON.parse((await callCommand(data, ['export'])).stdout) as { versionId: string }).versionId;
  return { folder: folder.path, data, args, version };
}

test('without a terminal an import from another system needs --yes', async (context) => {
  const { folder, data, args, version } = await stage(context);
  const before = await version();
  for (const refused of [args, [...args, '--json'], ['import', '-', ...args.slice(2)]]) {
    const { code, stdout, stderr } = await callCommand(data, refused, { input: TABLE });
    assert.deepEqual([code, stdout], [64, '']);
    assert.match(stderr, /^ratewright import: a file of another system replaces .*--yes.*--dry-run.*\n$/);
  }
  assert.equal((await callCommand(data, [...args, '--dry-run'])).code, 0);
  assert.equal((await callCommand(data, [...args, '--out', join(folder, 'out.json')])).code, 0);
  assert.equal(await version(), before);

  const { stdout } = await callCommand(data, [...args, '--yes']);
  assert.match(stdout, /\n\+ method Table Rate [\s\S]*\nversion 2 /);
  assert.notEqual(await version(), before);
});

const SCRIPT = '/usr/bin/script';

/** Runs a command on a new terminal; calls `answer` when the command asks, and types the text that it resolves with. */
function runOnTerminal(data: string, args: readonly string[], answer: () => Promise<string>): Promise<Ended> {
  const command = [process.execPath, PROGRAM, ...args].map((part) => `'${part}'`).join(' ');
  const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
    env: { ...cleanEnvironment(), RATEWRIGHT_DATA: data, TERM: 'dumb' },
  });
  let stdout = '';
  let isAsked = false;
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
    if (isAsked || !stdout.includes('Type y to go on')) return;
    isAsked = true;
    void answer().then((typed) => child.stdin.write(`${typed}\n`));
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr: '' }));
  });
}

test('on a terminal an import from another system is executed after the answer y', {
  skip: existsSync(SCRIPT) ? false : 'no script(1) to make a terminal',
}, async (context) => {
  const { data, args, version } = await stage(context);
  const before = await version();
  const refused = await runOnTerminal(data, args, async () => 'n');
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /\+ method Table Rate [\s\S]*would change: 3 added[\s\S]*nothing is changed/);
  assert.equal(await version(), before);

  // Another command changes the shop while the question waits.
  const empty = JSON.stringify({ zones: [{ name: 'Other', countries: ['FR'], subzones: [] }] });
  const overtaken = await runOnTerminal(data, args, async () => {
    assert.equal((await callCommand(data, ['import', '-'], { input: empty })).code, 0);
    return 'y';
  });
  assert.equal(overtaken.code, 1);
  assert.match(overtaken.stdout, /the configuration has changed/);

  const replaced = await runOnTerminal(data, args, async () => 'y');
  assert.equal(replaced.code, 0);
  assert.match(replaced.stdout, /\nversion 3 /);
  assert.equal(replaced.stdout.match(/\+ method Table Rate/g)?.length, 1);
});

test('an import into a changeset that is discarded while the command asks does not go live', {
  skip: existsSync(SCRIPT) ? false : 'no script(1) to make a terminal',
}, async (context) => {
  const { data, args, version } = await stage(context);
  const before = await version();
  const server = await ServerProcess.start(data);
  context.after(() => server.stop());
  const { body } = await server.call('/operator/shops', { key: OPERATOR_KEY });
  const [shop] = (body as { shops: { id: string }[] }).shops;
  const changeStaging = (action: string) =>
    server.call(`/operator/shops/${shop?.id}/api/staging`, { body: { action }, key: OPERATOR_KEY });
  assert.equal((await changeStaging('enter')).status, 200);
  const overtaken = await runOnTerminal(data, args, async () => {
    assert.equal((await changeStaging('discard')).status, 200);
    return 'y';
  });
  assert.equal(overtaken.code, 1);
  assert.match(overtaken.stdout, /the changeset has changed or ended/);
  assert.equal(await version(), before);
});
