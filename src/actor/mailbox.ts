/**
 * The mailbox of a shop: writes that wait, in the order in which they came. They are answered in that order too, also
 * where an answer has to wait until every node shows its write. The file also has the refusals of a write that was not
 * stored, or may not have been.
 */
import { conflict, type Failure, failure, type Outcome, rateLimited } from '../domain/failure.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { UNREACHABLE } from '../shop/elsewhere.ts';
import type { WriteAnswer, WriteRequest } from '../shop/shop-access.ts';

interface WaitingWrite {
  readonly request: WriteRequest;
  readonly answer: (outcome: Outcome<WriteAnswer>) => void;
}

export class Mailbox {
  readonly #metrics: Metrics;
  readonly #waiting: WaitingWrite[] = [];
  /** Writes that are stored and shown here, and not answered yet. */
  #held = 0;
  #answered: Promise<void> = Promise.resolve();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Writes that are not stored yet. */
  get length(): number {
    return this.#waiting.length;
  }

  /** All writes without an answer. */
  get unanswered(): number {
    return this.#waiting.length + this.#held;
  }

  requestAt(index: number): WriteRequest | undefined {
    return this.#waiting[index]?.request;
  }

  add(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    this.#metrics.values.mailbox_depth++;
    return new Promise((answer) => this.#waiting.push({ request, answer }));
  }

  /**
   * Takes as many writes as there are outcomes, and answers them: behind all earlier ones, and not before
   * `seenEverywhere`. When that rejects they are refused: an answer that was given before can be asked for again.
   */
  answer(outcomes: readonly Outcome<WriteAnswer>[], seenEverywhere: Promise<void> | null): void {
    const writes = this.#waiting.splice(0, outcomes.length);
    const give = (given: readonly Outcome<WriteAnswer>[]): void => {
      this.#metrics.values.mailbox_depth -= writes.length;
      for (const [index, { answer }] of writes.entries()) answer(this.#counted(given[index] ?? undecided()));
    };
    if (seenEverywhere === null && this.#held === 0) {
      give(outcomes);
      return;
    }
    this.#held += writes.length;
    const seen = Promise.resolve(seenEverywhere).then(
      () => outcomes,
      () => writes.map(() => UNREACHABLE),
    );
    this.#answered = Promise.all([seen, this.#answered]).then(([given]) => {
      failpoint('after-barrier');
      this.#held -= writes.length;
      give(given);
    });
  }

  #counted(outcome: Outcome<WriteAnswer>): Outcome<WriteAnswer> {
    const { values } = this.#metrics;
    if (!outcome.ok) values.writes_refused++;
    else if (outcome.value.replayed) values.writes_replayed++;
    else values.writes++;
    return outcome;
  }

  /**
   * Answers all waiting clients with `outcome`. Their writes stay in the mailbox: the append that is under way decides
   * what becomes of them.
   */
  tell(outcome: Failure): void {
    for (const { answer } of this.#waiting) answer(outcome);
  }

  /** As `tell`, and empties the mailbox. */
  empty(outcome: Failure): void {
    this.tell(outcome);
    this.#metrics.values.mailbox_depth -= this.#waiting.splice(0).length;
  }

  /** Resolves when every stored write is answered. */
  async settled(): Promise<void> {
    await this.#answered;
  }
}

const undecided = (): Failure => failure('INTERNAL_ERROR', 'the write was not decided');

/** The mailbox is full: the caller gets 429 now instead of a time-out later. Cheap on purpose: no log line. */
export const shopBusy = (shopId: string): Failure =>
  rateLimited(`shop ${shopId} is busy: too many writes wait`);

export const TOO_LARGE = conflict('the change is more than one version can hold: send it in parts');

export const logFailed = (): Failure =>
  failure('INTERNAL_ERROR', 'the write could not be stored; it may or may not be there after the restart');

export const OUTCOME_UNKNOWN = failure(
  'INTERNAL_ERROR',
  'the write may or may not be stored: its outcome is not known yet',
);
