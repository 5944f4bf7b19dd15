/** Mutants that no test can notice, because no answer depends on them: found by hand among those that survived. */
import type { Mutant } from './mutants.ts';

interface Harmless {
  /** Below dist/src. */
  readonly path: string;
  readonly from: string;
  /** Part of the line. */
  readonly on: string;
  readonly why: string;
}

const WORK = 'decides how long a step is, or where a request is answered';
const KEEPING = 'decides what is kept, not what it says';
const SHORTCUT = 'a shortcut that is not taken, or comes to the same';

const HARMLESS: readonly Harmless[] = [
  { path: 'change/apply.js', from: '1', on: 'replaced.length + removed.length', why: SHORTCUT },
  {
    path: 'change/compare.js',
    from: '<',
    on: 'behind < start + at',
    why: 'no two records stood in one place',
  },
  { path: 'change/method-index.js', from: '+', on: 'namedIn', why: SHORTCUT },
  { path: 'compile/compile-weight.js', from: '+', on: 'conditionUnits', why: WORK },
  { path: 'compile/compile-weight.js', from: '0', on: 'let units', why: WORK },
  { path: 'compile/compiled-method.js', from: '0', on: 'outcomeBits', why: KEEPING },
  { path: 'compile/compiled-zone.js', from: '1', on: 'const used', why: KEEPING },
  { path: 'compile/compiled-zone.js', from: '+', on: 'const used', why: KEEPING },
  {
    path: 'compile/owner-segments.js',
    from: '<',
    on: 'this.owners[a] < this.owners[b]',
    why: 'of one owner either will do',
  },
  { path: 'compile/postal-owners.js', from: '+', on: 'meter.spend', why: WORK },
  {
    path: 'compile/rate-function.js',
    from: '1',
    on: '>> 1',
    why: 'the tiers are then gone through one by one',
  },
  { path: 'compile/zone-size.js', from: '0', on: 'let reportingRules', why: WORK },
  { path: 'evaluate/cart-facts.js', from: '===', on: 'ANY_BEGINNING', why: SHORTCUT },
  { path: 'evaluate/item-facts.js', from: 'false', on: 'return false', why: SHORTCUT },
  { path: 'evaluate/method-evaluator.js', from: '-=', on: 'charactersLeft', why: KEEPING },
  { path: 'evaluate/method-evaluator.js', from: '<=', on: 'MAX_SAFE_INTEGER', why: KEEPING },
  { path: 'evaluate/method-evaluator.js', from: '0', on: 'const mayKeep', why: KEEPING },
  { path: 'evaluate/method-evaluator.js', from: '>', on: 'const mayKeep', why: KEEPING },
  { path: 'evaluate/method-evaluator.js', from: '>=', on: 'referencesLeft', why: KEEPING },
];

const isOf = (one: Harmless, { path, from, shown }: Mutant): boolean =>
  one.path === path && one.from === from && shown.includes(one.on);

/** Why no test can notice a mutant that survived; null when one should. */
export const whyHarmless = (mutant: Mutant): string | null =>
  HARMLESS.find((one) => isOf(one, mutant))?.why ?? null;

/** What is named here and is no mutant of the code any more. */
export const harmlessLeft = (mutants: readonly Mutant[]): readonly string[] =>
  HARMLESS.filter((one) => !mutants.some((mutant) => isOf(one, mutant))).map(
    ({ path, on }) => `${path}: ${on}`,
  );
