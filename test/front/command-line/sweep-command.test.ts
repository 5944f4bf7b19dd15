/** The table of a price curve. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandInput } from '../../../src/front/command-line/command.ts';
import { command, curveLines } from '../../../src/front/command-line/sweep-command.ts';
import { readSettings } from '../../../src/front/settings.ts';

const rate = (totalPrice: number) => [{ serviceCode: 'parcel', serviceName: 'Parcel', totalPrice }];

test('a curve is listed by segment', () => {
  const segments = [
    { from: 0, to: 2_999, rates: rate(490) },
    { from: 3_000, to: 4_499, rates: [] },
    { from: 4_500, to: 6_000, rates: rate(0) },
  ];
  const lines = curveLines({ vary: 'cart_total', segments, limited: false }, 'EUR');
  assert.deepEqual(
    lines,
    [
      'from               to                 rates',
      '0.00 EUR (0)       29.99 EUR (2999)   parcel 4.90 EUR (490)',
      '30.00 EUR (3000)   44.99 EUR (4499)   no rate',
      '45.00 EUR (4500)   60.00 EUR (6000)   parcel 0.00 EUR (0)',
    ].map((line) => line.replace(/ {3}(?=\S)/g, '  ')),
  );
});

test('a cut curve says so, and pieces and grams have their unit', () => {
  const curve = { segments: [{ from: 1, to: 9, rates: rate(5) }], limited: true };
  const lines = curveLines({ ...curve, vary: 'quantity' }, 'JPY');
  assert.match(lines.at(-2) ?? '', /^1 pieces {2}9 pieces {2}parcel 5 JPY/);
  assert.match(lines.at(-1) ?? '', /^The curve goes on: /);
  assert.match(curveLines({ ...curve, vary: 'cart_weight' }, 'JPY').join('\n'), /1 g {2,}9 g/);
});

test('options are checked before the cart is read, and a missing one is named', async () => {
  const run = (...args: string[]) =>
    command.run(new CommandInput(command, ['no-such-file', ...args], readSettings({})));
  await assert.rejects(run('--to', '9'), /^CommandError: --from NUMBER is missing$/);
  await assert.rejects(run('--from', '1', '--to', 'x'), /^CommandError: --to must be a whole number$/);
  await assert.rejects(run('--from', '1', '--to', '9'), /no-such-file cannot be read/);
});
