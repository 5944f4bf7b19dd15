/** The bounds on the structure of a body: exact at their edges, whatever the chunks in which the body arrives. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Failure } from '../../../src/domain/failure.ts';
import {
  ELEMENTS_MAX,
  FIELDS_MAX,
  findBoundDefect,
  JsonBounds,
  NESTING_MAX,
  parseJsonBody,
  TEXT_BYTES_MAX,
} from '../../../src/http/body/json-body.ts';

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

  test('fields of one object: 10,000 pass, one more does not', () => {
    const object = (fields: number) => `{${Array.from({ length: fields }, (_, at) => `"${at}":","`).join()}}`;
    assert.equal(FIELDS_MAX, 10_000);
    assert.equal(messageOf(object(FIELDS_MAX)), null);
    assert.equal(messageOf(`[${object(FIELDS_MAX)},${object(FIELDS_MAX)}]`), null);
    const message = 'an object in the body must have at most 10,000 fields';
    assert.equal(messageOf(object(FIELDS_MAX + 1)), message);
    assert.equal(messageOf(`{"a":[1,2,${object(FIELDS_MAX + 1)}]}`), message);
  });

  test('elements of one array: 1,000,000 pass, one more does not', () => {
    const array = (elements: number) => `[${'[],'.repeat(elements - 1)}[]]`;
    assert.equal(ELEMENTS_MAX, 1_000_000);
    assert.equal(messageOf(array(ELEMENTS_MAX)), null);
    const message = 'an array in the body must have at most 1,000,000 elements';
    assert.equal(messageOf(array(ELEMENTS_MAX + 1)), message);
    assert.equal(messageOf(`{"a":1,"b":${array(ELEMENTS_MAX + 1)}}`), message);
  });
});

test('a text may have the bytes of the longest field written in escapes, wherever the body is divided', () => {
  const body = (length: number) =>
    Buffer.from(`{"a":"${'x'.repeat(9)}","b":["${'x'.repeat(length - 2)}\\n"],"c":"x"}`);
  const fits = body(TEXT_BYTES_MAX);
  const exceeds = body(TEXT_BYTES_MAX + 1);
  const end = fits.length - '"],"c":"x"}'.length;
  for (const cuts of [[], [7], [100_000, 3_000_000], [end - 1], [end], [end + 1]]) {
    const chunks = (bytes: Buffer) =>
      [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
    assert.equal(checkChunks(chunks(fits)), null);
    assert.match(
      checkChunks(chunks(exceeds))?.message ?? '',
      /^a text in the body must be at most 6,291,456 bytes$/,
    );
  }
});
