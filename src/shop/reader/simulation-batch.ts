/**
 * A batch of simulations (contract section 10): each request is checked and answered separately. Its answer is that of
 * a single simulation, or the reason for its refusal.
 */

import { type AnswerText, asciiJsonOf, lengthOf } from '../../base/bytes/answer-text.ts';
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import { type Failure, invalid, type Outcome, success } from '../../engine/domain/failure.ts';
import type { SchemaCheck } from '../../engine/wire/schema-check.ts';
import { findUnknownField } from '../../engine/wire/unknown-field.ts';

/**
 * When the answers exceed this size, the remaining requests are refused, because all answers must fit in memory
 * together.
 */
export const BATCH_ANSWER_BYTES_MAX = 32 * 1024 * 1024;

const TOO_MUCH = invalid(
  `the answers to the requests before come to ${BATCH_ANSWER_BYTES_MAX / 1024 / 1024} MiB: ` +
    'ask for fewer at a time, or for fields=rates',
);

/** The result of the schema check for each request of a batch. */
export const readBatch = (
  requests: readonly unknown[],
  check: SchemaCheck<SimulateRequest>,
  isStrict: boolean,
): readonly Outcome<SimulateRequest>[] =>
  requests.map((request) => {
    if (!check.check(request)) return check.failure(request);
    return (isStrict ? findUnknownField(request) : null) ?? success(request);
  });

/**
 * `{"answers": [...]}`, in the order of the requests. A refusal that does not concern a single request, such as an
 * unknown version, refuses the whole batch.
 */
export function answerBatch(
  requests: readonly Outcome<SimulateRequest>[],
  simulate: (request: SimulateRequest, index: number) => Outcome<AnswerText>,
): Outcome<AnswerText> {
  const parts: string[] = [];
  let bytes = 0;
  for (const [index, request] of requests.entries()) {
    let answer: Outcome<AnswerText> = request.ok ? TOO_MUCH : request;
    if (request.ok && bytes < BATCH_ANSWER_BYTES_MAX) answer = simulate(request.value, index);
    if (!answer.ok && answer.code !== 'VALIDATION_ERROR') return answer;
    parts.push(parts.length === 0 ? '{"answers":[' : ',');
    const text = answer.ok ? answer.value : [refusalText(answer)];
    bytes += lengthOf(text);
    for (const part of text) parts.push(part);
  }
  parts.push(']}');
  return success(parts);
}

const refusalText = ({ code, message }: Failure): string => asciiJsonOf({ error: { code, message } });
