/**
 * One request and its response, from the first header to the last byte. All that touches the library's
 * response object goes through here, because touching it after an abort, or twice, throws.
 */

import type { Failure } from '../domain/failure.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import { answerHead, REQUEST_ID_HEADER, VERSION_HEADER } from './answer-head.ts';
import { failureAnswer } from './failure-answer.ts';
import { type Answer, endHead, sendAnswer, sendBody } from './output.ts';
import { RequestHead } from './request-head.ts';
import type { FinishedAnswer, ResponsePort } from './response-port.ts';
import { safetyHeaders } from './safety-headers.ts';
import { type StandingRefusal, standingRefusal } from './standing-refusal.ts';

/** What an exchange asks of the server it belongs to. */
export interface ExchangeHost {
  /** Bytes that are still read, and thrown away, for a client that was answered before it had sent all. */
  readonly unreadBytesMax: number;
  /** True once connections are to end with their next answer. */
  isDraining(): boolean;
  /** The exchange is over: sent, or the client is gone. Called once. */
  ended(exchange: Exchange): void;
  /** The monotonic clock. */
  nowMs(): number;
  /** Something was thrown that nobody expected. */
  failed(exchange: Exchange, cause: unknown): void;
}

/**
 * What a request can wait for: its own body, its shop coming into memory or being compiled, the flush of its write, the worker
 * thread that answers it, its reader.
 */
export type Wait = 'receive' | 'load' | 'write' | 'thread' | 'deliver';

/** Stands for the route of a request that is for none. */
export const NO_ROUTE_NAME = 'none';

export type Headers = readonly (readonly [name: string, value: string])[];

export const NO_HEADERS: Headers = [];
const CONTENT_TYPE = Buffer.from('Content-Type');

export class Exchange {
  readonly head = new RequestHead();
  requestId = '';
  /** What the client is told of the rate that it is limited to; null while the request was not counted. */
  rateHeaders: Headers | null = null;
  /** The shop in memory whose configuration the request is for: one that is malformed is told its version too. */
  shop: Pick<ShopAccess, 'state'> | null = null;
  /** Of the row that the request is for, or the name for none. */
  routeName = NO_ROUTE_NAME;
  readonly startMs: number;
  /** Of the answer; 0 until there is one. */
  status = 0;
  /** Milliseconds by phase, of those in which the request waited for something. */
  waits: Partial<Record<Wait, number>> | null = null;
  /** When the last phase ended. */
  #phaseMs: number;
  readonly #res: ResponsePort;
  readonly #host: ExchangeHost;
  #isAnswered = false;
  #isOver = false;
  #isBodyRead = false;
  /** No more of the body is to come, until what holds it back is done. */
  #isHeld = false;
  /** The library reads nothing from the connection. */
  #isPaused = false;
  #isDelivering = false;
  #atEnd: (() => void) | null = null;
  /** True while the library calls us: it has corked the response then. */
  #isCorked = true;

  constructor(res: ResponsePort, host: ExchangeHost) {
    this.#res = res;
    this.#host = host;
    this.startMs = host.nowMs();
    this.#phaseMs = this.startMs;
  }

  /** True while an answer can still be sent. */
  get isOpen(): boolean {
    return !this.#isAnswered && !this.#isOver;
  }

  /** True while more of the body is awaited. */
  get isReceiving(): boolean {
    return this.isOpen && !this.#isBodyRead;
  }

  /** Goes on when the shop, or what it compiles, is in memory. Who left meanwhile gets nothing written. */
  resume<T>(ready: Promise<T>, goOn: (value: T) => void, failed: (cause: unknown) => void): void {
    ready.then((value) => {
      this.endPhase('load');
      if (this.isOpen) this.attempt(() => goOn(value));
    }, failed);
  }

  /** What went on since the last phase ended was waiting for this; or, for null, work. */
  endPhase(wait: Wait | null): void {
    const nowMs = this.#host.nowMs();
    if (wait !== null) {
      this.waits ??= {};
      this.waits[wait] = (this.waits[wait] ?? 0) + nowMs - this.#phaseMs;
    }
    this.#phaseMs = nowMs;
  }

  /** True once the last byte is with the library, or the client gone. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs the task when the exchange is over, at once when it is. One task per exchange. */
  atEnd(task: () => void): void {
    if (this.#isOver) task();
    else this.#atEnd = task;
  }

  /** The last byte is with the library. */
  sent(): void {
    this.#end();
  }

  /** The client is gone. */
  abort(): void {
    this.#end();
  }

  /** The handler's own tick is over. */
  leaveHandler(): void {
    this.#isCorked = false;
  }

  /**
   * Hands over the parts of the body until an answer is sent. A part is valid during the call only. What
   * the call throws is reported and answered.
   */
  onBody(receive: (part: ArrayBuffer, isLast: boolean) => void): void {
    this.#res.onData((part, isLast) => {
      if (!this.isOpen) return;
      this.#isCorked = true;
      this.#isBodyRead = isLast;
      // The library stays as it is told until the answer: one that reads again gives it ten seconds from now.
      if (isLast) this.#isHeld = false;
      this.attempt(() => receive(part, isLast));
      this.#isCorked = false;
    });
  }

  /** Lets no more of the body in, but for what comes in this turn, until `work`, a step in each turn, is false. */
  holdBody(work: () => boolean): void {
    const res = this.#res;
    if (res.pause === undefined) return;
    res.pause();
    this.#isPaused = true;
    this.#isHeld = true;
    const goOn = (): void => {
      if (!this.#isHeld || this.#isOver) return;
      this.attempt(() => {
        if (work()) setImmediate(goOn);
        else this.#release();
      });
    };
    setImmediate(goOn);
  }

  /** Where more of the body may come, and before an answer: behind it the next request is to come. */
  #release(): void {
    this.#isHeld = false;
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#res.resume?.();
  }

  /** Runs the task, and reports what it throws. */
  attempt(task: () => void): void {
    try {
      task();
    } catch (cause) {
      this.#host.failed(this, cause);
    }
  }

  /** Runs the task outside of the library's parser, if the client is still there. */
  later(task: () => void): void {
    setImmediate(() => {
      if (this.isOpen) this.attempt(task);
    });
  }

  /**
   * Runs the task now, or later for a request after which the connection is closed: the library would
   * otherwise go on to parse what came behind it in the same packet. While an answer is owed it does not,
   * it drops the connection.
   */
  settle(task: () => void): void {
    if (this.#mustClose()) this.later(task);
    else task();
  }

  refuse(failure: Failure, headers: Headers = NO_HEADERS): void {
    const standing = headers === NO_HEADERS ? standingRefusal(failure) : undefined;
    if (standing !== undefined && this.#isPlain()) {
      this.#refusePlainly(standing);
      return;
    }
    const answer = failureAnswer(failure);
    const { shop } = this;
    const ofVersion: Headers =
      shop !== null && failure.code === 'VALIDATION_ERROR' && headers === NO_HEADERS
        ? [[VERSION_HEADER, shop.state.version.id]]
        : headers;
    this.send({ ...answer, headers: [...answer.headers, ...ofVersion] });
  }

  /** Nothing but the refusal itself is to be told, and the connection stays. */
  #isPlain(): boolean {
    return this.rateHeaders === null && this.head.verb !== 'HEAD' && !this.#closesBehind();
  }

  #refusePlainly(refusal: StandingRefusal): void {
    if (!this.isOpen) return;
    this.#answer(refusal.status, () => {
      this.#res.writeStatus(refusal.statusLine);
      this.#res.writeHeader(CONTENT_TYPE, refusal.head(this.requestId));
      sendBody(this.#res, refusal.body, true, this);
    });
  }

  /** Sends the answer; does nothing when there is nobody to send it to. */
  send(answer: Answer): void {
    if (!this.isOpen) return;
    this.#release();
    this.#isAnswered = true;
    this.status = answer.status;
    const headers: Headers = [
      [REQUEST_ID_HEADER, this.requestId],
      ...answer.headers,
      ...(this.rateHeaders ?? NO_HEADERS),
      ...safetyHeaders(answer.headers),
    ];
    sendAnswer(
      this.#res,
      { ...answer, headers },
      {
        headOnly: this.head.verb === 'HEAD',
        closes: this.#closesBehind(),
        owner: this,
      },
    );
    if (!this.#isOver) this.#waitForReader();
  }

  /** Sends an answer that another thread has finished, headers and all. */
  pass(answer: FinishedAnswer): void {
    if (!this.isOpen) return;
    const { statusLine, headers, body } = answer;
    this.#release();
    this.#isAnswered = true;
    this.status = Number.parseInt(statusLine, 10);
    const res = this.#res;
    res.cork(() => {
      res.writeStatus(statusLine);
      for (const [name, value] of headers) res.writeHeader(name, value);
      const closes = answer.closes || this.#host.isDraining();
      if (!closes && body !== null && body.byteLength > 0) {
        sendBody(res, body, true, this);
        return;
      }
      if (body === null) endHead(res, null, closes);
      else res.end(body, closes);
      this.#end();
    });
    if (!this.#isOver) this.#waitForReader();
  }

  /**
   * Sends a JSON answer with status 200 by the shortest way: what most requests come for. The bytes are valid during
   * the call only.
   */
  sendShortly(body: Uint8Array, versionId: string): void {
    this.#sendJson(body, false, versionId);
  }

  /** As `sendShortly`, with bytes that stay as they are. */
  sendMade(body: Uint8Array, versionId: string): void {
    this.#sendJson(body, true, versionId);
  }

  #sendJson(body: Uint8Array, isKept: boolean, versionId: string): void {
    if (!this.isOpen) return;
    if (this.#mustClose() || this.#host.isDraining()) {
      const bytes = isKept ? body : Buffer.from(body);
      this.send({ status: 200, type: 'json', body: bytes, headers: [[VERSION_HEADER, versionId]] });
    } else this.#answer(200, () => this.#write(body, isKept, versionId));
  }

  /** Has the answer written within one cork. */
  #answer(status: number, write: () => void): void {
    this.#release();
    this.#isAnswered = true;
    this.status = status;
    if (this.#isCorked) write();
    else this.#res.cork(write);
    if (!this.#isOver) this.#waitForReader();
  }

  #write(body: Uint8Array, isKept: boolean, versionId: string): void {
    const res = this.#res;
    // Without a status the library writes 200 OK.
    res.writeHeader(CONTENT_TYPE, answerHead(this.requestId, versionId));
    const { rateHeaders } = this;
    if (rateHeaders !== null) for (const [name, value] of rateHeaders) res.writeHeader(name, value);
    sendBody(res, body, isKept, this);
  }

  /** Gives the client up: nothing more can be sent, as when something was thrown half way through an answer. */
  drop(): void {
    if (this.#isOver) return;
    try {
      this.#res.close();
    } catch {
      // It was complete: the library has let go of it.
    }
    this.#end();
  }

  /** The connection ends with the answer. */
  #closesBehind(): boolean {
    return this.#mustClose() || this.#host.isDraining() || this.#hasTooMuchUnread();
  }

  /** Framing that two servers could read differently: nothing behind it on this connection is to be trusted. */
  #mustClose(): boolean {
    // The parser takes loose chunk endings, so where a chunked body ends is also a matter of opinion.
    return this.head.ambiguity !== null || this.head.isChunked;
  }

  #hasTooMuchUnread(): boolean {
    return !this.#isBodyRead && (this.head.contentLength ?? 0) > this.#host.unreadBytesMax;
  }

  /** The answer is made; the rest is up to the client. */
  #waitForReader(): void {
    this.#isDelivering = true;
    this.endPhase(null);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isDelivering) this.endPhase('deliver');
    this.#host.ended(this);
    this.#atEnd?.();
  }
}
