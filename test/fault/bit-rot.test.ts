/**
 * Bit rot: when 1 to 8 bits anywhere in a data file flip, each shop is read unchanged or refused with its name, `verify` finds
 * everything that was refused, and no file ends a process that reads. A few end one that writes, and nothing is lost then. The long form:
 * `RATEWRIGHT_ROTTEN_FILES=10000 npm test -- bit-rot`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bitRotProgram, type RottenFile } from './bit-rot-program.ts';
import { memoryFolder } from './memory-folder.ts';
import { powerLossProgram } from './power-loss-program.ts';

const FILES = Number(process.env['RATEWRIGHT_ROTTEN_FILES'] ?? 60);
const GROUPS = 120;
/** Share of files whose damage only a write meets, which ends its process. */
const KILLED_BY_WRITES_MAX = 0.03;
/** Files per process; LMDB's binding keeps some memory for every file that was opened. */
const FILES_PER_PROCESS = 500;

const run = (...values: string[]) =>
  spawnSync(process.execPath, values, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NODE_V8_COVERAGE: '' },
  });

test(`no flipped bit in ${FILES} files changes an answer`, { timeout: 1_800_000 }, (context) => {
  const folder = memoryFolder('rot');
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'db');
  assert.equal(run(powerLossProgram, 'write', data, String(GROUPS)).status, 0);
  const files: RottenFile[] = [];
  const killedByWrites: number[] = [];
  const fatal: string[] = [];
  const examine = (first: number, count: number) => {
    const { status, signal, stdout, stderr } = run(bitRotProgram, data, String(first), String(count));
    const lines = stdout.split('\n').filter((line) => line !== '');
    return { found: lines.map((line) => JSON.parse(line) as RottenFile), end: signal ?? status, stderr };
  };
  for (let first = 0; first < FILES; ) {
    const { found, end, stderr } = examine(first, Math.min(FILES_PER_PROCESS, FILES - first));
    files.push(...found.filter(({ isWritten }) => isWritten));
    const last = found.at(-1);
    first = (last?.file ?? first - 1) + 1;
    if (end === 0) continue;
    if (last === undefined || last.isWritten) {
      // The binding may end a process that has opened many damaged files; a service opens one.
      const alone = examine(first, 1);
      files.push(...alone.found.filter(({ isWritten }) => isWritten));
      if (alone.end !== 0) fatal.push(`file ${first}: ${end}, alone ${alone.end} ${stderr}`);
      first++;
    } else {
      // A page can be read that cannot be written to. Nothing is lost by the attempt.
      killedByWrites.push(last.file);
      files.push(last, ...examine(last.file, 0).found.slice(0, 1));
    }
  }
  assert.deepEqual(fatal, []);
  assert.ok(killedByWrites.length <= FILES * KILLED_BY_WRITES_MAX, killedByWrites.join());
  assert.equal(files.length, FILES + killedByWrites.length);
  assert.deepEqual(
    files.filter(({ wrong }) => wrong.length > 0),
    [],
  );
  assert.deepEqual(
    files.filter(({ refused, isFoundByVerify }) => refused > 0 && !isFoundByVerify),
    [],
  );
  const sum = (of: (file: RottenFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const [whole, refused] = [sum((file) => file.whole), sum((file) => file.refused)];
  const unusable = files.filter(({ isUnusable }) => isUnusable).length;
  assert.ok(whole > 0 && refused > 3 * unusable && unusable > 0);
  context.diagnostic(
    `${FILES} files: ${whole} shops read whole, ${refused - 3 * unusable} refused by name, ` +
      `${unusable} files refused as a whole, ${killedByWrites.length} end a writer, 0 wrong, 0 end a reader`,
  );
});
