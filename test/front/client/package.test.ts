/**
 * The client as other programs import it, as `ratewright/client`: from the whole package, and from the package that
 * contains only the client.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
// The package can import its own exports, so this line is the same as in other programs.
import { type CallOutcome, createClient, type SimulateAnswer } from 'ratewright/client';
import { projectRoot, readText } from '../../house/project-files.ts';
import { DEMO_KEY, ServerProcess, temporaryFolder } from '../../support/server-process.ts';
import { compileStrictly } from '../../support/strict-compiler.ts';

/** Maximum size of the installed package. */
const PACKAGE_BYTES_MAX = 3_000_000;

test('the package exports the client with its types', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', retriesMax: 0 });
  const outcome: CallOutcome<SimulateAnswer> = await client.simulate({
    destination: { country: 'US' },
    items: [{ quantity: 1, grams: 1, price: 1 }],
  });
  assert.ok(!outcome.ok && outcome.code === 'UNREACHABLE');
  await client.close();
});

test('the types refuse what a route does not accept', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', retriesMax: 0 });
  const method = { name: 'A', zoneId: 'zone_us' } as const;
  const calls = [
    // @ts-expect-error a method needs a name and a rate type
    client.createMethod({ zoneId: 'zone_us' }),
    // @ts-expect-error a flat rate has no tiers
    client.createMethod({ ...method, rateType: 'flat', config: { tiers: [] } }),
    // @ts-expect-error a flat rate has a price
    client.createMethod({ ...method, rateType: 'flat' }),
    // @ts-expect-error the config of the rate type that is named beside it
    client.updateMethod('method_1', { rateType: 'percentage', config: { price: 500 } }),
    // @ts-expect-error the list of zones takes no country
    client.listZones({ query: { country: 'US' } }),
    // @ts-expect-error neither does that of methods
    client.listMethods({ query: { country: 'US' } }),
    // @ts-expect-error a limit is a number
    client.listVersions({ query: { limit: '5' } }),
    // @ts-expect-error there is no such view
    client.getConfig({ query: { view: 'latest' } }),
    // @ts-expect-error the list of keys takes no parameters
    client.listKeys({ query: { limit: 5 } }),
  ];
  const taken = [
    client.createMethod({ ...method, rateType: 'flat', config: { price: 500 } }),
    client.createMethod({ ...method, rateType: 'free' }),
    client.updateMethod('method_1', { config: { price: 500 } }),
    client.updateMethod('method_1', { rateType: 'percentage', config: { percentage: 5 } }),
    client.listVersions({ query: { limit: 5, includeBatched: true } }),
  ];
  for (const outcome of await Promise.all([...calls, ...taken])) assert.equal(outcome.ok, false);
  await client.close();
});

test('the types of answers depend on the parameters of a simulation', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', retriesMax: 0 });
  const cart = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
  const explained = await client.simulate(cart, { query: { explain: 'full' } });
  assert.ok(!explained.ok || explained.value.notConsidered.length >= 0);
  const plain = await client.simulate(cart, { query: { view: 'live' } });
  // @ts-expect-error only the explained answer has it
  assert.ok(!plain.ok || plain.value.notConsidered === undefined);
  await client.close();
});

/** A program that uses the client and prints the answer. */
const CONSUMER = `
import { type CallOutcome, createClient, type Schemas } from 'ratewright/client';

const [url = '', key = ''] = process.argv.slice(2);
const client = createClient({ url, key, deadlineMs: 60_000 });
function value<T>(outcome: CallOutcome<T>): T {
  if (!outcome.ok) throw new Error(\`\${outcome.code}: \${outcome.message}\`);
  return outcome.value;
}
const { zones } = value(await client.listZones());
const zoneId = zones[0]?.id ?? '';
const body: Schemas['MethodCreate'] = { name: 'Courier', zoneId, rateType: 'flat', config: { price: 500 } };
const { method } = value(await client.createMethod(body));
const price: number = method.rateType === 'flat' ? method.config.price : -1;
value(await client.updateMethod(method.id, { config: { price: price + 100 } }));
const { versions } = value(await client.listVersions({ query: { limit: 2 } }));
const changed = value(await client.getMethod(method.id)).method;
const missing = await client.deleteMethod('method_none');
await client.close();
console.log(JSON.stringify({
  price: changed.rateType === 'flat' ? changed.config.price : null,
  versions: versions.length,
  missing: missing.ok ? null : missing.code,
}));
`;
/** The type of the only global that the program uses; a real project has @types/node. */
const GLOBALS = 'declare const process: { readonly argv: readonly string[] };\n';

/** Bytes of all files below a folder. */
function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test('the package of the client alone is installed without a registry, compiled strictly and talks to a server', async (context) => {
  const folder = await temporaryFolder();
  context.after(() => folder.discard());
  const run = (program: string, args: readonly string[], cwd: string): string => {
    const ended = spawnSync(program, args, { cwd, encoding: 'utf8' });
    assert.equal(ended.status, 0, `${program} ${args.join(' ')}: ${ended.stdout}${ended.stderr}`);
    return ended.stdout.trim();
  };
  const tarball = run(process.execPath, [join(projectRoot, '.ci/pack-client.mjs'), folder.path], projectRoot);
  const project = join(folder.path, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project);

  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['ratewright']);
  assert.ok(bytesBelow(join(project, 'node_modules')) < PACKAGE_BYTES_MAX);
  const readme = readFileSync(join(project, 'node_modules/ratewright/README.md'), 'utf8');
  assert.equal(readme, readText('src/front/client/README.md'));

  writeFileSync(join(project, 'consumer.ts'), GLOBALS + CONSUMER);
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  assert.ok(shown.includes('createClient('));
  writeFileSync(join(project, 'readme.ts'), shown);
  assert.equal(compileStrictly(project), '');
  const server = await ServerProcess.start(join(folder.path, 'db'));
  context.after(() => server.stop('SIGKILL'));
  const printed = run(process.execPath, ['consumer.js', server.url, DEMO_KEY], project);
  assert.deepEqual(JSON.parse(printed), { price: 600, versions: 2, missing: 'NOT_FOUND' });
});

test('the client loads no part of the server: no store, no HTTP server, no logger', () => {
  const seen = `
    import { createRequire } from 'node:module';
    const before = new Set(process.report?.getReport?.().sharedObjects ?? []);
    await import('ratewright/client');
    const after = process.report.getReport().sharedObjects.filter((each) => !before.has(each));
    process.stdout.write(JSON.stringify({ after, required: Object.keys(createRequire(import.meta.url).cache) }));
  `;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', seen], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  assert.equal(ended.status, 0, ended.stderr);
  const { after, required } = JSON.parse(ended.stdout) as { after: string[]; required: string[] };
  // Addons are shared objects; lmdb and the HTTP server are addons, the logger is CommonJS.
  assert.deepEqual(
    after.filter((path) => path.endsWith('.node')),
    [],
  );
  const packages = new Set(required.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  assert.deepEqual([...packages], []);
});
