import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNumber, formatValue } from '../../bench/report/number-format.ts';
import { formatSection } from '../../bench/report/text-report.ts';
import { formatTable, left, right } from '../../bench/report/text-table.ts';

test('numbers have three significant digits and separated thousands', () => {
  assert.equal(formatNumber(1234567.8), '1,234,568');
  assert.equal(formatNumber(123.4), '123');
  assert.equal(formatNumber(12.34), '12.3');
  assert.equal(formatNumber(1.2345), '1.23');
  assert.equal(formatNumber(0.01234), '0.0123');
  assert.equal(formatNumber(0), '0');
  assert.equal(formatNumber(Number.NaN), '-');
});

test('values come in the unit that fits them', () => {
  assert.equal(formatValue(12, 'ns'), '12.0 ns');
  assert.equal(formatValue(12_345, 'ns'), '12.3 us');
  assert.equal(formatValue(2_500, 'us'), '2.50 ms');
  assert.equal(formatValue(1_500, 'ms'), '1.50 s');
  assert.equal(formatValue(3 * 1024 * 1024, 'bytes'), '3.00 MiB');
  assert.equal(formatValue(71_000, 'perSecond'), '71,000 /s');
  assert.equal(formatValue(0.8, 'ratio'), '0.800x');
});

test('the columns of a table are aligned', () => {
  const table = formatTable(
    [left('what'), right('median')],
    [
      ['small', '1 us'],
      ['typical', '12 us'],
    ],
  );
  assert.deepEqual(table.split('\n'), [
    'what     median',
    '-------  ------',
    'small      1 us',
    'typical   12 us',
  ]);
});

test('a part that failed says why, after what it had measured', () => {
  const text = formatSection({
    id: 'http/throughput',
    title: 'Throughput',
    measurements: [{ id: 'a', label: 'floor A', unit: 'perSecond', samples: [10, 30, 20] }],
    notes: ['Load: wrk.'],
    failure: 'the server ended',
  });
  assert.match(text, /floor A\s+20\.0 \/s\s+10\.0 \/s\s+30\.0 \/s\s+50 %/);
  assert.match(text, / {2}Load: wrk\./);
  assert.match(text, /NOT MEASURED: the server ended/);
});
