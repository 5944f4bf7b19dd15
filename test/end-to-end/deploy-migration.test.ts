/** The page about moving from another system: its commands run in order, and come to what it says. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot, readText } from '../house/project-files.ts';
import { freePort } from '../support/free-port.ts';
import { cleanEnvironment, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const PAGE = readText('data/deploy/migration.md');
const OPERATOR = { RATEWRIGHT_OPERATOR_KEY: 'operator_key_of_the_page_0123456789abcdef' };

test('the sh blocks of the page about migration run in order, and their output is that of the page', async (context) => {
  const { path: folder, discard } = await temporaryFolder();
  context.after(discard);
  const data = join(folder, 'db');
  const server = await ServerProcess.start(data, OPERATOR);
  context.after(() => server.stop('SIGKILL'));
  symlinkSync(join(projectRoot, 'data'), join(folder, 'data'));
  symlinkSync(join(projectRoot, 'dist/program/cli.js'), join(folder, 'ratewright'));
  const bench = `node ${join(projectRoot, 'dist/bench/main.js')}`;
  const fenced = [...PAGE.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  const textsOf = (kind: string) => fenced.filter(([, each]) => each === kind).map(([, , text = '']) => text);
  const blocks = textsOf('sh');
  assert.ok(blocks.length >= 8);
  // The bench ends with 1 when an answer differs, and then so does the script.
  const script = `set -eu\n${blocks.join('\n')}`.replace('npm run --silent bench --', bench);
  assert.ok(script.includes(bench));
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...cleanEnvironment(),
      PATH: `${folder}:${process.env['PATH']}`,
      ...OPERATOR,
      RATEWRIGHT_URL: server.url,
      OLD_PORT: String(await freePort()),
      // A busy machine.
      CHECKOUT_DEADLINE_MS: '60000',
    },
  });
  const output: string[] = [];
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output.push(String(chunk));
    });
  }
  const code = await new Promise((resolve) => shell.once('close', resolve));
  const printed = output.join('');
  assert.equal(code, 0, printed);

  // What the page shows stands there, but for ids that are made anew.
  const shown = textsOf('').flatMap((text) => text.trimEnd().split('\n'));
  assert.ok(shown.length >= 7);
  for (const line of shown)
    assert.ok(printed.includes(line.replace(/ \(check_.*\)$/, '')), `${line}\n\n${printed}`);
  assert.match(printed, /8 passed, 1 failed/);
  assert.match(printed, /9 passed/);
  assert.match(printed, /zone_without_method/);
  assert.match(printed, /Highlands and Islands \(3-5 days\)/);
  assert.match(printed, /"serviceCode":"dpd","description":"","totalPrice":4490/);
  assert.match(printed, /group_without_method/);
  const compared = readFileSync(join(folder, 'compared.log'), 'utf8').trimEnd().split('\n');
  assert.equal(compared.length, 9);
  for (const line of compared) {
    const { compared: isCompared, differences } = JSON.parse(line);
    assert.deepEqual([isCompared, differences], [true, []], line);
  }
});
