/** The bounds on the structure of a body: exact at their edges, whatever the chunks in which the body arrives. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Failure } from '../../../../src/engine/domain/failure.ts';
import {
  CONTAINERS_MAX,
  findBoundDefect,
  JsonBounds,
  NAMES_MAX,
  NESTING_MAX,
  parseJsonBody,
} from '../../../../src/front/http/body/json-body.ts';

/** Some names may count as one. */
const FEW = 20;

const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((most: number, one) => Math.max(most, levelsOf(one)), 0)
    : 0;

/** The failure of a text in these chunks, or null. */
function checkChunks(chunks: Iterable<Uint8Array>): Failure | null {
  const bounds = new JsonBounds();
  for (const chunk of chunks) {
    const defect = bounds.add(chunk);
    if (defect !== null) return defect;
  }
  return null;
}

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('[[[', '}{"', '\\', '\\"', '"]', ',,,', '\\\\"[', '\u{1f600}{'),
);
const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
/** Values whose nesting is a few levels below the bound up to a few levels above it. */
const nested = fc
  .tuple(
    fc.oneof(leaf, fc.jsonValue({ maxDepth: 3 })),
    fc.array(fc.tuple(fc.constantFrom('array', 'field', 'beside', 'behind'), text), {
      minLength: NESTING_MAX - 5,
      maxLength: NESTING_MAX + 3,
    }),
    fc.constantFrom(0, 1),
  )
  .map(([inner, wraps, space]) => {
    let value: unknown = inner;
    for (const [wrap, name] of wraps) {
      if (wrap === 'field') value = { [name]: value };
      else if (wrap === 'array') value = [value];
      else value = wrap === 'beside' ? [name, value, { [name]: [] }] : [{ a: [[name]] }, value];
    }
    return JSON.stringify(value, null, space);
  });
/** The same texts, damaged. */
const broken = fc
  .tuple(nested, fc.nat(), fc.constantFrom('', '"', '\\', '[', '{', ']', '}', ',', ':', '0'), fc.nat(2))
  .map(([json, place, put, cut]) => {
    const at = place % (json.length + 1);
    return json.slice(0, at) + put + json.slice(at + cut);
  });

test('a body is accepted exactly if JSON.parse accepts it and it is nested at most 64 levels deep', () => {
  let accepted = 0;
  let refused = 0;
  const property = fc.property(fc.oneof(nested, broken, fc.json()), (json) => {
    const bytes = Buffer.from(json);
    const read = parsed(bytes.toString());
    const isFit = read !== null && levelsOf(read.value) <= NESTING_MAX;
    assert.equal(parseJsonBody(bytes).ok, isFit, json);
    if (isFit) accepted++;
    else refused++;
  });
  fc.assert(property, { numRuns: 300 });
  assert.ok(accepted > 50 && refused > 50, `${accepted} accepted, ${refused} refused`);
});

test('the result is the same for every division of a body into chunks', () => {
  const bytewise = fc.property(fc.oneof(nested, broken), (json) => {
    const bytes = Buffer.from(json);
    const expected = findBoundDefect(bytes);
    // Every place in a short body, about 200 of a long one.
    const step = Math.ceil((bytes.length + 1) / 200);
    for (let at = 0; at <= bytes.length; at += step) {
      assert.equal(checkChunks([bytes.subarray(0, at), bytes.subarray(at)]), expected);
    }
    assert.equal(checkChunks(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
  });
  fc.assert(bytewise, { numRuns: 12 });
  const anywhere = fc.property(
    fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => bytes.map((byte) => Buffer.from('[]{}",\\a')[byte % 8] ?? 0)),
    fc.array(fc.nat(40), { maxLength: 5 }),
    (bytes, cuts) => {
      const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
      assert.equal(checkChunks(chunks), findBoundDefect(bytes));
    },
  );
  fc.assert(anywhere, { numRuns: 300 });
});

describe('edges', () => {
  const messageOf = (json: string): string | null => findBoundDefect(Buffer.from(json))?.message ?? null;

  test('64 levels of arrays, of objects or of both pass, closed or not; 65 do not', () => {
    const message = 'the body must be nested at most 64 levels deep';
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":', '}]'],
      [' [ 0 , ', ' ] '],
    ] as const) {
      const perUnit = open.includes('[{') ? 2 : 1;
      const units = NESTING_MAX / perUnit;
      assert.equal(messageOf(`${open.repeat(units)}0${close.repeat(units)}`), null);
      assert.equal(messageOf(open.repeat(units)), null);
      assert.equal(messageOf(`${open.repeat(units)}[]${close.repeat(units)}`), message);
      assert.equal(messageOf(`${open.repeat(units)}{`), message);
    }
    // Levels that were closed again do not count.
    assert.equal(
      messageOf(`[${`${'['.repeat(NESTING_MAX - 1)}${']'.repeat(NESTING_MAX - 1)},`.repeat(100)}0]`),
      null,
    );
  });

  test('arrays and objects: 500,000 pass, one more does not', () => {
    const array = (elements: number) => `[${'[],{},'.repeat((elements - 2) / 2)}[1],"[",{}]`;
    assert.equal(CONTAINERS_MAX, 500_000);
    const message = 'the body must have at most 500,000 arrays and objects';
    assert.equal(messageOf(`[${array(CONTAINERS_MAX - 2)}]`), null);
    assert.equal(messageOf(`[[${array(CONTAINERS_MAX - 2)}]]`), message);
  });

  test('different names of fields: 4,096 pass, some more do not, in one object or in many', () => {
    const named = (names: number, objects: number) =>
      `[${Array.from({ length: objects }, (_, one) => {
        const own = Array.from({ length: Math.ceil(names / objects) }, (_field, at) => one + at * objects);
        return `{${own
          .filter((at) => at < names)
          .map((at) => `"n\\"${at}" : [":"]`)
          .join()}}`;
      }).join()}]`;
    assert.equal(NAMES_MAX, 4_096);
    const message = 'the fields in the body must have at most 4,096 different names';
    for (const objects of [1, 7, 1_000]) {
      assert.equal(messageOf(named(NAMES_MAX, objects)), null);
      assert.equal(messageOf(named(NAMES_MAX + FEW, objects)), message);
    }
    // Each escape is a character of its own.
    const escapes = ['n', 't', 'r', 'b', 'f', '/', '\\', '"'].map((one) => `\\${one}`);
    const ofEscapes = Array.from({ length: NAMES_MAX + FEW }, (_, at) =>
      [0, 3, 6, 9, 12].map((bit) => escapes[(at >> bit) & 7]).join(''),
    );
    assert.equal(messageOf(`{${ofEscapes.map((name) => `"${name}":0`).join()}}`), message);
    const same = `{"a":1,"b":{"a":2}}`;
    assert.equal(messageOf(`[${Array(100_000).fill(same).join()}]`), null);
  });

  test('texts that are no names are not counted', () => {
    assert.equal(messageOf(JSON.stringify(Array.from({ length: 100_000 }, (_, at) => `${at}:`))), null);
  });
});

test('names are counted alike, wherever the body is divided', () => {
  const names = (count: number) =>
    Buffer.from(
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`é\\"${at}`, at]))),
    );
  for (const [bytes, isFit] of [
    [names(NAMES_MAX), true],
    [names(NAMES_MAX + FEW), false],
  ] as const) {
    for (const size of [1, 2, 3, 7, 1_000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      assert.equal(checkChunks(chunks) === null, isFit, `in chunks of ${size}`);
    }
  }
});
