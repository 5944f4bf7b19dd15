/**
 * The mailbox of a shop: writes that wait, in the order in which they came. They are answered in that order too, also
 * where an answer has to wait until every node shows its write.
 */

import type { Metrics } from '../../base/metrics/metrics.ts';
import { failpoint } from '../../base/runtime/failpoint.ts';
import type { Failure, Outcome } from '../../engine/domain/failure.ts';
import { UNREACHABLE } from '../reader/other-nodes.ts';
import type { WriteAnswer, WriteRequest } from '../reader/shop-access.ts';

interface WaitingWrite {
  readonly request: WriteRequest;
  readonly answer: (outcome: Outcome<WriteAnswer>) => void;
}

export class Mailbox {
  readonly #metrics: Metrics;
  readonly #waiting: WaitingWrite[] = [];
  /** Writes that are stored and shown here, and not answered yet. */
  #held = 0;
  /** Resolves when every stored write is answered. */
  answered: Promise<void> = Promise.resolve();

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
   * `seenEverywhere`. It rejects only for repeated answers, which are then refused: the client may repeat the request.
   */
  answer(outcomes: readonly Outcome<WriteAnswer>[], seenEverywhere: Promise<void> | null): void {
    const writes = this.#waiting.splice(0, outcomes.length);
    const give = (given: readonly Outcome<WriteAnswer>[]): void => {
      this.#metrics.values.mailbox_depth -= writes.length;
      for (const [index, outcome] of given.entries()) writes[index]?.answer(this.#counted(outcome));
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
    this.answered = Promise.all([seen, this.answered]).then(([given]) => {
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
   * Answers all waiting clients with `outcome`. Their writes stay in the mailbox until the outcome of the append under way
   * is known.
   */
  tell(outcome: Failure): void {
    for (const { answer } of this.#waiting) answer(outcome);
  }

  /** As `tell`, and empties the mailbox. */
  empty(outcome: Failure): void {
    this.tell(outcome);
    this.#metrics.values.mailbox_depth -= this.#waiting.splice(0).length;
  }
}
