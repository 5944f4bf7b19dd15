/**
 * A batch of simulations (contract section 10): each request is judged by itself, and its answer is what a simulation
 * of it alone answers, or why it is refused. The event loop and a worker thread answer a batch with these functions.
 */

import { type AnswerText, lengthOf } from '../bytes/answer-text.ts';
import { asciiJsonOf } from '../compile/json-text.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { type Failure, invalid, type Outcome, success } from '../domain/failure.ts';
import type { SchemaCheck } from '../wire/schema-check.ts';
import { findUnknownField } from '../wire/unknown-field.ts';

/** Requests of a batch that come behind answers of so many bytes are refused: memory has to hold all of them at once. */
export const BATCH_ANSWER_BYTES_MAX = 32 * 1024 * 1024;

const TOO_MUCH = invalid(
  `the answers to the requests before come to ${BATCH_ANSWER_BYTES_MAX / 1024 / 1024} MiB: ` +
    'ask for fewer at a time, or for fields=rates',
);

/** Each request of a batch as its own check has it. */
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
 * `{"answers": [...]}`, in the order of the requests. A refusal that is not about a request, such as that of an unknown
 * version, is that of the whole batch.
 */
export function answerBatch(
  requests: readonly Outcome<SimulateRequest>[],
  simulate: (request: SimulateRequest) => Outcome<AnswerText>,
): Outcome<AnswerText> {
  const parts: string[] = [];
  let bytes = 0;
  for (const request of requests) {
    let answer: Outcome<AnswerText> = request.ok ? TOO_MUCH : request;
    if (request.ok && bytes < BATCH_ANSWER_BYTES_MAX) answer = simulate(request.value);
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
