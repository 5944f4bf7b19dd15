import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readJsonInput } from '../../../src/front/command-line/json-input.ts';
import { readPlans } from '../../../src/front/command-line/plan-file.ts';

/** A file with this content while the test runs. */
function fileOf(context: TestContext, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-input-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'file.json');
  writeFileSync(path, content);
  return path;
}

test('a JSON file is read up to its maximum size', async (context) => {
  const text = JSON.stringify({ name: 'ü'.repeat(100_000) });
  const bytes = Buffer.byteLength(text);
  assert.deepEqual(await readJsonInput(fileOf(context, text), bytes), JSON.parse(text));
  await assert.rejects(readJsonInput(fileOf(context, text), bytes - 1), /has more than \d+ bytes/);
});

test('a file that is missing, not JSON or not UTF-8 is refused by name', async (context) => {
  await assert.rejects(readJsonInput('absent.json', 10), /absent\.json cannot be read/);
  await assert.rejects(readJsonInput(fileOf(context, '{'), 10), /file\.json is not JSON/);
  await assert.rejects(
    readJsonInput(fileOf(context, Uint8Array.of(0x22, 0xff, 0x22)), 10),
    /file\.json is not text in UTF-8: save it as JSON or CSV in UTF-8/,
  );
});

test('a text in UTF-16 with a mark is read; without one, and as a spreadsheet, a file is refused with what to do', async (context) => {
  const text = '{"name": "Größe"}';
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16()]) {
    assert.deepEqual(await readJsonInput(fileOf(context, bytes), 1_000), { name: 'Größe' });
  }
  const refused: readonly [Uint8Array, RegExp][] = [
    [
      Buffer.from('{"a": 1}', 'utf16le'),
      /is UTF-16 without a mark, or no text: save it as JSON or CSV in UTF-8/,
    ],
    [Buffer.from('504b030414000600', 'hex'), /is a spreadsheet: save it as JSON or CSV in UTF-8/],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /is a spreadsheet/],
  ];
  for (const [bytes, why] of refused) {
    await assert.rejects(readJsonInput(fileOf(context, bytes), 1_000), why);
  }
});

test('plans are read from the package, or from the file in the setting', (context) => {
  const plans = readPlans({ plansPath: null });
  assert.equal(plans['starter']?.methods, 20);
  const own = { only: { ...plans['starter'], methods: null } };
  assert.deepEqual(readPlans({ plansPath: fileOf(context, JSON.stringify(own)) }), own);
});

test('an invalid plan file is refused, and the message names the defect', (context) => {
  const refuses = (plansPath: string, what: RegExp) => assert.throws(() => readPlans({ plansPath }), what);
  refuses('absent.json', /^CommandError: RATEWRIGHT_PLANS: plan file absent\.json cannot be read/);
  refuses(fileOf(context, 'root:x:0:0'), /^CommandError: RATEWRIGHT_PLANS: plan file \S+ is not JSON$/);
  refuses(fileOf(context, '{"starter": {"methods": -1}}'), /^CommandError: RATEWRIGHT_PLANS: .*starter/);
});
