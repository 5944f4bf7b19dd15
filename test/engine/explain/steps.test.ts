/** Searches end as undecided when their steps run out. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Steps } from '../../../src/engine/explain/steps.ts';

it('a search that runs out of steps is undecided, and so is every later search', () => {
  const steps = new Steps(3);
  const searchOf = (count: number) =>
    steps.search(() => {
      steps.spend(count);
      return 'found';
    }, 'undecided');
  assert.deepEqual(
    [searchOf(2), searchOf(1), searchOf(1), searchOf(0)],
    ['found', 'found', 'undecided', 'undecided'],
  );
  assert.throws(() => new Steps(1).search(() => assert.fail('a bug'), null), /a bug/);
});
