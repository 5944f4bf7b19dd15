// Do the tests notice a wrong operator in the heart of the service? Mutants of src/change, src/compile and
// src/evaluate, drawn at random, each run against the tests of those folders in a copy of the build until one of them
// fails. One that survives and is known to change no answer does not count. The long form: `RATEWRIGHT_MUTANTS=100 npm test -- mutation`; RATEWRIGHT_SEED draws the same ones again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SeededRandom } from '../../bench/profiles/seeded-random.ts';
import { filesBelow, projectRoot } from '../house/project-files.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { harmlessLeft, whyHarmless } from './harmless.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const MUTANTS = Number(process.env['RATEWRIGHT_MUTANTS'] ?? 0);
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? 1);
const FOLDERS = ['change', 'compile', 'evaluate'];
/** From so many on their share that is noticed must be this at least. */
const JUDGED_FROM = 50;
const KILLED_SHARE = 0.9;
/** A mutant may never end: it has this long, or as long as all tests of a folder take without one. */
const TEST_MS = 180_000;

/** Tests of a folder, in groups that run in one process each, those that cost least first; its own goes before all. */
const TESTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  change: [
    [
      ...['defects', 'condition-input', 'decide-blended', 'decide-shop', 'decide-group', 'service-code'],
      ...[
        'preview',
        'decide-method',
        'decide',
        'decide-config-defects',
        'refuse-config',
        'decide-rule',
        'same-json',
        'align',
      ],
    ],
    ['apply', 'decide-steps', 'staging-limits', 'decide-config', 'compare', 'plan-limit', 'diff'],
    ['../actor/staging', '../model/shop-model'],
    ['history.property', 'invariants'],
  ],
  evaluate: [
    ['evaluate', 'predicate-test', 'many-items'],
    ['optimisations.property'],
    ['evaluate.property'],
    ['../explain/explain.property', '../worker/compiled-shelf'],
  ],
  compile: [
    ['zone-records', '../evaluate/evaluate', '../evaluate/predicate-test', '../evaluate/many-items'],
    ['../evaluate/optimisations.property', 'work-steps'],
    ['../evaluate/evaluate.property'],
    ['postal-owners', '../lint/lint-config', '../worker/compiled-shelf'],
  ],
};
/** Fewer random cases than the tests have alone: most mutants fall to one of the first. */
const SHORTER = { RATEWRIGHT_SHOPS: '600', RATEWRIGHT_MODEL_RUNS: '40', RATEWRIGHT_POSTAL_ZONES: '200' };

/** A copy of the build in which a file may be wrong. */
async function openCopy(): Promise<{ path: string; discard: () => Promise<void> }> {
  const folder = await temporaryFolder();
  for (const name of readdirSync(projectRoot)) {
    if (name === 'dist') cpSync(join(projectRoot, name), join(folder.path, name), { recursive: true });
    else if (!name.startsWith('.')) symlinkSync(join(projectRoot, name), join(folder.path, name));
  }
  return folder;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** Whether all of these test files pass, in one process, in at most so many milliseconds. */
function pass(folder: string, testFiles: readonly string[], msMax: number): Promise<boolean> {
  const program = testFiles.map((file) => `await import(${JSON.stringify(`./${file}`)});`).join('\n');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, NODE_V8_COVERAGE: '', ...SHORTER },
  });
  const timer = msMax === UNBOUNDED ? undefined : setTimeout(() => child.kill('SIGKILL'), msMax);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

/** The tests that fail, or null when none do. */
async function killersOf(folder: string, { path, text }: Mutant, msMax: number): Promise<string | null> {
  const [area = '', name = ''] = path.replace(/\.js$/, '').split('/');
  const groups = [[name], ...(TESTS[area] ?? [])].map((names) =>
    names
      .map((one) => join('dist/test', area, `${one}.test.js`))
      .filter((one) => existsSync(join(folder, one))),
  );
  const file = join(folder, 'dist/src', path);
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, text);
  try {
    for (const [at, group] of groups.entries()) {
      if (group.length > 0 && !(await pass(folder, group, msMax)))
        return at === 0 ? 'its own tests' : `group ${at}`;
    }
    return null;
  } finally {
    writeFileSync(file, whole);
  }
}

function allMutants(): Mutant[] {
  return FOLDERS.flatMap((folder) =>
    filesBelow(`dist/src/${folder}`, '.js').flatMap((path) =>
      mutantsOf(path.replace('dist/src/', ''), readFileSync(join(projectRoot, path), 'utf8')),
    ),
  );
}

/** No mutant: a file of the folder as it is. */
function unchanged(area: string): Mutant {
  const [path = ''] = filesBelow(`dist/src/${area}`, '.js');
  const text = readFileSync(join(projectRoot, path), 'utf8');
  return { path: path.replace('dist/src/', ''), line: 0, from: '', to: '', shown: '', text };
}

describe('mutants', () => {
  test('are made of code alone: each operator once, no text and no comment', () => {
    const text = [
      '// a < b',
      "const x = a < b && !c ? 'd === e' : `f + g`; /* i++ */",
      'for (;;) i++;',
      'if (h >= 0) return true;',
    ].join('\n');
    const found = mutantsOf('x.js', text).map(({ from, to }) => `${from} ${to}`);
    assert.deepEqual(found.sort(), ['! ', '&& ||', '++ --', '0 1', '< <=', '>= >', 'true false'].sort());
  });

  test('of each of the folders there are hundreds, and each differs from the file in one place', () => {
    const mutants = allMutants();
    for (const folder of FOLDERS) {
      assert.ok(mutants.filter(({ path }) => path.startsWith(folder)).length > 100, folder);
    }
  });

  test('those that change no answer are still there', () => {
    assert.deepEqual(harmlessLeft(allMutants()), []);
  });

  const skip = MUTANTS === 0 && 'takes minutes: set RATEWRIGHT_MUTANTS';
  test(`${MUTANTS} of them are noticed by a test, or change no answer`, { skip }, async (context) => {
    const random = new SeededRandom(SEED);
    const left = allMutants();
    const folder = await openCopy();
    context.after(folder.discard);
    // A test that fails anyway would notice everything.
    let msMax = TEST_MS;
    for (const area of FOLDERS) {
      const startMs = performance.now();
      assert.equal(await killersOf(folder.path, unchanged(area), UNBOUNDED), null, area);
      msMax = Math.max(msMax, performance.now() - startMs);
    }
    let killed = 0;
    let harmless = 0;
    for (let drawn = 1; drawn <= MUTANTS; drawn++) {
      const [mutant] = left.splice(random.between(0, left.length - 1), 1);
      assert.ok(mutant !== undefined);
      const killer = await killersOf(folder.path, mutant, msMax);
      if (killer !== null) killed++;
      const why = killer === null ? whyHarmless(mutant) : null;
      if (why !== null) harmless++;
      const { path, line, from, to, shown } = mutant;
      const fate = killer !== null ? `killed by ${killer}` : why === null ? 'SURVIVED' : `harmless, ${why}`;
      process.stderr.write(`${drawn} ${path}:${line} "${from}" -> "${to}" ${fate}: ${shown.slice(0, 160)}\n`);
    }
    const told = `${killed} killed, ${harmless} harmless, ${MUTANTS - killed - harmless} survived`;
    context.diagnostic(`seed ${SEED}: of ${MUTANTS} ${told}`);
    if (MUTANTS >= JUDGED_FROM) assert.ok(killed >= KILLED_SHARE * (MUTANTS - harmless), told);
  });
});
