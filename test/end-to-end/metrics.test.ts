/** The dashboard and the alert rules ask for nothing that a running server does not tell. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readText } from '../house/project-files.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const NAME = /\b(?:ratewright|nodejs|process)_[a-z0-9_]+/g;

let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path);
});
after(async () => {
  await server.stop();
  await folder.discard();
});

/** Names of the samples in the text. */
const samplesOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => /^[a-z0-9_]+/.exec(line)?.[0] ?? line),
  );

const scrape = async (): Promise<string> => (await server.call('/metrics', { key: null })).text;

test('every metric that the dashboard or an alert names is told by a running server', async () => {
  await server.call('/api/shop');
  const told = samplesOf(await scrape());
  const dashboard = JSON.parse(readText('data/grafana-dashboard.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rules = readText('data/prometheus-alerts.yml').replace(/^ *(?:#|summary:|description:).*$/gm, '');
  const named = new Set([...expressions, rules].flatMap((text) => text.match(NAME) ?? []));
  assert.ok(expressions.length > 30 && named.size > 30);
  // Node tells of a kind of collection once it has happened; nothing else may be missing from the start.
  const later = new Set(['nodejs_gc_duration_seconds_sum']);
  assert.deepEqual(
    [...named].filter((name) => !told.has(name) && !later.has(name)),
    [],
  );
  assert.match(await scrape(), /^# TYPE nodejs_gc_duration_seconds histogram$/m);
});

test('what was done is what is counted', async () => {
  const cart = readText('data/carts/us-po-box.json');
  for (let turn = 0; turn < 16; turn++) await server.call('/api/simulate', { body: cart });
  await server.call('/api/groups', { body: { name: 'Counted' } });
  const text = await scrape();
  const lines = new Set(text.split('\n'));
  for (const line of [
    'ratewright_simulations_total 16',
    'ratewright_simulate_duration_seconds_count 2',
    'ratewright_http_request_duration_seconds_count{route="simulate",status="200"} 16',
    'ratewright_http_request_duration_seconds_count{route="createGroup",status="201"} 1',
    'ratewright_mailbox_depth 0',
    // The scrape itself.
    'ratewright_requests_in_flight 1',
    'ratewright_shops_loaded 1',
  ]) {
    assert.ok(lines.has(line), line);
  }
  const groups = /^ratewright_append_groups_total (\d+)$/m.exec(text)?.[1];
  assert.ok(Number(groups) >= 1 && lines.has(`ratewright_append_duration_seconds_count ${groups}`));
});
