import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { readJsonSteps } from '../../src/bytes/json-reading.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { runUnderSchedules } from '../support/yield-schedules.ts';

const read = (text: string): unknown => finishSteps(readJsonSteps(Buffer.from(text), NEVER));

/** What both make of a text: the value, or the message without its excerpt of the text. */
function outcomeOf(make: (text: string) => unknown, text: string): unknown {
  try {
    return { value: make(text) };
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    const position = /position (\d+)/.exec(error.message)?.[1];
    return { position, kind: error.message.replace(/token .*|position .*/s, '') };
  }
}

const assertSame = (given: string): void => {
  // No half of a pair, which no bytes stand for.
  const text = Buffer.from(given).toString();
  const [made, expected] = [outcomeOf(read, text), outcomeOf(JSON.parse, text)];
  // Not `deepEqual`: to show how megabytes differ takes minutes.
  assert.ok(
    isDeepStrictEqual(made, expected),
    `${JSON.stringify([made, expected]).slice(0, 200)}, ${text.length} characters`,
  );
};

/** Values that are longer than a piece on every level, with all that texts can hold. */
const long = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.jsonValue(),
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constant('\\"\u{1f600}é'.repeat(40)),
      ),
      { minLength: 1, maxLength: 12 },
    ),
    fc.integer({ min: 1, max: 300 }),
    fc.constantFrom(0, 1, 2),
  )
  .map(([values, times, space]) => {
    const many = Array.from({ length: times }, (_, at) => values[at % values.length]);
    const fields = Object.fromEntries(
      many.map((value, at) => [`${at % 7 === 0 ? '__proto__' : 'é'}${at}`, value]),
    );
    const text = many.map((value) => JSON.stringify(value)).join('');
    return JSON.stringify({ many, nested: { fields, __proto__x: [[many]] }, text, last: [] }, null, space);
  });

describe('JSON in steps', () => {
  it('is what JSON.parse gives, for long and short texts', () => {
    fc.assert(
      fc.property(fc.oneof(long, fc.json()), (text) => assertSame(text)),
      { numRuns: 40 },
    );
  });

  it('refuses what JSON.parse refuses, with its message', () => {
    const broken = fc
      .tuple(
        long,
        fc.nat(),
        fc.constantFrom('', ',', ',,', '"', '}', ']', '{', '[', ':', '\\', '\n', 'x', '0', '0,', ' '),
        fc.nat(3),
      )
      .map(([text, place, put, cut]) => {
        const at = place % (text.length + 1);
        return text.slice(0, at) + put + text.slice(at + cut);
      });
    fc.assert(
      fc.property(broken, (text) => assertSame(text)),
      { numRuns: 100 },
    );
  });

  it('is refused with the same message for every kind of error', () => {
    const filler = JSON.stringify(Array.from({ length: 9_000 }, (_, at) => ({ at })));
    for (const body of [
      '',
      ' ',
      '1 2',
      '{"a":1} x',
      `{"a":${filler}`,
      `{"a":${filler},}`,
      `{"a":${filler} "b":1}`,
      `{"a":${filler},b:1}`,
      `{"a":${filler},"b" 1}`,
      `{"a":${filler},"b":}`,
      `{"é":${filler},"b":tru}`,
      `[${filler},]`,
      `[${filler} ${filler}]`,
      `[${filler}0,1]`,
      `{"a":${filler}0,"b":1}`,
      `${filler}0`,
      `[${filler}}`,
      `[,${filler}]`,
      `{,"a":${filler}}`,
      `["${'x'.repeat(70_000)}`,
      `["${'x'.repeat(70_000)}\n"]`,
      `["${'x'.repeat(70_000)}\\q"]`,
      `{"${'x'.repeat(70_000)}":1,"${'y'.repeat(70_000)}"}`,
      `${filler}${filler}`,
      `[${filler},,1]`,
      `[${filler},${filler},]`,
      `{"a":${filler},,"b":1}`,
      `[${filler},"é\u{1f600}"${filler}]`,
      `[${filler},tru]`,
      `[${filler},01]`,
      `[${filler},`,
      `{"a":${filler},"b`,
      `{"a":${filler},"b":`,
      `]${filler}`,
      `[${'1,'.repeat(70_000)}]`,
      `[${'1,'.repeat(70_000)},1]`,
      `[1${' '.repeat(70_000)},]`,
      `[${' '.repeat(70_000)}`,
    ]) {
      assert.throws(() => read(body), SyntaxError);
      assertSame(body);
    }
  });

  it('reads long texts whole, wherever their escapes and pairs stand', () => {
    for (const unit of ['\\\\', '\\"', '\\ud83d\\ude00', '\\u00e9x', '\u{1f600}', 'é', '\\\\\\"', 'ab\\n']) {
      for (let shift = 0; shift < 12; shift++) assertSame(`["${'.'.repeat(shift)}${unit.repeat(20_000)}"]`);
    }
  });

  it('reads numbers and halves of characters as JSON.parse does, and any white space between them', () => {
    const space = ' \t\r\n'.repeat(10_000);
    assertSame(
      `[-0,${space}1e400,12345678901234567890,1E-7${space},"\\ud800","\\udc00",{${space}},[${space}]]`,
    );
    assertSame(`{"a"${space}:${space}-0${space}}${space}`);
  });

  it('takes the last of fields with one name, as JSON.parse does', () => {
    const long = JSON.stringify('x'.repeat(20_000));
    assertSame(`{"a":1,"b":${long},"a":[${long}],"__proto__":${long},"2":0,"1":${long}}`);
  });

  it('may yield after each piece of 16 KiB, and reads the same wherever it yields', () => {
    const text = JSON.stringify({
      many: Array.from({ length: 50_000 }, (_, at) => ({ at, name: `record ${at}` })),
    });
    const { value, questions } = runUnderSchedules((shouldYield) =>
      readJsonSteps(Buffer.from(text), shouldYield),
    );
    assert.deepEqual(value, JSON.parse(text));
    assert.ok(questions >= Math.floor(text.length / 16_384), `${questions} questions`);
  });

  it('may yield within white space, wherever it stands', () => {
    const space = ' '.repeat(100_000);
    for (const text of [
      `${space}1`,
      `1${space}`,
      `[${space}1,${space}2${space}]`,
      `{"a"${space}:${space}1}`,
    ]) {
      const { value, questions } = runUnderSchedules((shouldYield) =>
        readJsonSteps(Buffer.from(text), shouldYield),
      );
      assert.deepEqual(value, JSON.parse(text));
      assert.ok(questions >= Math.floor(text.length / 16_384) - 3, `${questions} questions`);
    }
  });
});
