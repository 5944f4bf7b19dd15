/**
 * Heavy work: worker threads answer requests whose estimated cost would block the event loop. They answer from the shop
 * as of the record that readers see when the request arrives.
 *
 * Promises: every request is answered once, with the answer that the event loop would have given for the version that
 * the answer names. A request that does not fit in the queue or misses its deadline is refused with RATE_LIMITED. A
 * request whose thread died is answered on the event loop, logged and counted.
 *
 * Bounds: at most `heavyQueueMax` requests, with `heavyQueueBytesMax` bytes of bodies, are in progress; one shop may
 * have half of the requests.
 */
import { type Outcome, rateLimited, success } from '../domain/failure.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { ShopReader } from '../shop/shop-reader.ts';
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
] as const satisfies readonly AnswerTask['kind'][];

type AskedShop = Pick<ShopReader, 'shopId' | 'sequenceNumber' | 'state'>;

export interface HeavyAnswer {
  /** Bytes of JSON text. */
  readonly outcome: Outcome<Uint8Array>;
  /** The version that was current when the answer was made. */
  readonly versionId: string;
  /** The body itself is invalid: the refusal does not depend on a version. */
  readonly isOfBody: boolean;
  /** False when the event loop made the answer after all. */
  readonly isFromThread: boolean;
  /**
   * The part of a watched request that may be kept, as JSON text (for a batch one line per request); valid while the
   * shop is at record `keptAt`.
   */
  readonly kept?: Uint8Array | undefined;
  readonly keptAt?: number;
  /** The uses of watched simulations, for `UseWatch.add`. */
  readonly uses?: Uint8Array | undefined;
  /** Call once, when the bytes are no longer read. */
  readonly release?: (() => void) | undefined;
}

/** Makes the answer on the event loop, from the current state of the shop. */
type AnswerHere = () => Outcome<Uint8Array>;

export interface HeavyLimits {
  readonly heavyMicroseconds: number;
  readonly heavyQueueMax: number;
  readonly heavyQueueBytesMax: number;
  readonly heavyDeadlineMs: number;
}

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

  /**
   * Answers in a worker thread. `prepare` does in slices what `answerHere` would otherwise do in one tick. Rejects only
   * with an error of these two.
   */
  async answer(
    shop: AskedShop,
    question: Question,
    answerHere: AnswerHere,
    prepare?: () => unknown,
  ): Promise<HeavyAnswer> {
    const answered = await this.answerUnread(shop, question);
    if (answered !== null) return answered;
    await prepare?.();
    // The shop may have changed: the answer comes from its current state and names that version.
    const versionId = shop.state.version.id;
    return { outcome: answerHere(), versionId, isOfBody: false, isFromThread: false };
  }

  /** As `answer`, for a body that has not been parsed; null when the event loop must parse it. */
  async answerUnread(shop: AskedShop, question: Question): Promise<HeavyAnswer | null> {
    const { shopId, sequenceNumber, state } = shop;
    const { values } = this.#ports.metrics;
    const made = (outcome: Outcome<Uint8Array>, isOfBody = false): HeavyAnswer => ({
      outcome,
      versionId: state.version.id,
      isOfBody,
      isFromThread: true,
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
      if (answer.kind === 'refused') return made(answer.failure, answer.isOfBody);
      const { body, kept, uses } = answer;
      return { ...made(success(body)), kept, keptAt: sequenceNumber, uses, release: releaseOf(body) };
    } catch (error) {
      if (error instanceof PoolError && error.reason === 'deadline') {
        values.heavy_refused++;
        return made(late(this.#ports.limits.heavyDeadlineMs));
      }
      values.heavy_fallbacks++;
      this.#ports.logger.warn('heavy.task_lost', { shopId, kind: question.kind, error: asError(error) });
      return null;
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
  if (!('text' in question)) return 0;
  const { text } = question;
  return typeof text === 'string' ? Buffer.byteLength(text) : text.length;
}

const BUSY = rateLimited('too many large requests are under way: try again in a moment');

const late = (deadlineMs: number): Outcome<never> =>
  rateLimited(`this request was not done within ${deadlineMs} ms: ask for less, or try again`);
