import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWanted, readBenchOptions, UsageError } from '../../bench/command-line.ts';
import { readWrkOutput } from '../../bench/load/wrk-loop.ts';
import { parseCoreList } from '../../bench/process/core-plan.ts';

test('words narrow a run to the parts that hold all of them', () => {
  const options = readBenchOptions(['micro', 'Postal', '--quick'], 'charts');
  assert.deepEqual(options?.words, ['micro', 'postal']);
  assert.ok(isWanted('micro/postal-trie', options?.words ?? []));
  assert.ok(!isWanted('micro/compile', options?.words ?? []));
  assert.ok(isWanted('http/latency', []));
});

test('a quick run leaves the charts alone unless it is told where to put its own', () => {
  assert.equal(readBenchOptions([], 'charts')?.chartsFolder, 'charts');
  assert.equal(readBenchOptions(['--quick'], 'charts')?.chartsFolder, null);
  assert.equal(readBenchOptions(['--quick', '--charts', 'mine'], 'charts')?.chartsFolder, 'mine');
});

test('a mistake on the command line is refused by name', () => {
  assert.throws(() => readBenchOptions(['--fast'], ''), new UsageError('--fast is not an option'));
  assert.throws(() => readBenchOptions(['--json'], ''), new UsageError('--json needs a value'));
  assert.throws(() => readBenchOptions(['--load', 'curl'], ''), UsageError);
  assert.equal(readBenchOptions(['--help'], ''), null);
});

test('lists of cores are read as the system writes them', () => {
  assert.deepEqual(parseCoreList('0-2,8'), [0, 1, 2, 8]);
  assert.deepEqual(parseCoreList('5'), [5]);
  assert.deepEqual(parseCoreList(''), []);
});

test('the output of wrk is read, and a run that broke off is no result', () => {
  const text = 'Running 1s test\n  64 connections\nresult 71000 1002000 3\n';
  assert.deepEqual(readWrkOutput(text), { answers: 70_997, failures: 3, seconds: 1.002 });
  assert.throws(() => readWrkOutput('unable to connect'), /wrk did not finish: unable to connect/);
});
