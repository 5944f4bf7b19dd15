/** The table of a bisect. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bisectLines } from '../../../src/front/command-line/bisect-command.ts';

const version = (number: number, keyLabel: string | null) => ({
  id: `version_${number}`,
  number,
  createdAt: '2026-11-24T09:30:00.000Z',
  createdBy: 'user' as const,
  keyId: keyLabel === null ? null : 'key_a',
  keyLabel,
  description: '',
  batchId: null,
  changes: { added: 0, modified: 1, removed: 0 },
});
const diff = { added: [], modified: [], removed: [] };
const ends = { from: version(1, null), to: version(9, 'Ann'), evaluated: 4, limited: false };

test('each change is a row with the version, its time, its author, and the rates before and after', () => {
  const flips = [
    { version: version(3, 'Ann'), before: [], after: [{ serviceCode: 'post', totalPrice: 500 }], diff },
    { version: version(7, null), before: [{ serviceCode: 'post', totalPrice: 500 }], after: [], diff },
  ];
  assert.deepEqual(bisectLines({ ...ends, flips }, 'USD'), [
    'version  when                      by          before               after',
    '3        2026-11-24T09:30:00.000Z  Ann (user)  no rate              post 5.00 USD (500)',
    '7        2026-11-24T09:30:00.000Z  user        post 5.00 USD (500)  no rate',
    '',
    '2 changes between version 1 and version 9; 4 versions evaluated',
  ]);
});

test('one change and one version are counted in the singular', () => {
  const flips = [
    { version: version(9, null), before: [], after: [{ serviceCode: 'post', totalPrice: 500 }], diff },
  ];
  assert.equal(
    bisectLines({ ...ends, evaluated: 1, flips }, 'USD').at(-1),
    '1 change between version 1 and version 9; 1 version evaluated',
  );
});

test('without a change there is one line', () => {
  assert.deepEqual(bisectLines({ ...ends, flips: [] }, 'USD'), [
    'No change between version 1 and version 9; 4 versions evaluated',
  ]);
});
