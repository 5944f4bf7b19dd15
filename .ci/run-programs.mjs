// Runs test programs with node:test, so many at a time, in the order in which they are named: `node --test` sorts them.
// What was skipped is listed again behind everything else, with the reasons.
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const [concurrency, ...files] = process.argv.slice(2);
const skipped = [];
run({ files, concurrency: Number(concurrency) })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .on('test:pass', ({ name, skip }) => {
    if (skip) skipped.push(`skipped: ${name}: ${skip}\n`);
  })
  .compose(new spec())
  .on('end', () => process.stdout.write(skipped.join('')))
  .pipe(process.stdout);
