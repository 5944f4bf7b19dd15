/**
 * One request and its response, from the first header to the last byte. All access to the response object
 * of uWebSockets.js goes through here, because using it after an abort, or answering twice, throws.
 */

import type { LogFields } from '../../base/runtime/logger.ts';
import type { Span } from '../../base/tracing/span.ts';
import { parseTraceParent } from '../../base/tracing/trace-parent.ts';
import { FAILURE_STATUS, type Failure } from '../../engine/domain/failure.ts';
import type { Origin, ShopAccess } from '../../shop/reader/shop-access.ts';
import { failureAnswer } from './failure-answer.ts';
import {
  AGE_HEADER,
  AnswerHead,
  endHead,
  type Headers,
  type HttpAnswer,
  headText,
  jsonHead,
  NO_HEADERS,
  type ResponsePort,
  sendBody,
  sendStreamed,
  statusLine,
  UNKNOWN_FIELDS_HEADER,
  VERSION_HEADER,
} from './output.ts';
import { RequestHead } from './request-head.ts';

export interface ExchangeHost {
  /** How many bytes of a body are read and dropped after the answer; with more to come, the connection is closed. */
  readonly unreadBytesMax: number;
  /** True when each connection is to be closed with its next answer. */
  isDraining(): boolean;
  /** The answer was sent, or the client has disconnected. Called once. */
  ended(exchange: Exchange): void;
  /** The monotonic clock. */
  nowMs(): number;
  failed(exchange: Exchange, cause: unknown): void;
  /**
   * The version that the refusal of a malformed request names, null where its shop is not known yet or may be too old.
   * Where this process may lack the newest writes, the refusal gets its age.
   */
  versionOfMalformed(exchange: Exchange): string | null;
}

/**
 * What a request can wait for: its body, the loading of its shop, the flush of its write, the worker thread
 * that answers it, the client that reads the answer.
 */
export type Wait = 'receive' | 'load' | 'write' | 'thread' | 'deliver';

/** The parts of a body that arrived before `onBody` was called. */
interface HeldBody {
  readonly parts: ArrayBuffer[];
  bytes: number;
  isWhole: boolean;
}

const NO_ROUTE_NAME = 'none';
/** The status in metrics and logs of a request whose client disconnected before the answer. */
const ABORTED = 'aborted';

/** Whose request it is; without a key that of a callback. */
interface Caller {
  readonly shopId: string;
  readonly keyId: string | null;
}

export class Exchange implements Origin {
  readonly head = new RequestHead();
  requestId = '';
  isCounted = false;
  /** The value of `X-Config-Age`; "" where the configuration is known to be the newest. */
  configAge = '';
  /** The value of `X-Unknown-Fields`; "" without unknown fields. */
  unknownFields = '';
  /** The shop of a request about its configuration, if in memory: the refusal of a malformed request names its version. */
  shop: Pick<ShopAccess, 'state'> | null = null;
  /** Null until it is known. */
  caller: Caller | null = null;
  /** The shop that an operator names in the path; null for any other request. */
  operatedShopId: string | null = null;
  /** It came on the socket in the data folder. */
  isOnSocket = false;
  routeName = NO_ROUTE_NAME;
  span: Span | null = null;
  readonly startMs: number;
  /** The status of the answer; 0 before the answer. */
  status = 0;
  /** Why the request is refused; null when it is not. */
  refusal: Failure | null = null;
  /** Milliseconds that the request waited, by phase; null when it has not waited. */
  waits: Partial<Record<Wait, number>> | null = null;
  /** When the last phase ended. */
  #phaseMs: number;
  readonly #res: ResponsePort;
  readonly #host: ExchangeHost;
  #isAnswered = false;
  #isOver = false;
  #isBodyRead = false;
  #isDelivering = false;
  #atEnd: (() => void) | null = null;
  /** True while the library does not read from the connection. */
  #isPaused = false;
  #receive: ((part: ArrayBuffer, isLast: boolean) => void) | null = null;
  #held: HeldBody | null = null;
  /** True during a call from the library, which has corked the response then. */
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

  /** The status in metrics and logs. */
  get statusText(): string {
    if (this.status === 200) return '200';
    return this.status === 0 ? ABORTED : String(this.status);
  }

  logFields(answer?: Parameters<Origin['logFields']>[0]): LogFields {
    const { requestId, caller, head, routeName } = this;
    const traceId = parseTraceParent(head.traceParent)?.traceId;
    return {
      requestId,
      ...(traceId !== undefined && { traceId }),
      shopId: caller?.shopId ?? null,
      keyId: caller?.keyId ?? null,
      verb: head.verb,
      route: routeName,
      ...(answer === undefined
        ? { status: this.statusText, code: this.refusal?.code ?? null }
        : 'code' in answer
          ? { status: String(FAILURE_STATUS[answer.code]), code: answer.code }
          : { status: String(answer.status), code: null }),
    };
  }

  /** True after the last byte was passed to the library, or the client disconnected. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls `use` when `ready` resolves, unless the client has disconnected. `wait` is the phase in the log. */
  resume<T>(wait: Wait, ready: Promise<T>, use: (value: T) => void): void {
    this.endPhase(null);
    ready.then(
      (value) => {
        this.endPhase(wait);
        if (this.isOpen) this.attempt(() => use(value));
      },
      (cause: unknown) => this.#host.failed(this, cause),
    );
  }

  /** Adds the time since the last phase ended to this wait, or for null to work. */
  endPhase(wait: Wait | null): void {
    const nowMs = this.#host.nowMs();
    if (wait !== null) {
      this.waits ??= {};
      this.waits[wait] = (this.waits[wait] ?? 0) + nowMs - this.#phaseMs;
    }
    this.#phaseMs = nowMs;
  }

  /** Runs the task when the exchange is over; at once if it is over. One task per exchange. */
  atEnd(task: () => void): void {
    if (this.#isOver) task();
    else this.#atEnd = task;
  }

  /** The library's call of the handler returns. */
  leaveHandler(): void {
    this.#isCorked = false;
  }

  /**
   * Stops reading from the connection until `onBody` is called or an answer is sent. What has already arrived is buffered,
   * up to `unreadBytesMax`; a client that has sent more is disconnected. Must be called in the tick of the handler, because
   * the library drops data that arrives without a listener.
   */
  holdBody(): void {
    const held: HeldBody = { parts: [], bytes: 0, isWhole: false };
    this.#held = held;
    this.#isPaused = true;
    this.#res.pause();
    this.#res.onData((part, isLast) => {
      if (!this.isOpen) return;
      if (this.#receive !== null) {
        this.#pass(part, isLast);
        return;
      }
      held.parts.push(part.slice(0));
      held.bytes += part.byteLength;
      held.isWhole = isLast;
      if (held.bytes > this.#host.unreadBytesMax) this.drop();
    });
  }

  /** Passes the parts of the body to `receive` until an answer is sent. A part is valid only during the call. */
  onBody(receive: (part: ArrayBuffer, isLast: boolean) => void): void {
    this.#receive = receive;
    const held = this.#held;
    if (held === null) {
      this.#res.onData((part, isLast) => {
        if (this.isOpen) this.#pass(part, isLast);
      });
      return;
    }
    const parts = held.parts.splice(0);
    for (const [index, part] of parts.entries()) {
      const isLast = held.isWhole && index === parts.length - 1;
      if (!this.isOpen) return;
      this.#isBodyRead = isLast;
      this.attempt(() => receive(part, isLast));
    }
    if (this.isOpen) this.#continueReading();
  }

  #continueReading(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#res.resume();
  }

  #pass(part: ArrayBuffer, isLast: boolean): void {
    this.#isCorked = true;
    this.#isBodyRead = isLast;
    try {
      this.#receive?.(part, isLast);
    } catch (cause) {
      this.#host.failed(this, cause);
    }
    this.#isCorked = false;
  }

  /** Runs the task; answers and logs an error that it throws. */
  attempt(task: () => void): void {
    try {
      task();
    } catch (cause) {
      this.#host.failed(this, cause);
    }
  }

  /** Runs the task after the library's call returns, if the client is still connected. */
  later(task: () => void): void {
    setImmediate(() => {
      this.#isCorked = false;
      if (this.isOpen) this.attempt(task);
    });
  }

  /**
   * Runs the task now; or later, if the connection must be closed after the request. An answer sent now would let the
   * library parse the bytes after it in the same packet. While there is no answer, it drops the connection instead.
   */
  settle(task: () => void): void {
    if (this.#isCorked && this.#mustClose()) this.later(task);
    else task();
  }

  /** Refuses the request; `versionId` is the version that led to the refusal, if any. */
  refuse(failure: Failure, versionId: string | null = null, headers = NO_HEADERS): void {
    const isMalformed = versionId === null && failure.code === 'VALIDATION_ERROR';
    const named = isMalformed && this.isOpen ? this.#host.versionOfMalformed(this) : versionId;
    if (this.isOpen) this.refusal = failure;
    this.send(failureAnswer(failure, named, headers));
  }

  /** Sends the answer; does nothing when the client has disconnected. */
  send(answer: HttpAnswer): void {
    if (!this.isOpen) return;
    if (this.#isCorked && this.#mustClose()) {
      this.later(() => this.send(answer));
      return;
    }
    this.#continueReading();
    this.#isAnswered = true;
    this.status = answer.status;
    if (this.#isCorked) this.#writeAnswer(answer);
    else this.#res.cork(() => this.#writeAnswer(answer));
    if (this.#isOver) return;
    // From here on, only the client that reads is waited for.
    this.#isDelivering = true;
    this.endPhase(null);
  }

  #writeAnswer(answer: HttpAnswer): void {
    const { status, body } = answer;
    const res = this.#res;
    // Without a status the library writes 200 OK.
    if (status !== 200) res.writeStatus(statusLine(status));
    const closes = this.#mustClose() || this.#host.isDraining() || this.#hasTooMuchUnread();
    const kept = answer.head ?? headOf(answer);
    const head = closes || this.head.isLast ? kept.ofLast() : kept;
    res.writeHeader(head.name, head.withId(this.requestId));
    // The library writes it only where the server wants the end. Without it some clients use the connection again.
    if (this.head.isLast) res.writeHeader('Connection', 'close');
    if (this.configAge !== '') res.writeHeader(AGE_HEADER, this.configAge);
    if (this.unknownFields !== '') res.writeHeader(UNKNOWN_FIELDS_HEADER, this.unknownFields);
    // HEAD gets the headers of GET, with the length, but no body, which the client would read as the next answer.
    if (body === null || this.head.verb === 'HEAD') endHead(res, body, closes);
    else if (!(body instanceof Uint8Array)) {
      sendStreamed(res, body, this, (cause) => this.#host.failed(this, cause));
      return;
    } else if (closes) res.end(body, true);
    else {
      sendBody(res, body, answer.isReused !== true, this);
      return;
    }
    this.end();
  }

  /** Closes the connection without a complete answer, for example after an error while sending. */
  drop(): void {
    if (this.#isOver) return;
    try {
      this.#res.close();
    } catch {
      // The response was complete, and the library has released it.
    }
    this.end();
  }

  /** True when two servers could read the framing differently: later bytes on this connection cannot be trusted. */
  #mustClose(): boolean {
    // The parser accepts sloppy ends of chunks, so two servers may disagree about the end of a chunked body.
    return this.head.ambiguity !== null || this.head.isChunked;
  }

  #hasTooMuchUnread(): boolean {
    return !this.#isBodyRead && (this.head.contentLength ?? 0) > this.#host.unreadBytesMax;
  }

  /** Call when the last byte was passed to the library, or the client has disconnected. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isDelivering) this.endPhase('deliver');
    this.#host.ended(this);
    this.#atEnd?.();
  }
}

function headOf({ type, body, versionId, headers }: HttpAnswer): AnswerHead {
  if (type === 'json' && body !== null && headers.length === 0) return jsonHead(versionId);
  const version: Headers = versionId === null ? [] : [[VERSION_HEADER, versionId]];
  return new AnswerHead(headText(body === null ? null : type, [...version, ...headers]));
}
