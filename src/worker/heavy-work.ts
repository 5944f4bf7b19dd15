/**
 * Heavy work: worker threads answer requests whose estimated cost would block the event loop. They answer from the shop
 * as of the record that readers see when the request arrives.
 *
 * Promises: every request is answered once, with the answer that the event loop would have given for the version that
 * the answer names, or refused. A request that does not fit in the queue is refused with RATE_LIMITED, one that misses
 * its deadline or whose thread died with UNAVAILABLE.
 *
 * Bounds: at most `heavyQueueMax` requests, with `heavyQueueBytesMax` bytes of bodies, are in progress; one shop may
 * have half of the requests.
 */
import { type Failure, type Outcome, rateLimited, success, unavailable } from '../domain/failure.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { ShopReader } from '../shop/shop-reader.ts';
import type { Uses } from '../shop/simulation-watch.ts';
import { releaseOf } from './answer-areas.ts';
import type { AnswerTask, PoolAnswer, Question } from './pool-task.ts';
import { PoolError } from './worker-pool.ts';

/** The kinds of task that answer a client. */
export const ANSWER_KINDS = [
  'simulate',
  'simulateBatch',
  'preview',
  'readVersion',
  'compare',
  'lint',
  'runChecks',
  'bisect',
  'sweep',
  'replay',
] as const satisfies readonly AnswerTask['kind'][];

type AskedShop = Pick<ShopReader, 'shopId' | 'sequenceNumber' | 'state'>;

export interface HeavyAnswer {
  /** Bytes of JSON text. */
  readonly outcome: Outcome<Uint8Array>;
  /** The value of `X-Unknown-Fields`; absent when the body was checked before. */
  readonly unknownFields?: string | undefined;
  /** The version that was current when the answer was made. */
  readonly versionId: string;
  /** The body itself is invalid: the refusal does not depend on a version. */
  readonly isOfBody: boolean;
  /** What live simulations used, for `UseWatch.add`. */
  readonly uses?: Uses | undefined;
  /** Call once, when the bytes are no longer read. */
  readonly release?: (() => void) | undefined;
}

export interface HeavyLimits {
  readonly heavyMicroseconds: number;
  readonly heavyQueueMax: number;
  readonly heavyQueueBytesMax: number;
  readonly heavyDeadlineMs: number;
}

/** Those of the service; tests have smaller ones. */
export const HEAVY_LIMITS: HeavyLimits = {
  // It bounds how long a light request waits for the event loop.
  heavyMicroseconds: 1_000,
  heavyQueueMax: 64,
  heavyQueueBytesMax: 128 * 1024 * 1024,
  heavyDeadlineMs: 30_000,
};

export interface HeavyPorts {
  readonly pool: { run(task: AnswerTask): Promise<PoolAnswer> };
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: HeavyLimits;
}

/** The part of heavy work that routes use. */
export type HeavyAccess = Pick<HeavyWork, 'heavyFromUs' | 'answer' | 'answerUnread'>;

export class HeavyWork {
  /** Work of at least this estimated cost should run in a thread. */
  readonly heavyFromUs: number;
  readonly #ports: HeavyPorts;
  readonly #requestsOfShop = new Map<string, number>();
  #requests = 0;
  #bytes = 0;

  constructor(ports: HeavyPorts) {
    this.#ports = ports;
    this.heavyFromUs = ports.limits.heavyMicroseconds;
  }

  /** Answers in a worker thread. The body of the question has been checked. */
  async answer(shop: AskedShop, question: Question): Promise<HeavyAnswer> {
    const answered = await this.answerUnread(shop, question);
    if (answered === null) throw new Error(`a worker did not accept the checked body of ${question.kind}`);
    return answered;
  }

  /** As `answer`, for a body that has not been checked; null when it is invalid and the event loop must refuse it. */
  async answerUnread(shop: AskedShop, question: Question): Promise<HeavyAnswer | null> {
    const { shopId, sequenceNumber, state } = shop;
    const { values } = this.#ports.metrics;
    const made = (outcome: Outcome<Uint8Array>, isOfBody = false): HeavyAnswer => ({
      outcome,
      versionId: state.version.id,
      isOfBody,
    });
    const bytes = bodyBytes(question);
    if (!this.#hasRoom(shopId, bytes)) {
      values.heavy_refused++;
      return made(BUSY);
    }
    values.heavy_requests++;
    this.#count(shopId, 1, bytes);
    try {
      // Type-safe: a question is a task without the fields that are added here.
      const task = { ...question, shopId, sequenceNumber } as AnswerTask;
      const answer = await this.#ports.pool.run(task);
      if (answer.kind === 'unread') return null;
      const { unknownFields } = answer;
      if (answer.kind === 'refused') return { ...made(answer.failure, answer.isOfBody), unknownFields };
      const { body, uses } = answer;
      return { ...made(success(body)), unknownFields, uses, release: releaseOf(body) };
    } catch (error) {
      values.heavy_unanswered++;
      if (error instanceof PoolError && error.reason === 'deadline') {
        return made(late(this.#ports.limits.heavyDeadlineMs));
      }
      this.#ports.logger.warn('heavy.task_lost', { shopId, kind: question.kind, error: asError(error) });
      return made(LOST);
    } finally {
      this.#count(shopId, -1, -bytes);
    }
  }

  #hasRoom(shopId: string, bytes: number): boolean {
    const { heavyQueueMax, heavyQueueBytesMax } = this.#ports.limits;
    return (
      this.#requests < heavyQueueMax &&
      (this.#requestsOfShop.get(shopId) ?? 0) < heavyQueueMax / 2 &&
      // A body larger than the limit is accepted when no other is in progress.
      (this.#bytes === 0 || this.#bytes + bytes <= heavyQueueBytesMax)
    );
  }

  #count(shopId: string, requests: number, bytes: number): void {
    this.#requests += requests;
    this.#bytes += bytes;
    const ofShop = (this.#requestsOfShop.get(shopId) ?? 0) + requests;
    if (ofShop === 0) this.#requestsOfShop.delete(shopId);
    else this.#requestsOfShop.set(shopId, ofShop);
  }
}

function bodyBytes(question: Question): number {
  if ('carts' in question) return question.carts.reduce((sum, { text }) => sum + text.length, 0);
  return 'text' in question ? Buffer.byteLength(question.text) : 0;
}

const BUSY = rateLimited('too many large requests are under way: try again in a moment');

const late = (deadlineMs: number): Failure =>
  unavailable(`this request was not done within ${deadlineMs} ms: ask for less, or try again`);

const LOST = unavailable('this request was interrupted before its answer was made: try again in a moment');
