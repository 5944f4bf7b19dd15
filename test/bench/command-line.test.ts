/** What the command lines of the bench accept, and that a mistake there is one line and a code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { BENCH_USAGE, type BenchOptions, readBenchOptions, UsageError } from '../../bench/command-line.ts';
import { COMPARE_USAGE, readCompareOptions } from '../../bench/compare-options.ts';
import { readWrkOutput } from '../../bench/load/wrk-loop.ts';
import { parseCoreList } from '../../bench/process/core-plan.ts';
import { projectPath } from '../../bench/project-paths.ts';
import { chooseParts, formatPartList, PARTS } from '../../bench/suite.ts';
import { readText } from '../house/project-files.ts';

const optionsOf = (...given: readonly string[]): BenchOptions => {
  const options = readBenchOptions(given, 'charts');
  assert.ok(options !== null);
  return options;
};

const SERVICE = ['--url', 'http://127.0.0.1:80/', '--key', 'k', '--carts', 'carts'];

test('a service is named by its address, and may lie below a path or have parameters', () => {
  const pathOf = (url: string) => optionsOf(...SERVICE, '--url', url).service?.services[0].path;
  assert.equal(pathOf('http://127.0.0.1:80/'), '/api/simulate');
  assert.equal(pathOf('https://shop.example/rates'), '/rates/api/simulate');
  assert.equal(pathOf('https://shop.example/api/simulate?fields=rates'), '/api/simulate?fields=rates');
  const { services, seconds } = optionsOf(...SERVICE, '--against', 'http://b', '--for', '2m').service ?? {};
  assert.equal(seconds, 120);
  assert.equal(services?.[1]?.authorization, 'Bearer k');
});

const chosen = (...given: readonly string[]): readonly string[] =>
  chooseParts(optionsOf(...given)).map(({ id }) => id);

test('words narrow a run to the parts that hold all of them', () => {
  assert.deepEqual(
    chosen(),
    PARTS.map(({ id }) => id),
  );
  assert.deepEqual(chosen('micro', 'Postal', '--quick'), ['micro/postal-owners']);
  assert.throws(
    () => chosen('micro', 'throughput'),
    new UsageError('no part holds micro and throughput: see --list'),
  );
});

test('a shop of --shop is measured by the parts that take any shop', () => {
  const own = ['--shop', 'shop.json', '--carts', 'carts'];
  assert.deepEqual(optionsOf(...own).ownShop, { shop: 'shop.json', carts: 'carts' });
  assert.deepEqual(chosen(...own), ['micro/evaluate', 'http/throughput', 'http/latency', 'http/profile']);
  assert.deepEqual(chosen(...own, 'latency'), ['http/latency']);
  assert.throws(
    () => chosen(...own, 'store'),
    new UsageError('no part that takes --shop holds store: see --list'),
  );
});

test('--profile records a profile after the named parts, and alone when none is named', () => {
  assert.deepEqual(chosen('--profile'), ['http/profile']);
  assert.deepEqual(chosen('--profile', 'latency'), ['http/latency', 'http/profile']);
  assert.deepEqual(chosen('--profile', 'http/profile'), ['http/profile']);
  assert.deepEqual(chosen('--profile', '--shop', 'a', '--carts', 'b'), ['http/profile']);
});

test('only a whole run of the built-in profiles replaces the charts of the project', () => {
  assert.equal(optionsOf().chartsFolder, 'charts');
  assert.equal(optionsOf('--quick').chartsFolder, null);
  assert.equal(optionsOf('--shop', 'a', '--carts', 'b').chartsFolder, null);
  assert.equal(optionsOf('--quick', '--charts', 'mine').chartsFolder, 'mine');
});

test('a mistake on the command line is refused by name', () => {
  const cases: readonly (readonly [given: readonly string[], message: string])[] = [
    [['--fast'], '--fast is not an option'],
    [['--json'], '--json needs a value'],
    [['--json', '--quick'], '--json needs a value'],
    [['--load', 'curl'], '--load takes one of wrk, undici, sockets'],
    [['--shop', 'shop.json'], '--shop needs --carts'],
    [['--carts', 'carts'], '--carts needs --shop'],
    [['--rate', '5'], '--rate needs --url'],
    [['--url', 'http://a'], '--url needs --key'],
    [['--url', 'http://a', '--key', 'k'], '--url needs --carts'],
    [[...SERVICE, '--key2', 'k'], '--key2 needs --against'],
    [[...SERVICE, 'micro'], '--url does not go with micro'],
    [[...SERVICE, '--shop', 'a'], '--url does not go with --shop'],
    [[...SERVICE, '--rate', '0'], '--rate takes requests per second, more than 0 and at most 20000'],
    [[...SERVICE, '--for', '0s'], '--for takes a time from 0.1s to 600s, such as 60s or 5m'],
    [
      [...SERVICE, '--url', 'localhost'],
      '--url takes an address such as http://127.0.0.1:8080, not localhost',
    ],
    [[...SERVICE, '--key', 'k k'], '--key takes an API key: visible ASCII only'],
  ];
  for (const [given, message] of cases) {
    assert.throws(() => readBenchOptions(given, ''), new UsageError(message));
  }
  assert.equal(readBenchOptions(['--help'], ''), null);
});

test('a comparison takes a commit with the parts to measure, or the files of four runs', () => {
  assert.deepEqual(readCompareOptions(['main', 'http/latency', '--quick', '--load', 'wrk']), {
    kind: 'measure',
    commit: 'main',
    benchArguments: ['http/latency', '--quick', '--load', 'wrk'],
  });
  assert.deepEqual(readCompareOptions(['main', '--shop', 'a', '--carts', 'b']), {
    kind: 'measure',
    commit: 'main',
    benchArguments: ['--shop', 'a', '--carts', 'b'],
  });
  assert.deepEqual(readCompareOptions(['a.json', 'b.json', 'c.json', 'd.json']), {
    kind: 'files',
    before: ['a.json', 'b.json'],
    after: ['c.json', 'd.json'],
  });
  assert.equal(readCompareOptions(['-h']), null);
});

test('a comparison of two runs, or of everything, is refused', () => {
  assert.throws(() => readCompareOptions(['a.json', 'b.json']), /^UsageError: four files are compared/);
  assert.throws(
    () => readCompareOptions(['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.json`)),
    UsageError,
  );
  assert.throws(() => readCompareOptions(['main']), /^UsageError: name the parts to measure/);
  assert.throws(() => readCompareOptions([]), /^UsageError: name a commit/);
  assert.throws(() => readCompareOptions(['main', 'micro', '--json', 'x']), /--json is not an option/);
});

const run = (script: string, given: readonly string[]) =>
  spawnSync(process.execPath, [projectPath(`dist/bench/${script}.js`), ...given], { encoding: 'utf8' });

test('a program of the bench that cannot start prints one line and ends with 64', () => {
  const cases: readonly (readonly [script: string, given: readonly string[], line: RegExp])[] = [
    [
      'main',
      ['--url', 'http://127.0.0.1:1', '--key', 'k', '--carts', projectPath('data/carts')],
      /^bench: http:\/\/127\.0\.0\.1:1 cannot be reached: ECONNREFUSED\n$/,
    ],
    [
      'main',
      ['micro/validator', '--json', 'no-such-folder/x.json'],
      /^bench: no-such-folder\/x\.json cannot be written: [^\n]+\n$/,
    ],
    [
      'compare',
      ['no-such-commit', 'micro'],
      /^bench:compare: no-such-commit is no commit of this repository\n$/,
    ],
    [
      'compare',
      ['1.json', '2.json', '3.json', '4.json'],
      /^bench:compare: 1\.json cannot be read: [^\n]+\n$/,
    ],
  ];
  for (const [script, given, line] of cases) {
    const { status, stdout, stderr } = run(script, given);
    assert.match(stderr, line);
    assert.equal(stdout, '');
    assert.equal(status, 64);
  }
});

test('the README of the bench shows the parts and the options as the programs print them', () => {
  const readme = readText('bench/README.md');
  for (const text of [BENCH_USAGE, COMPARE_USAGE, formatPartList(PARTS)])
    assert.ok(readme.includes(`\`\`\`text\n${text}\`\`\`\n`), text);
  for (const [script, given, text] of [
    ['main', ['--list'], formatPartList(PARTS)],
    ['compare', ['--help'], COMPARE_USAGE],
  ] as const) {
    const { status, stdout } = run(script, given);
    assert.deepEqual([status, stdout], [0, text], script);
  }
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
