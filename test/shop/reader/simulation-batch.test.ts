/** Batches: each request judged by itself, and a bound on what all answers come to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedText } from '../../../src/base/bytes/answer-text.ts';
import { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import { conflict, invalid, type Outcome, success } from '../../../src/engine/domain/failure.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { answerBatch, BATCH_ANSWER_BYTES_MAX, readBatch } from '../../../src/shop/reader/simulation-batch.ts';

const CART: SimulateRequest = {
  destination: { country: 'US' },
  items: [{ quantity: 1, grams: 1, price: 1 }],
};
const check = compileSchema(SimulateRequest);

interface Answers {
  readonly answers: readonly { readonly error?: { readonly code: string; readonly message: string } }[];
}
const answersOf = (made: Outcome<readonly string[]>): Answers['answers'] => {
  assert.ok(made.ok);
  return (JSON.parse(joinedText(made.value)) as Answers).answers;
};

test('answers of more than the bound come before errors, and the request that passes it is answered', () => {
  const half = 'x'.repeat(BATCH_ANSWER_BYTES_MAX / 2);
  let asked = 0;
  const simulate = () => {
    asked++;
    return success([`{"half":"`, half, '"}']);
  };
  const answers = answersOf(answerBatch(readBatch([CART, CART, CART, {}, CART], check, false), simulate));
  assert.equal(asked, 2);
  const messages = answers.map(({ error }) => error?.message ?? '');
  assert.match(messages[2] ?? '', /^the answers to the requests before come to 32 MiB/);
  assert.deepEqual(messages.slice(0, 2), ['', '']);
  assert.match(messages[3] ?? '', /^\/destination is required/);
  assert.equal(messages[4], messages[2]);
});

test('the refusal of one request is its answer; a refusal of all requests refuses the batch', () => {
  const requests = readBatch([CART, CART], check, false);
  const refuseOne = answersOf(answerBatch(requests, () => invalid('ü')));
  assert.deepEqual(refuseOne[1], { error: { code: 'VALIDATION_ERROR', message: 'ü' } });
  const none = conflict('no staging changeset is active');
  assert.equal(
    answerBatch(requests, () => none),
    none,
  );
});
