/**
 * The replica's end of forwarded requests: passes heads, parts of bodies and leaving clients on to the owner,
 * and the finished answers back to the clients.
 *
 * Bound: of one body no more is passed on than the largest limit and the part that goes beyond it, because the
 * owner has refused it by then.
 */
import type { Exchange } from '../http/exchange.ts';
import type { Relay } from '../http/relay.ts';
import { announcesBody } from '../http/request-head.ts';
import type { FinishedAnswer } from '../http/response-port.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ToOwner } from './replica-message.ts';

export type Post = (message: ToOwner, transfer?: readonly ArrayBuffer[]) => void;

interface Forwarded {
  readonly id: number;
  /** The owner waits to hear that it is over. */
  isAwaited: boolean;
}

export class Forwarder implements Relay {
  readonly #post: Post;
  readonly #bodyBytesMax: number;
  readonly #metrics: Metrics;
  readonly #forwarded = new Map<Exchange, Forwarded>();
  readonly #exchanges = new Map<number, Exchange>();
  #lastId = 0;

  constructor(post: Post, bodyBytesMax: number, metrics: Metrics) {
    this.#post = post;
    this.#metrics = metrics;
    this.#bodyBytesMax = bodyBytesMax;
  }

  forward(exchange: Exchange, body: Uint8Array | null): void {
    const id = ++this.#lastId;
    this.#metrics.values.replica_forwards++;
    this.#forwarded.set(exchange, { id, isAwaited: true });
    this.#exchanges.set(id, exchange);
    if (body !== null) this.#begin(id, exchange, new Uint8Array(body).buffer, true);
    else if (announcesBody(exchange.head)) this.#passBody(id, exchange);
    else this.#begin(id, exchange, new ArrayBuffer(0), true);
  }

  ended(exchange: Exchange): boolean {
    const forwarded = this.#forwarded.get(exchange);
    if (forwarded === undefined) return false;
    this.#forwarded.delete(exchange);
    this.#exchanges.delete(forwarded.id);
    if (forwarded.isAwaited) this.#post({ kind: 'over', id: forwarded.id });
    return true;
  }

  /** The owner's answer; null closes the connection. */
  answer(id: number, answer: FinishedAnswer | null): void {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    const forwarded = this.#forwarded.get(exchange);
    if (forwarded !== undefined) forwarded.isAwaited = answer?.isKept === true;
    if (answer === null) exchange.drop();
    else exchange.attempt(() => exchange.pass(answer));
  }

  #begin(id: number, exchange: Exchange, part: ArrayBuffer, isLast: boolean): void {
    const { head, requestId } = exchange;
    head.requestId = requestId;
    this.#post({ kind: 'request', id, head, part, isLast }, [part]);
  }

  /** The first part usually comes with the head, in the same turn. */
  #passBody(id: number, exchange: Exchange): void {
    let isBegun = false;
    let bytes = 0;
    const pass = (part: ArrayBuffer, isLast: boolean): void => {
      if (isBegun) this.#post({ kind: 'part', id, part, isLast }, [part]);
      else this.#begin(id, exchange, part, isLast);
      isBegun = true;
    };
    exchange.onBody((part, isLast) => {
      if (bytes > this.#bodyBytesMax) return;
      bytes += part.byteLength;
      pass(part.slice(0), isLast);
    });
    exchange.later(() => {
      if (!isBegun) pass(new ArrayBuffer(0), false);
    });
  }
}
