// Runs the long form of every test that has one, one after the other, as `test/README.md` lists them. Arguments narrow
// the run to commands that hold one of them: `npm run test:long -- soak kill`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wanted = process.argv.slice(2);
const listed = readFileSync(join(root, 'test/README.md'), 'utf8');
const runs = [...listed.matchAll(/^\| `((?:RATEWRIGHT_\w+=\d+ )*)npm test -- (\S+)`/gm)]
  .map(([, variables, word]) => ({ variables: variables.split(' ').filter(Boolean), word }))
  .filter(({ variables, word }) =>
    wanted.length === 0
      ? true
      : wanted.some((each) => [...variables, word].some((text) => text.includes(each))),
  );
if (runs.length === 0) {
  process.stderr.write(`no long run matches ${wanted.join(', ')}\n`);
  process.exit(1);
}

const failed = runs.filter(({ variables, word }) => {
  process.stdout.write(`\n== ${[...variables, 'npm test --', word].join(' ')}\n`);
  const env = { ...process.env, ...Object.fromEntries(variables.map((each) => each.split('='))) };
  const { status } = spawnSync(process.execPath, [join(root, '.ci/run-tests.mjs'), word], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  return status !== 0;
});
for (const { variables, word } of failed) {
  process.stderr.write(`failed: ${[...variables, 'npm test --', word].join(' ')}\n`);
}
process.exit(failed.length === 0 ? 0 : 1);
