/** What a write did to the checks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksSentence, watchChecks } from '../../../src/front/console/parts/checks-sentence.ts';

/** Each name in capitals is a check that fails. */
const run = (text: string) => {
  const results = text
    .split(' ')
    .filter(Boolean)
    .map((name) => ({
      checkId: name.toLowerCase(),
      name: name.toLowerCase(),
      passed: name === name.toLowerCase(),
      failures: [],
    }));
  const failed = results.filter(({ passed }) => !passed).length;
  return { passed: results.length - failed, failed, results };
};

test('a sentence says which checks a write broke or mended, else how many pass', () => {
  const sentences: readonly (readonly [before: string | null, after: string, sentence: string])[] = [
    ['', '', ''],
    ['a', 'a', 'The check passes'],
    ['a b', 'a b', 'All 2 checks pass'],
    ['a b', 'A b', 'It broke 1 check: “a”'],
    ['A b c d', 'A B C D', 'It broke 3 checks: “b”, “c” and 1 other'],
    ['A B', 'a B', 'It mended 1 check: “a”'],
    ['A B', 'a B C', 'It broke 1 check: “c”'],
    ['A b', 'A b', '1 of 2 checks fails, as before'],
    [null, 'A b', '1 of 2 checks fails'],
  ];
  for (const [before, after, sentence] of sentences)
    assert.equal(checksSentence(before === null ? null : run(before), run(after)), sentence);
});

test('the checks of a draft are run before and after a write, those of the live configuration by version', async () => {
  const asked: unknown[] = [];
  const states = ['a b', 'A b'];
  const calls = {
    createOrRunChecks: async (body: unknown) => {
      asked.push(body);
      return { ok: true, value: run(states.shift() ?? '') };
    },
  } as unknown as Parameters<typeof watchChecks>[0];
  const staged = await watchChecks(calls, 'staged');
  assert.deepEqual(asked, [{ action: 'run', view: 'staged' }]);
  assert.equal(await staged('v7'), 'It broke 1 check: “a”');
  asked.splice(0);
  states.push('A b', 'a b');
  const live = await watchChecks(calls, 'live');
  assert.deepEqual(asked, []);
  assert.equal(await live('v7'), 'It mended 1 check: “a”');
  assert.deepEqual(asked, [
    { action: 'run', version: 'v7' },
    { action: 'run', view: 'live' },
  ]);
});
