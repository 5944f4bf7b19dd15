/** The client as other programs get it: by the name `ratewright/client`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
// The package names itself by what it exports, so this line is the one that others write.
import { type CallOutcome, createClient, type SimulateAnswer } from 'ratewright/client';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

test('the package exports the client with its types', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', retriesMax: 0 });
  const outcome: CallOutcome<SimulateAnswer> = await client.simulate({
    destination: { country: 'US' },
    items: [{ quantity: 1, grams: 1, price: 1 }],
  });
  assert.ok(!outcome.ok && outcome.code === 'UNREACHABLE');
  await client.close();
});

test('what a route does not take is refused by the types', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', retriesMax: 0 });
  const calls = [
    // @ts-expect-error a method needs a name and a rate type
    client.createMethod({ zoneId: 'zone_us' }),
    // @ts-expect-error the list of zones takes no parameters
    client.listZones({ query: { country: 'US' } }),
    // @ts-expect-error it takes others
    client.listMethods({ query: { country: 'US' } }),
  ];
  for (const outcome of await Promise.all(calls)) assert.equal(outcome.ok, false);
  await client.close();
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
  assert.deepEqual([...packages], ['undici']);
});
