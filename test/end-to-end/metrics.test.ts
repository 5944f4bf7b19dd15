/** The dashboard and the alert rules use only metrics that a running server has. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
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

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>;
}
const alerts: readonly Alert[] = parse(readText('data/prometheus-alerts.yml')).groups[0].rules;

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
  const expressions = [...shown, ...alerts.map(({ expr }) => expr)];
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
  const names = alerts.map(({ alert }) => alert);
  assert.equal(new Set(names).size, names.length);
  for (const { alert, expr, for: duration = '1m', labels, annotations } of alerts) {
    assert.match(alert, /^Ratewright[A-Za-z]+$/);
    assert.match(labels.severity, /^(?:critical|warning)$/);
    assert.match(duration, /^\d+[smh]$/);
    // An alert without a comparison always fires.
    assert.match(expr, / (?:>|<|==) /);
    for (const field of ['summary', 'description'] as const)
      assert.ok(annotations[field].length > 20, `${alert}: ${field}`);
  }
});

test('no alert uses a metric that nobody can read, or a metric of another program', () => {
  for (const { alert, expr } of alerts) {
    for (const { name, labels } of seriesIn(expr)) {
      // The process ends with the first failed append, so nobody can read this metric.
      assert.notEqual(name, 'ratewright_append_failures_total');
      assert.ok(name.startsWith('ratewright_') || labels.includes('job'), `${alert}: ${name}`);
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

test('each alert names its section of the page about alerts: what it means, where to look, what to do at night', () => {
  const sections = readText('data/deploy/alerts.md').split(/^## /m).slice(1);
  const form = /^(\w+)\n\n\*\*Means\*\* (.+?)\n\n\*\*Look at\*\* (.+?)\n\n\*\*At 3 am\*\* (.+)$/s;
  const told = sections.map((text) => {
    const [, name = '', ...parts] = form.exec(text) ?? [];
    assert.ok(parts.length === 3 && parts.every((part) => part.trim().length > 20), text);
    return name;
  });
  assert.deepEqual(
    told,
    alerts.map(({ alert }) => alert),
  );
  for (const { alert, annotations } of alerts) {
    const address = `https://runbooks.example.com/alerts.md#${alert.toLowerCase()}`;
    assert.equal(annotations.runbook_url, address);
  }
});
