/**
 * The rules of the contract stand by number in `src/engine/domain/README.md`: a number has one meaning there, and each number
 * that a comment names can be looked up.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPE_NAMES } from '../../src/engine/domain/condition.ts';
import { RULE_ACTIONS } from '../../src/engine/domain/rule.ts';
import { BLENDED_REASONS, METHOD_REASONS } from '../../src/engine/wire/answer.ts';
import { documentPaths, readText } from './project-files.ts';
import { scanSource, sourceFilesBelow } from './source-file.ts';

const RULES = 'src/engine/domain/README.md';
const rules = readText(RULES);

/** Sections are headings (`## 5. Simulation`), points are list items that open with their number (`- **5.3** ...`). */
const numbersIn = (text: string): string[] =>
  [...text.matchAll(/^(?:## (\d+)\. |- \*\*(\d+\.\d+)\*\* )/gm)].map(
    ([, section, point]) => section ?? point ?? '',
  );

const numbers = numbersIn(rules);

/** The text of comments without the marks that open their lines, so that a wrapped sentence is one line. */
const sentences = (remarks: string): string => remarks.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ');

const LIST = String.raw`\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*`;
const REFERENCE = new RegExp(String.raw`\b[Cc]ontract sections? (${LIST})(?:, "([^"]+)")?`, 'g');

/** A number that looks like one of the contract's and is named in another form. Those of an RFC are not meant. */
const OTHER_FORM =
  /(?<!\b[Cc]ontract )(?<!\bRFC \d+, )\b[Ss]ections? \d|\b[Cc]ontract,? \(?\d|\b[Pp]oints? \d/g;

interface Reference {
  readonly path: string;
  readonly numbers: readonly string[];
  readonly heading: string | undefined;
}

const referencesIn = (path: string, text: string): Reference[] =>
  [...text.matchAll(REFERENCE)].map(([, list = '', heading]) => ({
    path,
    numbers: list.split(/, | and | to /),
    heading,
  }));

const comments = ['src', 'test', 'bench']
  .flatMap(sourceFilesBelow)
  .map(({ path, remarks }) => ({ path, text: sentences(remarks) }));

const texts = [
  ...comments,
  ...documentPaths().map((path) => ({ path, text: readText(path).replace(/\n */g, ' ') })),
];

test('the sections of the rules count from 1, and no number stands twice', () => {
  const sections = numbers.filter((number) => !number.includes('.'));
  assert.ok(sections.length >= 10);
  assert.deepEqual(
    sections,
    sections.map((_, at) => String(at + 1)),
  );
  assert.deepEqual(
    numbers.filter((number, at) => numbers.indexOf(number) !== at),
    [],
  );
});

test('a point of the rules stands in the section whose number it begins with', () => {
  let section = '';
  const astray = numbers.filter((number) => {
    if (!number.includes('.')) section = number;
    return !`${number}.`.startsWith(`${section}.`);
  });
  assert.deepEqual(astray, []);
  assert.ok(numbers.includes('4.5') && numbers.includes('5.3'));
});

test('every number of the contract that a comment or document names is in the rules', () => {
  const references = texts.flatMap(({ path, text }) => referencesIn(path, text));
  assert.ok(references.length > 100, `${references.length} references`);
  const unknown = references.flatMap((reference) =>
    reference.numbers
      .filter((number) => !numbers.includes(number))
      .map((number) => `${reference.path}: ${number}`),
  );
  assert.deepEqual(unknown, []);
});

test('every heading of the contract that a comment names beside a section is in that section', () => {
  const sectionText = (number = ''): string =>
    rules.split(/^(?=## )/m).find((part) => part.startsWith(`## ${number}.`)) ?? '';
  const named = texts.flatMap(({ path, text }) => referencesIn(path, text)).filter(({ heading }) => heading);
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((each) => !sectionText(each.numbers[0]).includes(`\n### ${each.heading}\n`)),
    [],
  );
});

test('a comment names a section of the contract in one form: "contract section 5.3"', () => {
  const others = comments.flatMap(({ path, text }) =>
    [...text.matchAll(OTHER_FORM)].map(({ index }) => `${path}: ${text.slice(index - 30, index + 30)}`),
  );
  assert.deepEqual(others, []);
  const bad = ['(section 7)', 'contract (section 3)', 'contract 5.3', 'section 5, points 3 to 5', 'point 7'];
  for (const text of bad) assert.notDeepEqual([...text.matchAll(OTHER_FORM)], [], text);
  const wrapped = sentences(scanSource('test/x.ts', '/**\n * A (contract\n * section 4.5).\n */').remarks);
  assert.deepEqual(referencesIn('', wrapped)[0]?.numbers, ['4.5']);
  for (const text of [wrapped, 'contract sections 1, 3 and 6 to 8', 'RFC 9110, section 8.8']) {
    assert.deepEqual([...text.matchAll(OTHER_FORM)], [], text);
  }
});

test('the rules name every scope, every action and every reason', () => {
  const names = [...SCOPE_NAMES, ...RULE_ACTIONS, ...METHOD_REASONS, ...BLENDED_REASONS];
  assert.deepEqual(
    names.filter((name) => !rules.includes(`\`${name}\``)),
    [],
  );
});
