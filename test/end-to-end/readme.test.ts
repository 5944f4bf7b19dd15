// The commands of the README, run as printed: their answers are those that the text describes.
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

/** The table of bisect in the text, the new check, the replayed cart, the gate and the promotion. */
function assertStory(told: string): void {
  const [, shown = ''] = /^The last row of `bisect` is `(.+)`\.$/m.exec(readme) ?? [];
  const withoutTime = (line: string) => line.replace(/\S+Z/, 'TIME').replace(/ +/g, ' ');
  assert.match(shown, /us-standard 0\.00 USD/);
  const lines = told.split('\n');
  assert.ok(lines.map(withoutTime).includes(withoutTime(shown)), told);
  assert.match(told, /^check_\w+: us-po-box, expects us-economy 495, us-standard 795$/m);
  const [replay = ''] = lines.filter((line) => line.startsWith('"replayed"'));
  assert.deepEqual(JSON.parse(`{${replay.replace('} "', '}, "')}}`), {
    replayed: { runs: 1, evaluated: 1, different: 1, lost: 0, gained: 0 },
    differences: [{ serviceCode: 'us-standard', serviceName: 'Standard', live: 0, staged: 795 }],
  });
  assert.match(told, /\nThe changeset passes the gate\.\n\{"staging":null,"version":\{.*"summary":/);
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

  test('they work as printed: the demo cart is priced, a wrong price is found and fixed, and a first shop is made, changed and rolled back', async (context) => {
    const [, first = '', story = '', second = ''] = blocks;
    if ((await run('command -v curl', {})).code !== 0) return context.skip('there is no curl here');
    assert.ok(first.includes('curl') && second.includes('shop create'));
    const mark = '--- next';
    const script = `${first}echo '${mark}'\n${story}echo '${mark}'\n${second}api 'http://127.0.0.1:8080/api/simulate?fields=rates' -d "$CART"\n`;
    const { code, stdout: whole } = await run(script.replaceAll('http://127.0.0.1:8080', server.url), {
      RATEWRIGHT_KEY: DEMO_KEY,
      RATEWRIGHT_DATA: data,
    });
    assert.equal(code, 0, whole);
    const [stdout = '', told = '', made = ''] = whole.split(`${mark}\n`);
    const [, shown = ''] = /```\n(\{"rates"[\s\S]*?)```/.exec(readme) ?? [];
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
    assert.deepEqual(JSON.parse(answers[0] ?? ''), JSON.parse(shown));
    for (const line of readme.match(/^[│├].*$/gm) ?? []) assert.ok(stdout.includes(line), line);
    assertStory(told);
    const prices = [...made.matchAll(/"totalPrice":(\d+)/g)];
    assert.deepEqual(
      prices.map(([, cents]) => cents),
      ['490', '790', '490'],
    );
  });
});
