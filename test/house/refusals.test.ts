/** What an operator reads about refusals: every exit code, and every message of a 429 or 503. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT_CODES } from '../../src/front/command-line/exit-code.ts';
import { readText } from './project-files.ts';
import { sourceFilesBelow } from './source-file.ts';

const PAGE = readText('data/deploy/README.md');
const MESSAGE = /\b(?:rateLimited|unavailable)\(\s*(?:'([^']+)'|`([^`]+)`)/g;

/** The longest part of a message that is the same in each. */
const fixedPart = (message: string): string =>
  message.split(/\$\{[^}]*\}/).reduce((longest, part) => (part.length > longest.length ? part : longest));

test('data/deploy/README.md has each exit code', () => {
  for (const code of Object.values(EXIT_CODES)) assert.match(PAGE, new RegExp(`^\\| ${code} +\\|`, 'm'));
});

test('data/deploy/README.md has the message of each 429 and 503, in a table that says what it means', () => {
  const messages = sourceFilesBelow('src').flatMap(({ text }) =>
    [...text.matchAll(MESSAGE)].map(([, plain, template]) => plain ?? (template as string)),
  );
  assert.ok(messages.length > 5);
  assert.deepEqual(
    messages.filter((message) => !PAGE.includes(fixedPart(message))),
    [],
  );
});
