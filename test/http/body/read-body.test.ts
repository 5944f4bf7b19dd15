/** A long body is read in slices, with the same value or the same refusal as if it were read at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ITEMS_MAX_DEFAULT } from '../../../src/domain/cart.ts';
import { invalid, type Outcome, success } from '../../../src/domain/failure.ts';
import { digestRequest, parseJsonBody, readLongBodySteps } from '../../../src/http/body/json-body.ts';
import { RequestHead } from '../../../src/http/request-head.ts';
import { bodyRow } from '../../../src/http/route.ts';
import { finishSteps, NEVER, type ShouldYield } from '../../../src/pace/work-steps.ts';
import { configActionSchema } from '../../../src/wire/write-bodies.ts';
import { runUnderSchedules } from '../../support/yield-schedules.ts';

const row = bodyRow({ schema: configActionSchema(ITEMS_MAX_DEFAULT), examples: {}, defectsShown: 20 });
const FORBIDDEN = invalid('not for you');
const forbidden = (value: unknown) =>
  (value as { readonly action?: unknown } | null)?.action === 'forbidden' ? FORBIDDEN : null;

function atOnce(bytes: Buffer): Outcome<unknown> {
  const parsed = parseJsonBody(bytes);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const refusal = forbidden(value);
  if (refusal !== null) return refusal;
  return row.check.check(value) ? success({ value }) : row.check.failure(value, row.defectsShown);
}

function inSteps(bytes: Buffer, cut: number): Outcome<unknown> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += cut) parts.push(bytes.subarray(at, at + cut));
  const read = finishSteps(readLongBodySteps({ row, forbidden }, parts, new RequestHead(), NEVER));
  if (!read.ok) return read;
  const { value, text, digest } = read.value;
  assert.equal(digest, digestRequest(new RequestHead(), bytes));
  assert.ok(typeof text === 'object' && text !== null && bytes.equals(text));
  return success({ value });
}

function assertSame(bytes: Buffer, cut = 100_000): Outcome<unknown> {
  const [expected, made] = [atOnce(bytes), inSteps(bytes, cut)];
  assert.ok(isDeepStrictEqual(made, expected), JSON.stringify([made, expected]).slice(0, 500));
  return made;
}

const method = (at: number, more: object = {}) => ({
  id: `method_${at}`,
  name: `Méthode ${at}`,
  zoneId: 'zone_a',
  rateType: 'flat',
  config: { price: at },
  rules: [{ action: 'hide', conditions: [{ conditionType: 'cart_total', operator: 'equals', value: '1' }] }],
  ...more,
});

const document = (methods: readonly unknown[], more: object = {}): string =>
  JSON.stringify({
    action: 'execute',
    data: { methods, zones: [{ name: 'A', countries: ['US'] }] },
    ...more,
  });

const methods = Array.from({ length: 3_000 }, (_, at) => method(at));

test('a long body reads the same in slices as at once', () => {
  const bytes = Buffer.from(document(methods));
  assert.ok(assertSame(bytes).ok);
  for (const cut of [1_000, 65_537, bytes.length]) assertSame(bytes, cut);
});

test('the refusal of a long body names the same defects as if it were checked at once', () => {
  const wrong = fc.constantFrom<object>(
    { name: 3 },
    { colour: 'red' },
    { rules: [{ action: 'vanish' }] },
    { rules: Array.from({ length: 400 }, (_, at) => ({ action: at === 399 ? 'no' : 'hide' })) },
    { rules: {} },
    { zoneId: 'not an id' },
    { config: null },
    { subtitle: 'x'.repeat(600) },
    { rateType: undefined },
  );
  const property = fc.property(
    fc.array(fc.tuple(fc.nat(methods.length - 1), wrong), { minLength: 1, maxLength: 4 }),
    fc.constantFrom<object>({}, { extra: 1 }, { action: 'forbidden' }, { action: 'x' }, { data: [] }),
    (places, more) => {
      const changed: unknown[] = [...methods];
      for (const [at, fields] of places) changed[at] = method(at, fields);
      assert.equal(assertSame(Buffer.from(document(changed, more))).ok, false);
    },
  );
  fc.assert(property, { numRuns: 25 });
});

test('invalid JSON, invalid UTF-8 or a byte order mark is refused with the message of a short body', () => {
  const whole = document(methods);
  const property = fc.property(fc.nat(whole.length), fc.constantFrom('', '"', '}', ',', 'é'), (at, put) => {
    assertSame(Buffer.from(whole.slice(0, at) + put + whole.slice(at + 1)));
  });
  fc.assert(property, { numRuns: 25 });
  const bytes = Buffer.from(whole);
  for (const at of [0, 65_535, 65_536, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = 0xc3;
    assertSame(damaged);
    damaged[at] = 0xff;
    assertSame(damaged);
  }
  assertSame(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]));
});

test('reading may yield after each piece, whichever part of the body is long, with the same result', () => {
  const many = methods.slice(0, 50).map((one) => ({ ...one, rules: Array(200).fill(one.rules[0]) }));
  const text = 'é'.repeat(300_000);
  const bytes = Buffer.from(
    document(many, { data: { methods: many, zones: [{ name: text, countries: [] }] } }),
  );
  const { questions } = runUnderSchedules(function* (shouldYield: ShouldYield) {
    const parts = [Buffer.from(bytes)];
    const read = yield* readLongBodySteps({ row, forbidden }, parts, new RequestHead(), shouldYield);
    return read.ok ? read.value.value : read;
  });
  // It is copied in pieces of 64 KiB, parsed in pieces of 16 KiB except for the long text, and checked rule by rule.
  const pieces = bytes.length / 65_536 + (bytes.length - Buffer.byteLength(text)) / 16_384;
  assert.ok(questions >= pieces + 50 * 200, `${questions} questions`);
});
