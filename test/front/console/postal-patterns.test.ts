/** Postal patterns as they are typed: separators, faults, and what each covers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  patternFault,
  patternsOf,
  patternText,
  splitPatterns,
  wholeCover,
} from '../../../src/front/console/zones/postal-patterns.ts';
import { postalTrial } from '../../../src/front/console/zones/postal-trial.ts';
import { usStates } from '../../../src/front/console/zones/us-states.ts';

test('patterns end at commas, semicolons, line breaks, and at spaces that are in no code of the countries', () => {
  const cases: readonly (readonly [countries: string, typed: string, patterns: readonly string[]])[] = [
    ['DE', '25845, 25846;25847\n25848\t25849', ['25845', '25846', '25847', '25848', '25849']],
    ['DE', '25845 25846', ['25845', '25846']],
    ['DE', '25845 – 25849 25900—25999 259*', ['25845-25849', '25900-25999', '259*']],
    ['DE', '25845 \u2212 25849', ['25845-25849']],
    ['GB', 'SW1A 1AA SW1A 2AA', ['SW1A 1AA', 'SW1A 2AA']],
    ['GB', 'SW1A SW1B, PA20-PA49 PA6 *', ['SW1A', 'SW1B', 'PA20-PA49', 'PA6 *']],
    ['CZ', '110 00 120 00', ['110 00', '120 00']],
    ['NL', '1012 AB 1012 AC', ['1012 AB', '1012 AC']],
    ['US', '97330-1234 97331', ['97330-1234', '97331']],
    ['PL', '00-950 00-951', ['00-950', '00-951']],
    ['*', '25845 25846', ['25845', '25846']],
    ['DE', '25845 bis 25849, 25900 to 25999', ['25845-25849', '25900-25999']],
    ['DE', '27498/18565', ['27498', '18565']],
    ['DE AT CH', 'D-25845 DE-25846; A-6020, CH-3000', ['25845', '25846', '6020', '3000']],
    ['DE', 'D-25845 bis D-25849', ['25845-25849']],
    ['DE', 'DE 25845', ['25845']],
    ['LV', 'LV-1010', ['LV-1010']],
    ['NL', '1012 NL 1013 AB', ['1012 NL', '1013 AB']],
    // The sign of a country that the zone does not have is an error.
    ['AT', 'D-25845', ['D-25845']],
    // What cannot be read stays whole, for the error.
    ['DE', '25845 nonsense', ['25845 nonsense']],
    ['DE', ' , ; ', []],
  ];
  for (const [countries, typed, patterns] of cases)
    assert.deepEqual(splitPatterns(countries.split(' '), typed), patterns, typed);
});

test('a reversed range, a code that no country of the zone writes and an unreadable text are faults', () => {
  assert.equal(patternFault(['DE'], '25845-25849'), null);
  assert.match(patternFault(['DE'], '25849-25845') ?? '', /ends before it begins: write 25845-25849$/);
  assert.match(
    patternFault(['DE'], '2584') ?? '',
    /^no postal code of Germany matches “2584”: 5 digits there$/,
  );
  assert.match(patternFault(['GB'], '12345') ?? '', /codes there look like /);
  assert.match(patternFault(['DE'], '1000-20000') ?? '', /different lengths/);
  assert.match(patternFault(['DE'], '9*7') ?? '', /has a \* that is not at its end/);
  assert.match(patternFault(['DE', 'FR'], '6020') ?? '', /^no postal code of Germany and France /);
  assert.equal(patternFault(['DE', 'AT'], '6020'), null);
  // Any country, or none yet.
  assert.equal(patternFault(['*'], '6020'), null);
  assert.equal(patternFault([], '6020'), null);
  const { patterns, faults } = patternsOf(['AT'], '6020, , 97*, 25845');
  assert.deepEqual([patterns, [...faults.keys()]], [['6020', '97*', '25845'], [2]]);
});

test('a pattern says what it covers', () => {
  assert.equal(patternText(['DE'], '25845'), '25845');
  assert.equal(patternText(['DE'], '25845-25849'), '25845-25849: 5 codes');
  assert.equal(patternText(['DE'], '25845-25845'), '25845-25845: 1 code');
  assert.equal(patternText(['DE'], '258*'), '258*: 100 codes');
  assert.equal(patternText(['DE', 'AT'], '258*'), '258*: codes that begin with 258');
  assert.equal(patternText(['GB'], 'SW1*'), 'SW1*: codes that begin with SW1');
  assert.equal(patternText(['GB'], 'PA20-PA49'), 'PA20-PA49: 30 districts');
  assert.equal(patternText(['NL'], '1000-1099'), '1000-1099: 100 numbers');
  assert.equal(patternText(['US'], '*'), '*: every code');
});

test('a pattern that takes the whole zone is told from others', () => {
  assert.equal(wholeCover(['DE'], '*'), 'every code of the zone');
  assert.equal(wholeCover(['DE'], '00000-99999'), 'every code of the zone');
  assert.equal(wholeCover(['DE'], '01000-99999'), 'nearly every code of the zone');
  assert.equal(wholeCover(['DE', 'AT'], '00000-99999'), 'every code of Germany');
  for (const text of ['25845-25849', '2*', '25845', 'nonsense*x']) assert.equal(wholeCover(['DE'], text), '');
  assert.match(patternFault(['DE'], '25845 through 25849') ?? '', /Write codes such as .* ranges such as /);
});

test('the ZIP codes of states are patterns without a fault, and each is in its state alone', () => {
  const states = usStates();
  assert.equal(states.length, 51);
  for (const { name, postalCodes } of states)
    assert.deepEqual([...patternsOf(['US'], postalCodes).faults.values()], [], name);
  const find = postalTrial('US', states);
  const stateOf = (code: string): string | undefined => states[find(code).by?.subzone ?? -1]?.code;
  const known = { '99501': 'AK', '96813': 'HI', '06390': 'NY', '20001': 'DC', '73301': 'TX', '83414': 'WY' };
  for (const [code, state] of Object.entries(known)) assert.equal(stateOf(code), state);
  assert.equal(stateOf('00601'), undefined);
});
