/** Requests whose answers come from a worker thread: handed over, waited for, sent. */
import type { HeavyAnswer } from '../worker/heavy-work.ts';
import type { Admitted } from './admission.ts';
import type { HttpDependencies } from './dependencies.ts';
import type { Exchange, ExchangeHost } from './exchange.ts';
import { isAnsweredHere } from './relay.ts';
import type { RequestThrottle } from './request-throttle.ts';
import type { UnreadBody } from './route.ts';
import { sendHeavy } from './send-answer.ts';
import { withVersionIds } from './version-ids.ts';

/** A smaller body is read here in any case: that takes a quarter of a millisecond at most. */
export const UNREAD_BYTES_MIN = 65_536;

export class HeavyAnswers {
  readonly #dependencies: HttpDependencies;
  readonly #throttle: RequestThrottle;
  readonly #host: Pick<ExchangeHost, 'failed'>;

  constructor(dependencies: HttpDependencies, throttle: RequestThrottle, host: Pick<ExchangeHost, 'failed'>) {
    this.#dependencies = dependencies;
    this.#throttle = throttle;
    this.#host = host;
  }

  /** `tag` is that of the answer, if it is to carry one. */
  answer(
    exchange: Exchange,
    { route, query }: Admitted,
    answer: Promise<HeavyAnswer>,
    tag: string | null,
  ): void {
    this.#await(exchange, answer, (made) => sendHeavy(exchange, route, query, made, tag));
  }

  /**
   * Leaves a large body to a worker thread that reads it; false when it is to be read here. `readHere` is
   * called later when it must be after all; then it is to go to no thread again.
   */
  answerUnread(exchange: Exchange, admitted: Admitted, body: UnreadBody, readHere: () => void): boolean {
    const { route, grant } = admitted;
    const { shops, relay } = this.#dependencies;
    const shop = shops.loaded(grant.shopId);
    if (route.answerUnread === undefined || shop === undefined) return false;
    // Once it was read it is forwarded.
    if (relay !== undefined && !isAnsweredHere(shop, this.#throttle.rates)) return false;
    const limited = this.#throttle.refuseKeyed(exchange, route, grant, shop);
    if (limited !== null) {
      exchange.refuse(limited);
      return true;
    }
    const { query } = withVersionIds(admitted, shop);
    const answering = route.answerUnread(shop, body, query, this.#dependencies);
    if (answering === null) return false;
    this.#await(exchange, answering, (made) => {
      if (made !== null) {
        sendHeavy(exchange, route, query, made, null);
        return;
      }
      readHere();
    });
    return true;
  }

  #await<T extends HeavyAnswer | null>(exchange: Exchange, answer: Promise<T>, use: (made: T) => void): void {
    exchange.endPhase(null);
    answer.then(
      (made) => {
        exchange.endPhase('thread');
        if (made?.release !== undefined) exchange.atEnd(made.release);
        // Who left meanwhile gets nothing read or written either.
        if (exchange.isOpen) exchange.attempt(() => use(made));
      },
      (cause: unknown) => this.#host.failed(exchange, cause),
    );
  }
}
