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

  test('they work as printed, and a change is seen by the next simulation', async (context) => {
    const script = blocks[1] ?? '';
    if ((await run('command -v curl', {})).code !== 0) return context.skip('there is no curl here');
    assert.ok(script.includes('curl') && script.includes('http://127.0.0.1:8080'));
    const { code, stdout } = await run(script.replaceAll('http://127.0.0.1:8080', server.url), {
      RATEWRIGHT_KEY: DEMO_KEY,
      RATEWRIGHT_DATA: data,
    });
    assert.equal(code, 0, stdout);
    const [first = ''] = stdout.split('\n');
    const answer = JSON.parse(first) as {
      rates: { serviceName: string; totalPrice: number }[];
      methodEvaluations: { methodId: string; reason: string | null }[];
    };
    assert.deepEqual(answer.rates.map((rate) => rate.serviceName).sort(), ['Economy', 'Standard']);
    const expedited = answer.methodEvaluations.find(({ methodId }) => methodId === 'method_us_expedited');
    assert.equal(expedited?.reason, 'hidden_by_rule');
    assert.match(stdout, /7\.95|795/);
    assert.match(stdout, /6\.95|695/);
  });
});
