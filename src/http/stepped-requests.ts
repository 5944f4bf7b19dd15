/**
 * Requests whose bodies or answers are megabytes: read and made in steps, those of one shop one after the other, so
 * that others are answered in between. A client that leaves takes its request along.
 */

import { encodeSteps } from '../bytes/joined-bytes.ts';
import { jsonSteps } from '../bytes/json-steps.ts';
import type { SharedBytes } from '../bytes/shared-bytes.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import type { WorkSteps } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import { type Admitted, findMissingActionPermission } from './admission.ts';
import { joinBodySteps, type LongBody, type ReadBody, readBodySteps } from './body/long-body.ts';
import type { Exchange, ExchangeHost, Headers } from './exchange.ts';
import type { HeavyAnswers } from './heavy-answers.ts';
import type { BodyRow, ValueInSteps } from './route.ts';
import type { SharedAnswers } from './shared-answers.ts';

/** Under which an answer is shared. */
interface SharedName {
  readonly state: ShopState;
  readonly name: string;
}

/** A value that is there; its text may be large. */
export interface PlainValue {
  readonly kind: 'value';
  readonly value: unknown;
}

export class SteppedRequests {
  readonly #shared: SharedAnswers;
  readonly #heavy: HeavyAnswers;
  readonly #host: Pick<ExchangeHost, 'failed'>;
  readonly #slices = new WorkSlices();

  constructor(shared: SharedAnswers, heavy: HeavyAnswers, host: Pick<ExchangeHost, 'failed'>) {
    this.#shared = shared;
    this.#heavy = heavy;
    this.#host = host;
  }

  /** Reads a long body and hands it to `run`, or to a worker thread that reads and answers it. */
  readBody(
    exchange: Exchange,
    admitted: Admitted,
    row: BodyRow,
    parts: Buffer[],
    run: (body: ReadBody) => void,
  ): void {
    exchange.endPhase(null);
    const { grant, guards } = admitted;
    const { shouldYield } = this.#slices;
    const step = <T>(steps: WorkSteps<Outcome<T>>, use: (value: T) => void): void => {
      const ready = this.#slices.run(grant.shopId, whileOpen(exchange, steps));
      const goOn = (read: Outcome<T> | null): void => {
        if (read?.ok === true) use(read.value);
        else if (read !== null) exchange.refuse(read);
      };
      exchange.resume(ready, goOn, (cause) => this.#host.failed(exchange, cause));
    };
    const readHere = (body: LongBody, text: SharedBytes | null): void => {
      const forbidden = (value: unknown) => findMissingActionPermission(admitted, value);
      const { digest } = body;
      step(readBodySteps(body, row, forbidden, shouldYield), (read) => run(extended(read, { text, digest })));
    };
    step(joinBodySteps(exchange.head, parts, guards.idempotencyKey !== null, shouldYield), (body) => {
      const text = new Uint8Array(body.bytes.buffer);
      const unread = { bytes: text.length, text };
      // Without the text then, so that it goes to no thread again.
      const readAfterAll = () => readHere(body, null);
      if (body.digest === null && this.#heavy.answerUnread(exchange, admitted, unread, readAfterAll)) return;
      readHere(body, text);
    });
  }

  /** Refuses a body in the words of the shop; at once when they take less than a step. */
  refuse(
    exchange: Exchange,
    shop: ShopAccess,
    refuse: NonNullable<ReadBody['refuse']>,
    headers: Headers,
  ): void {
    this.#take(exchange, shop.shopId, refuse(shop, this.#slices.shouldYield), (failure) =>
      exchange.refuse(failure, headers),
    );
  }

  /** Makes a value and its text; at once when that is less than a step. */
  make(
    exchange: Exchange,
    shopId: string,
    value: PlainValue | ValueInSteps,
    shared: SharedName | null,
    use: (made: Outcome<Uint8Array>) => void,
  ): void {
    this.#take(exchange, shopId, this.#bytesSteps(value, shared), use);
  }

  /** Takes the steps in the shop's turns; `use` gets what they made if the client is still there. */
  #take<T>(exchange: Exchange, shopId: string, steps: WorkSteps<T>, use: (made: T) => void): void {
    const made = this.#slices.start(shopId, whileOpen(exchange, steps));
    const useMade = (value: T | null): void => {
      if (value !== null) use(value);
    };
    if (!(made instanceof Promise)) useMade(made);
    else exchange.resume(made, useMade, (cause) => this.#host.failed(exchange, cause));
  }

  /** What is shared may have been made while this request waited for its turn. */
  *#bytesSteps(value: PlainValue | ValueInSteps, shared: SharedName | null): WorkSteps<Outcome<Uint8Array>> {
    // The first step is done at once: whoever else has begun is done by the next.
    const { shouldYield } = this.#slices;
    const made = value.kind === 'steps' ? yield* value.make(shouldYield) : success(value.value);
    if (!made.ok) return made;
    const known = shared === null ? undefined : this.#shared.find(shared.state, shared.name);
    if (known !== undefined) return success(known);
    const bytes = yield* encodeSteps(yield* jsonSteps(made.value, shouldYield), shouldYield);
    if (shared !== null) this.#shared.keep(shared.state, shared.name, bytes);
    return success(bytes);
  }
}

/** The steps as long as the client is there; null when it left. */
function* whileOpen<T>(exchange: Exchange, steps: WorkSteps<T>): WorkSteps<T | null> {
  for (let step = steps.next(); exchange.isOpen; step = steps.next()) {
    if (step.done === true) return step.value;
    yield;
  }
  return null;
}
