/** Compares one answer of the compiled evaluator with the reference evaluator. */
import assert from 'node:assert/strict';
import { joinedText } from '../../src/base/bytes/answer-text.ts';
import type { CompiledShop } from '../../src/engine/compile/compiled-shop.ts';
import type { Outcome } from '../../src/engine/domain/failure.ts';
import { evaluate, evaluateToParts } from '../../src/engine/evaluate/evaluate.ts';
import { referenceSimulate } from './reference/simulate.ts';
import type { ShopCart } from './shop-arbitraries.ts';

const ASCII = /^[\x20-\x7e]*$/;

/** Escapes by the characters that they replace; shops and carts have few different ones. */
const escapes = new Map<string, string>();

function escapesOf(units: string): string {
  const known = escapes.get(units);
  if (known !== undefined) return known;
  const text = Array.from(
    { length: units.length },
    (_, at) => `\\u${units.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
  escapes.set(units, text);
  return text;
}

/** JSON in ASCII, the expected form of the compiled evaluator. */
const asciiText = (value: unknown): string => JSON.stringify(value).replace(/[^\x20-\x7e]+/g, escapesOf);

/** `fields=rates` answers the same bytes up to the end of the rates, and refuses the same. */
function assertSameRates(shop: CompiledShop, { request, nowMs }: ShopCart, full: Outcome<string>): void {
  const rates = evaluateToParts(shop, request, nowMs, 'rates');
  if (!rates.ok || !full.ok) assert.deepEqual(rates, full);
  else assert.equal(joinedText(rates.value), `${full.value.split('],"methodEvaluations":')[0]}]}`);
}

/** Same status and, for 200, the same JSON: every value, and the fields in the same order. The text is ASCII. */
export function assertSameAnswer(shop: CompiledShop, { request, nowMs }: ShopCart): void {
  const expected = referenceSimulate(shop.config, shop.settings, request, nowMs);
  const actual = evaluate(shop, request, nowMs);
  assertSameRates(shop, { request, nowMs }, actual);
  if (!actual.ok) {
    assert.equal(actual.code, 'VALIDATION_ERROR');
    assert.equal(expected.status, 400, `refused: ${actual.message}`);
    return;
  }
  assert.equal(expected.status, 200, 'answered, but an amount is beyond 2^53-1 or a date after 9999-12-31');
  const answer = expected.status === 200 ? expected.answer : null;
  if (actual.value === asciiText(answer)) return;
  // First by value, which shows a difference well; then the order of fields; the spelling of an escape is free.
  const parsed: unknown = JSON.parse(actual.value);
  assert.deepEqual(parsed, answer);
  assert.equal(JSON.stringify(parsed), JSON.stringify(answer));
  assert.match(actual.value, ASCII);
}
