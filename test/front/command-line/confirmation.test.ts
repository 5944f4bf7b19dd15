import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { confirm } from '../../../src/front/command-line/confirmation.ts';

/** What a terminal at which `typed` is typed shows; an empty text is the end of the input. */
async function answered(typed: string): Promise<{ shown: string; refused: unknown }> {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  input.end(typed);
  const refused = await confirm('Delete it?', 'shop_a', { input, output }).catch((error: unknown) => error);
  return { shown: String(output.read()), refused };
}

test('only the requested word confirms', async () => {
  assert.deepEqual(await answered('shop_a\n'), {
    shown: 'Delete it? Type shop_a to go on: ',
    refused: undefined,
  });
  for (const typed of ['y\n', 'yes\n', 'shop_ab\n', '\n', '']) {
    const { refused } = await answered(typed);
    assert.ok(refused instanceof Error, JSON.stringify(typed));
    assert.deepEqual(
      [refused.message, (refused as { exitCode?: unknown }).exitCode],
      ['nothing is changed', 1],
    );
  }
});

test('without a terminal nothing is asked', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end('shop_a\n');
  await assert.rejects(confirm('Delete it?', 'shop_a', { input, output }), {
    exitCode: 64,
    message: /--yes/,
  });
  assert.equal(output.read(), null);
});
