import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { armFailpoint, FAILPOINTS, failpoint, parseFailpoint } from '../../../src/base/runtime/failpoint.ts';

afterEach(() => armFailpoint(null));

test('a failpoint is off until it is armed', () => {
  for (const name of FAILPOINTS) failpoint(name);
});

test('an armed failpoint kills at the count-th pass of its name', () => {
  let deaths = 0;
  armFailpoint({ name: 'after-append', count: 2 }, () => deaths++);
  failpoint('after-append');
  failpoint('before-append');
  assert.equal(deaths, 0);
  failpoint('after-append');
  assert.equal(deaths, 1);
});

test('a failpoint is written as name or name:count', () => {
  assert.deepEqual(parseFailpoint('before-reply'), { name: 'before-reply', count: 1 });
  assert.deepEqual(parseFailpoint('before-reply:12'), { name: 'before-reply', count: 12 });
  assert.deepEqual(parseFailpoint('after-barrier'), { name: 'after-barrier', count: 1 });
  for (const text of [
    '',
    'nowhere',
    'before-reply:0',
    'before-reply:',
    'before-reply:1:2',
    'before-reply:x',
  ]) {
    assert.equal(parseFailpoint(text), null, text);
  }
});
