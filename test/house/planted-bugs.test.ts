/** The bugs that long runs plant still fit the code: each text to be replaced is in its compiled file exactly once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLANTED_BUGS as WRITER_BUGS } from '../simulator/planted-bugs.ts';
import { PLANTED_BUGS as CLUSTER_BUGS } from '../store/cluster/planted-bugs.ts';
import { projectRoot } from './project-files.ts';

test('every planted bug names code that is there once', () => {
  const bugs = [...CLUSTER_BUGS, ...WRITER_BUGS.map((bug) => ({ ...bug, file: `src/${bug.file}` }))];
  const misfits = bugs.filter(({ file, from }) => {
    const code = readFileSync(join(projectRoot, 'dist', `${file}.js`), 'utf8');
    return code.split(from).length !== 2;
  });
  assert.deepEqual(
    misfits.map(({ what }) => what),
    [],
  );
});
