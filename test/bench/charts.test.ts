import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeCharts } from '../../bench/report/charts.ts';
import { measurementOf, reportOf } from './sample-report.ts';

function chartsOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-charts-'));
  try {
    const report = reportOf(ids.map((id) => measurementOf(id, 'ns', [1_000, 2_000, 3_000])));
    const files = writeCharts(report, folder);
    return new Map(files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a chart is drawn from what the run measured, and only then', () => {
  assert.deepEqual([...chartsOf([]).keys()], []);
  assert.deepEqual([...chartsOf(['growth/rules/4']).keys()], ['growth.svg']);
  const both = chartsOf(['growth/rules/0', 'growth/rules/4', 'http/throughput/small/ratewright']);
  assert.deepEqual([...both.keys()], ['throughput.svg', 'growth.svg']);
  assert.match(both.get('throughput.svg') ?? '', />Ratewright<\/text>/);
  assert.match(both.get('growth.svg') ?? '', />2\.00<\/text>/);
});

test('a chart holds no coordinate that is not a number', () => {
  for (const [, chart] of chartsOf(['growth/versions/1', 'http/throughput/typical/peer-1'])) {
    assert.doesNotMatch(chart, /NaN|Infinity|undefined/);
    assert.match(chart, /^<svg [\s\S]*<\/svg>\n$/);
  }
});
