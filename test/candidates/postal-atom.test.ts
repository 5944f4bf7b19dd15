/** Postal atoms against every code of a small universe: what can meet, what covers, what can match. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  canMeet,
  covers,
  exampleCodes,
  isMatchable,
  matchesAtom,
  type PostalAtom,
} from '../../src/candidates/postal-atom.ts';
import { canonicalPostalCode, POSTAL_FORMS } from '../../src/domain/postal-code.ts';

const LETTERS = [...'012A'];
const upTo = (length: number): string[] =>
  length === 0 ? [''] : ['', ...upTo(length - 1).flatMap((rest) => LETTERS.map((letter) => letter + rest))];
/** Every code of up to five characters over four letters; long enough for two atoms of two characters. */
const CODES = [...new Set(upTo(5))].filter((code) => code !== '');

const TEXTS = ['', '0', '1', '2', 'A', '01', '10', '12', '1A', '22'];
const ATOMS: readonly PostalAtom[] = [
  ...TEXTS.map((prefix): PostalAtom => ({ kind: 'prefix', prefix })),
  ...TEXTS.slice(1).flatMap((text): PostalAtom[] => [
    { kind: 'exact', code: text },
    { kind: 'part', text },
    { kind: 'end', text },
  ]),
  ...['0-1', '1-2', '0-2', '10-12', '00-22', '01-10', '11-22', '12-20', '100-122'].map(
    (range): PostalAtom => {
      const [from = '', to = ''] = range.split('-');
      return { kind: 'range', from, to };
    },
  ),
];

describe('two postal atoms', () => {
  it('can meet when a code matches both, and one that covers another matches all of its codes', () => {
    const matched = ATOMS.map((atom) => new Set(CODES.filter((code) => matchesAtom(atom, code))));
    for (const [i, a] of ATOMS.entries()) {
      for (const [j, b] of ATOMS.entries()) {
        const [ofA, ofB] = [matched[i] as ReadonlySet<string>, matched[j] as ReadonlySet<string>];
        const words = `${JSON.stringify(a)} and ${JSON.stringify(b)}`;
        const common = [...ofA].some((code) => ofB.has(code));
        if (common) assert.ok(canMeet(a, b), words);
        // `canMeet` is exact for prefixes, ranges and exact codes.
        const isExact = [a, b].every(({ kind }) => kind !== 'part' && kind !== 'end');
        if (isExact && !(a.kind === 'range' && b.kind === 'range'))
          assert.equal(canMeet(a, b), common, words);
        if (covers(a, b))
          assert.ok(
            [...ofB].every((code) => ofA.has(code)),
            words,
          );
        if (a.kind === 'prefix' && b.kind === 'prefix') {
          assert.equal(
            covers(a, b),
            [...ofB].every((code) => ofA.has(code)),
            words,
          );
        }
      }
    }
  });
});

describe('a postal atom', () => {
  it('can be matched when a canonical code of the form matches it', () => {
    const written = [
      'PA6 7LN',
      'PA67 1AA',
      'PA',
      'W1 1AA',
      'SW1A 1AA',
      'PA6 7LNXY',
      '123456789',
      '12345',
      '1234',
    ];
    const prefixes = [
      ...['PA6 ', 'PA6 7', 'PA67', 'PA6 7LN', 'PA6 7LNX', 'P A', 'PA67 1', 'SW1A 1A', 'W 1', 'W1 1'],
      ...['PA 6 7'],
    ];
    const atoms: PostalAtom[] = [
      ...prefixes.map((prefix): PostalAtom => ({ kind: 'prefix', prefix })),
      { kind: 'range', from: '1234', to: '1235' },
      { kind: 'range', from: '12340', to: '12350' },
      { kind: 'range', from: '123456780', to: '123456790' },
    ];
    for (const form of POSTAL_FORMS) {
      for (const atom of atoms) {
        const isMatched = [...written, ...exampleCodes(form, atom)].some((code) =>
          matchesAtom(atom, canonicalPostalCode(form, code)),
        );
        // In the other forms a prefix with a space is not canonical, so it does not occur.
        if (form === 'uk' || atom.kind === 'range')
          assert.equal(isMatchable(form, atom), isMatched, `${form} ${JSON.stringify(atom)}`);
      }
    }
  });
});
