/** The dashboard and the alert rules use only metrics that a running server has. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DURATIONS, METRICS } from '../../src/base/metrics/metrics.ts';
import { readText } from '../house/project-files.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path, { RATEWRIGHT_METRICS_SHOPS: '1' });
});
after(async () => {
  await server.stop();
  await folder.discard();
});

const scrape = async (): Promise<string> => (await server.call('/metrics', { key: null })).text;

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(readText('data/grafana-dashboard.json')) as {
  readonly panels: readonly Panel[];
};
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The fields of each alert; a folded text is one line. */
const alerts = readText('data/prometheus-alerts.yml')
  .split(/^ {6}- (?=alert: )/m)
  .slice(1)
  .map((text) => {
    const folded = text.replace(
      />-\n((?: {10}.*\n)+)/g,
      (_, lines: string) => `${lines.trim().replace(/\n */g, ' ')}\n`,
    );
    const fields = folded.split('\n').filter((line) => line.trim() !== '');
    return new Map(
      fields.map((line): [string, string] => {
        const [, name = '', value = ''] = /^ *([a-z]+):(?: (.*))?$/.exec(line) ?? assert.fail(line);
        return [name, value];
      }),
    );
  });

/** The type and the labels of every series in the text. */
function seriesOf(
  text: string,
): ReadonlyMap<string, { readonly type: string; readonly labels: Set<string> }> {
  const series = new Map<string, { type: string; labels: Set<string> }>();
  let type = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('# TYPE ')) type = line.split(' ')[3] ?? '';
    const [, name, labels = ''] = /^([a-z][a-z0-9_]*)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const known = series.get(name) ?? { type, labels: new Set() };
    series.set(name, known);
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) known.labels.add(label);
  }
  return series;
}

const SERIES = /((?:rate|increase)\()?\b((?:ratewright|nodejs|process)_\w+|up\b)(?:\{([^}]*)\})?/g;

/** The series in an expression; `isCounted` when it reads their increase, which is valid only for counters. */
const seriesIn = (expression: string) =>
  [...expression.matchAll(SERIES)].map(([, growth, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)\s*[!=]/g)].map(([, label = '']) => label),
    isCounted: growth !== undefined,
  }));

/** Labels and series that Prometheus adds. */
const ADDED = ['instance', 'job'];
const ADDED_SERIES = 'up';
// Node reports a kind of garbage collection after the first one; every other series must exist from the start.
const LATER = new Set(['nodejs_gc_duration_seconds_sum']);

test('every series of the dashboard and the alerts exists in a running server, with the same labels and type', async () => {
  await server.call('/api/shop');
  const text = await scrape();
  const told = seriesOf(text);
  const expressions = [...shown, ...alerts.map((alert) => alert.get('expr') ?? '')];
  assert.ok(shown.length > 30 && alerts.length > 10);
  for (const expression of expressions) {
    for (const { name, labels, isCounted } of seriesIn(expression)) {
      if (LATER.has(name) || name === ADDED_SERIES) continue;
      const series = told.get(name);
      assert.ok(series !== undefined, `${name} is not told`);
      assert.equal(isCounted, series.type !== 'gauge', `${expression}: ${name} is a ${series.type}`);
      for (const label of labels) assert.ok(ADDED.includes(label) || series.labels.has(label), expression);
    }
  }
  assert.match(text, /^# TYPE nodejs_gc_duration_seconds histogram$/m);
});

test('every counter, gauge and duration of the table is on the dashboard', () => {
  const asked = new Set(shown.flatMap((expression) => seriesIn(expression).map(({ name }) => name)));
  const missing = [
    ...Object.entries(METRICS).map(([name, { type }]) => `${name}${type === 'counter' ? '_total' : ''}`),
    ...Object.keys(DURATIONS).map((name) => `${name}_duration_seconds_bucket`),
  ].filter((name) => !asked.has(`ratewright_${name}`));
  assert.deepEqual(missing, []);
});

test('no two panels of the dashboard have one id or one title', () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const titles = panels.filter(({ targets }) => targets !== undefined).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});

test('each alert has a severity, a summary and an instruction', () => {
  const names = alerts.map((alert) => alert.get('alert'));
  assert.equal(new Set(names).size, names.length);
  for (const alert of alerts) {
    assert.match(alert.get('alert') ?? '', /^Ratewright[A-Za-z]+$/);
    assert.match(alert.get('severity') ?? '', /^(?:critical|warning)$/);
    assert.match(alert.get('for') ?? '1m', /^\d+[smh]$/);
    // An alert without a comparison always fires.
    assert.match(alert.get('expr') ?? '', / (?:>|<|==) /);
    for (const field of ['summary', 'description']) {
      const value = alert.get(field) ?? '';
      assert.ok(value.length > 20, `${alert.get('alert')}: ${field}`);
      // Values that YAML would not read as a text.
      if (!/^".*"$/.test(value)) assert.doesNotMatch(value, /: | #|^[{[&*!|>%@`"']/);
    }
  }
});

test('no alert uses a metric that nobody can read, or a metric of another program', () => {
  for (const alert of alerts) {
    for (const { name, labels } of seriesIn(alert.get('expr') ?? '')) {
      // The process ends with the first failed append, so nobody can read this metric.
      assert.notEqual(name, 'ratewright_append_failures_total');
      assert.ok(name.startsWith('ratewright_') || labels.includes('job'), `${alert.get('alert')}: ${name}`);
    }
  }
});

test('the counters equal the requests that were made', async () => {
  const cart = readText('data/carts/us-po-box.json');
  for (let turn = 0; turn < 16; turn++) await server.call('/api/simulate', { body: cart });
  await server.call('/api/groups', { body: { name: 'Counted' } });
  // Reading the coverage collects the counts, which otherwise happens once a second.
  await server.call('/api/coverage');
  const text = await scrape();
  const lines = new Set(text.split('\n'));
  for (const line of [
    'ratewright_simulations_total 16',
    'ratewright_shop_simulations_total{shop="shop_demo"} 16',
    'ratewright_simulate_duration_seconds_count 2',
    'ratewright_http_request_duration_seconds_count{route="simulate",status="200"} 16',
    'ratewright_http_request_duration_seconds_count{route="createGroup",status="201"} 1',
    'ratewright_mailbox_depth 0',
    // One of them is the request for the metrics.
    'ratewright_requests_in_flight 1',
    'ratewright_shops_loaded 1',
  ]) {
    assert.ok(lines.has(line), line);
  }
  const groups = /^ratewright_append_groups_total (\d+)$/m.exec(text)?.[1];
  assert.ok(Number(groups) >= 1 && lines.has(`ratewright_append_duration_seconds_count ${groups}`));
});

test('the page for operators of several nodes says of each alert about them what it means and what to do', () => {
  const rows = readText('data/deploy/cluster.md').matchAll(
    /^\| `(Ratewright\w+)` +\| (.+?) +\| (.+?) +\|$/gm,
  );
  const told = [...rows].map(([, name = '', meaning = '', instruction = '']) => {
    assert.ok(meaning.length > 20 && instruction.length > 20, name);
    return name;
  });
  const ofNodes = /ratewright_(?:cluster|barrier|appends_unknown|mirrors)/;
  const expected = alerts.filter((alert) => ofNodes.test(alert.get('expr') ?? ''));
  assert.deepEqual(told.toSorted(), expected.map((alert) => alert.get('alert')).toSorted());
});
