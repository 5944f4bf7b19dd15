import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignEdits } from '../../../src/front/console/changeset/foreign-edits.ts';

const entry = (id: string) => ({ kind: 'method' as const, id, name: id });
const modified = (
  id: string,
  ...changes: readonly (readonly [field: string, from: unknown, to: unknown])[]
) => ({
  ...entry(id),
  changes: changes.map(([field, from, to]) => ({ field, from, to })),
});

test('what another editor changed in a changeset begins with what the reader saw staged', () => {
  const shown = {
    added: [entry('a')],
    modified: [
      modified('same', ['name', 'Live', 'Mine']),
      modified('more', ['name', 'Live', 'Mine'], ['subtitle', '', 'Slow'], ['enabled', true, false]),
      modified('undone', ['name', 'Live', 'Mine']),
    ],
    removed: [entry('r')],
  };
  const now = {
    added: [entry('a'), entry('b')],
    modified: [
      modified('same', ['name', 'Live', 'Mine']),
      modified('more', ['name', 'Live', 'Theirs'], ['enabled', true, false]),
      modified('new', ['name', 'Live', 'Theirs']),
    ],
    removed: [entry('undone')],
  };
  assert.deepEqual(foreignEdits(shown, now), {
    made: {
      added: [entry('b')],
      modified: [
        modified('more', ['name', 'Mine', 'Theirs'], ['subtitle', 'Slow', '']),
        modified('new', ['name', 'Live', 'Theirs']),
      ],
      removed: [entry('undone')],
    },
    undone: [entry('r')],
  });
});
