/**
 * One request and its response, from the first header to the last byte. All access to the response object
 * of uWebSockets.js goes through here, because using it after an abort, or answering twice, throws.
 */
import type { Failure } from '../domain/failure.ts';
import type { LogFields } from '../runtime/logger.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { failureAnswer } from './failure-answer.ts';
import {
  AnswerHead,
  endHead,
  type Headers,
  type HttpAnswer,
  headText,
  jsonHead,
  NO_HEADERS,
  type ResponsePort,
  sendBody,
  statusLine,
  VERSION_HEADER,
} from './output.ts';
import { RequestHead } from './request-head.ts';

export interface ExchangeHost {
  /** Bytes that are still read and dropped after an answer was sent before the end of the body. */
  readonly unreadBytesMax: number;
  /** True once connections are to end with their next answer. */
  isDraining(): boolean;
  /** The exchange is over: sent, or the client is gone. Called once. */
  ended(exchange: Exchange): void;
  /** The monotonic clock. */
  nowMs(): number;
  failed(exchange: Exchange, cause: unknown): void;
}

/**
 * What a request can wait for: its own body, its shop coming into memory or being compiled, the flush of its write, the
 * worker thread that answers it, its reader.
 */
type Wait = 'receive' | 'load' | 'write' | 'thread' | 'deliver';

/** The parts of a body that arrived before `onBody` was called. */
interface HeldBody {
  readonly parts: ArrayBuffer[];
  bytes: number;
  isWhole: boolean;
}

export const NO_ROUTE_NAME = 'none';

export class Exchange {
  readonly head = new RequestHead();
  requestId = '';
  isCounted = false;
  rateHeaders: Headers = NO_HEADERS;
  /** The shop in memory whose configuration the request is for: the refusal of a malformed request names its version. */
  shop: Pick<ShopAccess, 'state'> | null = null;
  routeName = NO_ROUTE_NAME;
  readonly startMs: number;
  /** The status of the answer; 0 before the answer. */
  status = 0;
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
  #receive: ((part: ArrayBuffer, isLast: boolean) => void) | null = null;
  #held: HeldBody | null = null;
  /** True during a call from the library, which has then corked the response. */
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

  /** True after the last byte was passed to the library, or the client disconnected. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resumes when `ready` resolves, unless the client has left; `wait` is what the log of a slow request calls it. */
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

  /** Charges the time since the last phase ended to this wait; or, for null, to work. */
  endPhase(wait: Wait | null): void {
    const nowMs = this.#host.nowMs();
    if (wait !== null) {
      this.waits ??= {};
      this.waits[wait] = (this.waits[wait] ?? 0) + nowMs - this.#phaseMs;
    }
    this.#phaseMs = nowMs;
  }

  /** Runs the task when the exchange is over, at once when it is. One task per exchange. */
  atEnd(task: () => void): void {
    if (this.#isOver) task();
    else this.#atEnd = task;
  }

  /** The handler's own tick is over. */
  leaveHandler(): void {
    this.#isCorked = false;
  }

  /**
   * Buffers the body until `onBody` is called, up to `unreadBytesMax`; a client that sends more is disconnected. Call it
   * in the tick of the handler: the library drops what arrives without a handler.
   */
  holdBody(): void {
    const held: HeldBody = { parts: [], bytes: 0, isWhole: false };
    this.#held = held;
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

  /**
   * Hands over the parts of the body until an answer is sent. A part is valid during the call only. An error that the
   * call throws is reported and answered.
   */
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
  }

  #pass(part: ArrayBuffer, isLast: boolean): void {
    this.#isCorked = true;
    this.#isBodyRead = isLast;
    this.attempt(() => this.#receive?.(part, isLast));
    this.#isCorked = false;
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
      this.#isCorked = false;
      if (this.isOpen) this.attempt(task);
    });
  }

  /**
   * Runs the task now, or later for a request after which the connection is closed: otherwise the library would parse the
   * bytes behind it in the same packet. As long as no answer was sent, it drops the connection instead.
   */
  settle(task: () => void): void {
    if (this.#isCorked && this.#mustClose()) this.later(task);
    else task();
  }

  /** Refuses the request; `versionId` is the version that the refusal is about, if it is about one. */
  refuse(failure: Failure, versionId: string | null = null, headers = NO_HEADERS): void {
    const malformed = versionId === null && failure.code === 'VALIDATION_ERROR' ? this.shop : null;
    this.send(failureAnswer(failure, malformed?.state.version.id ?? versionId, headers));
  }

  /** Sends the answer; does nothing when the client has disconnected. */
  send(answer: HttpAnswer): void {
    if (!this.isOpen) return;
    if (this.#isCorked && this.#mustClose()) {
      this.later(() => this.send(answer));
      return;
    }
    this.#isAnswered = true;
    this.status = answer.status;
    if (this.#isCorked) this.#writeAnswer(answer);
    else this.#res.cork(() => this.#writeAnswer(answer));
    if (this.#isOver) return;
    // From here on the exchange waits only for the client to read.
    this.#isDelivering = true;
    this.endPhase(null);
  }

  #writeAnswer(answer: HttpAnswer): void {
    const { status, body } = answer;
    const res = this.#res;
    // Without a status the library writes 200 OK.
    if (status !== 200) res.writeStatus(statusLine(status));
    const head = answer.head ?? headOf(answer);
    res.writeHeader(head.name, head.withId(this.requestId));
    for (const [name, value] of this.rateHeaders) res.writeHeader(name, value);
    const closes = this.#mustClose() || this.#host.isDraining() || this.#hasTooMuchUnread();
    // HEAD gets the headers of GET, with the length, but no body: the client would read it as the next answer.
    if (body === null || this.head.verb === 'HEAD') endHead(res, body, closes);
    else if (closes) res.end(body, true);
    else {
      sendBody(res, body, answer.isReused !== true, this);
      return;
    }
    this.end();
  }

  /** Closes the connection without a complete answer, for example after an error in the middle of sending. */
  drop(): void {
    if (this.#isOver) return;
    try {
      this.#res.close();
    } catch {
      // The response was complete: the library has released it.
    }
    this.end();
  }

  /** Framing that two servers could read differently: do not trust any later bytes on this connection. */
  #mustClose(): boolean {
    // The parser takes loose chunk endings, so where a chunked body ends can be read differently too.
    return this.head.ambiguity !== null || this.head.isChunked;
  }

  #hasTooMuchUnread(): boolean {
    return !this.#isBodyRead && (this.head.contentLength ?? 0) > this.#host.unreadBytesMax;
  }

  /** Called when the last byte was passed to the library, or the client has disconnected. */
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

/** The client left before there was an answer. */
const ABORTED = 'aborted';

const REASONS: Readonly<Record<Wait | 'work', string>> = {
  receive: 'the body came slowly',
  load: 'the shop had to be brought into memory',
  write: 'the write waited for its turn and its flush',
  thread: 'a worker thread made the answer',
  deliver: 'the client read slowly',
  work: 'it took the processor, or waited for it',
};

/**
 * Observes finished requests: the duration by route and status, and a log line for a slow one that tells where the time
 * went. Nothing of its content is kept: no query, no header, no body.
 */
export class RequestObserver {
  readonly #dependencies: HttpDependencies;
  readonly #settings: HttpSettings;

  constructor(dependencies: HttpDependencies, settings: HttpSettings) {
    this.#dependencies = dependencies;
    this.#settings = settings;
  }

  /** Gives the time at which the request is over. Never throws. */
  ended(exchange: Exchange): number {
    const { clock, metrics } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const ms = nowMs - exchange.startMs;
    const status =
      exchange.status === 200 ? '200' : exchange.status === 0 ? ABORTED : String(exchange.status);
    metrics.requests.observe(exchange.routeName, status, ms);
    const { slowRequestMs, logLevel } = this.#settings;
    if (ms >= slowRequestMs || logLevel === 'debug') this.#log(exchange, status, ms);
    return nowMs;
  }

  #log(exchange: Exchange, status: string, ms: number): void {
    const { requestId, routeName, head } = exchange;
    const waits = { receive: 0, load: 0, write: 0, thread: 0, deliver: 0, ...exchange.waits };
    const work = Object.values(waits).reduce((left, waitMs) => left - waitMs, ms);
    const phases = { ...waits, work: Math.max(0, work) };
    const fields: LogFields = {
      requestId,
      verb: head.verb,
      route: routeName,
      status,
      ms: rounded(ms),
      ...Object.fromEntries(Object.entries(phases).map(([phase, part]) => [`${phase}Ms`, rounded(part)])),
    };
    try {
      const { logger } = this.#dependencies;
      if (ms < this.#settings.slowRequestMs) logger.debug('request.done', fields);
      else logger.warn('request.slow', { ...fields, reason: REASONS[largest(phases)] });
    } catch {
      // A logger that fails must not cost the answer.
    }
  }
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

function largest<K extends string>(phases: Readonly<Record<K, number>>): K {
  const names = Object.keys(phases) as K[];
  return names.reduce((most, name) => (phases[name] > phases[most] ? name : most));
}
