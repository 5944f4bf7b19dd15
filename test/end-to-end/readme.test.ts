// The commands that the README shows, run as they are printed: the answers hold what the text says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const project = new URL('../../../', import.meta.url);
const readme = readFileSync(new URL('README.md', project), 'utf8');
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');

function run(
  script: string,
  environment: Record<string, string>,
): Promise<{ code: number | null; stdout: string }> {
  const shell = spawn('sh', ['-e'], { cwd: project, env: { ...process.env, ...environment } });
  let stdout = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  shell.stdin.end(script);
  return new Promise((resolve) => shell.on('close', (code) => resolve({ code, stdout })));
}

describe('the commands of the README', () => {
  let server: ServerProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let data: string;

  before(async () => {
    folder = await temporaryFolder();
    data = `${folder.path}/db`;
    server = await ServerProcess.start(data);
  });

  after(async () => {
    await server?.stop('SIGKILL');
    await folder?.discard();
  });

  test('they work as printed: the demo cart is priced, and a first shop is made, changed and rolled back', async (context) => {
    const [, first = '', second = ''] = blocks;
    if ((await run('command -v curl', {})).code !== 0) return context.skip('there is no curl here');
    assert.ok(first.includes('curl') && second.includes('http://127.0.0.1:8080'));
    const script = `${first}${second}api 'http://127.0.0.1:8080/api/simulate?fields=rates' -d "$CART"\n`;
    const { code, stdout } = await run(script.replaceAll('http://127.0.0.1:8080', server.url), {
      RATEWRIGHT_KEY: DEMO_KEY,
      RATEWRIGHT_DATA: data,
    });
    assert.equal(code, 0, stdout);
    const [, shown = ''] = /```\n(\{"rates"[\s\S]*?)```/.exec(readme) ?? [];
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
    assert.deepEqual(JSON.parse(answers[0] ?? ''), JSON.parse(shown));
    for (const line of readme.match(/^[│├].*$/gm) ?? []) assert.ok(stdout.includes(line), line);
    const prices = answers.slice(1).flatMap((line) => [...line.matchAll(/"totalPrice":(\d+)/g)]);
    assert.deepEqual(
      prices.map(([, cents]) => cents),
      ['490', '790', '490'],
    );
  });
});
