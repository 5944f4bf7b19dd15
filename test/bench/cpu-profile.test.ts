import assert from 'node:assert/strict';
import type { Profiler } from 'node:inspector';
import { test } from 'node:test';
import { areaOf, areaTimesOf, selfTimesOf } from '../../bench/report/cpu-profile.ts';

const node = (id: number, functionName: string, url = '', lineNumber = 0): Profiler.ProfileNode => ({
  id,
  callFrame: { functionName, scriptId: '0', url, lineNumber, columnNumber: 0 },
});

const profileOf = (
  nodes: Profiler.ProfileNode[],
  samples: readonly (readonly [node: number, us: number])[],
) => ({
  nodes,
  startTime: 0,
  endTime: 0,
  samples: [...samples.map(([id]) => id), 1],
  // A sample lasts until the next one.
  timeDeltas: [0, ...samples.map(([, us]) => us)],
});

test('the time of a function is that of its samples on all call paths, longest first', () => {
  const url = 'src/engine/evaluate/a.ts';
  const profile = profileOf(
    [node(1, '(root)'), node(2, 'a', url), node(3, 'b', url), node(4, 'a', url)],
    [
      [2, 100],
      [3, 500],
      [4, 700],
      [3, 50],
    ],
  );
  assert.deepEqual(
    selfTimesOf(profile).map(({ functionName, selfUs }) => [functionName, selfUs]),
    [
      ['a', 800],
      ['b', 550],
    ],
  );
});

test('functions of one name at different places are told apart', () => {
  const profile = profileOf(
    [node(1, '(root)'), node(2, 'a', 'x', 1), node(3, 'a', 'x', 9)],
    [
      [2, 10],
      [3, 20],
    ],
  );
  assert.deepEqual(
    selfTimesOf(profile).map(({ lineNumber }) => lineNumber),
    [9, 1],
  );
});

test('idle time is left out', () => {
  const profile = profileOf(
    [node(1, '(root)'), node(2, '(idle)'), node(3, '(garbage collector)')],
    [
      [2, 900],
      [3, 100],
    ],
  );
  assert.deepEqual(areaTimesOf(selfTimesOf(profile)), [['garbage collector', 100]]);
});

test('an area is a folder of the source, a package, Node, or native code', () => {
  const area = (url: string, functionName = 'f') => areaOf({ url, functionName });
  assert.equal(area('src/front/http/routes/rules.ts'), 'src/front/http');
  assert.equal(area('node_modules/lmdb/dist/src/x.js'), 'lmdb');
  assert.equal(area('node_modules/@scope/name/x.js'), '@scope/name');
  assert.equal(area('node_modules/a/node_modules/b/x.js'), 'b');
  assert.equal(area('node:internal/timers'), 'Node');
  assert.equal(area('', 'parse'), 'native functions: HTTP library, engine');
  assert.equal(area('', '(program)'), 'native code outside of functions');
  assert.equal(area('../elsewhere/x.js'), 'other');
});

test('times of an area are those of its functions together, longest area first', () => {
  const evaluate = 'src/engine/evaluate/a.ts';
  const profile = profileOf(
    [node(1, '(root)'), node(2, 'a', evaluate), node(3, 'b', evaluate), node(4, 'c', 'src/front/http/c.ts')],
    [
      [2, 30],
      [4, 50],
      [3, 40],
    ],
  );
  assert.deepEqual(areaTimesOf(selfTimesOf(profile)), [
    ['src/engine/evaluate', 70],
    ['src/front/http', 50],
  ]);
});
