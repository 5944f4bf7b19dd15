/**
 * The body of a request, from its admitted head to the value that the shop is asked with: received within the limit of
 * its row and the bounds of its structure, then read at once, in steps beside other requests when it is long, or by a
 * worker thread that answers it too.
 */
import { type Outcome, success } from '../../domain/failure.ts';
import { extended } from '../../runtime/extended.ts';
import { type Admitted, findMissingActionPermission } from '../admission.ts';
import type { HttpSettings } from '../dependencies.ts';
import type { Exchange } from '../exchange.ts';
import { type HeavyAnswers, UNREAD_BYTES_MIN } from '../heavy-answers.ts';
import { announcesBody } from '../request-head.ts';
import type { BodyRow } from '../route.ts';
import type { SteppedRequests } from '../stepped-requests.ts';
import { digestRequest } from '../write-request.ts';
import { bodyText, findBodyHeadDefect, type ParsedBody, parseJsonText } from './json-body.ts';
import { findBoundDefect } from './json-bounds.ts';
import { misshapenValue, type ReadBody } from './long-body.ts';
import { MemoryAhead, receiveBody } from './receive-body.ts';

const NO_BYTES = Buffer.alloc(0);

/** Goes on with a request whose body was read. */
export type RunRequest = (exchange: Exchange, admitted: Admitted, body: ReadBody) => void;

export class RequestBodies {
  readonly #settings: HttpSettings;
  readonly #heavy: HeavyAnswers;
  readonly #stepped: SteppedRequests;
  readonly #run: RunRequest;
  readonly #ahead = new MemoryAhead();

  constructor(settings: HttpSettings, heavy: HeavyAnswers, stepped: SteppedRequests, run: RunRequest) {
    this.#settings = settings;
    this.#heavy = heavy;
    this.#stepped = stepped;
    this.#run = run;
  }

  /** Runs the request with its body, or refuses it, or has a worker thread answer it. */
  read(exchange: Exchange, admitted: Admitted): void {
    const { head } = exchange;
    const row = admitted.route.body;
    if (row === undefined || (row.isOptional && !announcesBody(head))) {
      const { idempotencyKey } = admitted.guards;
      const digest = idempotencyKey === null ? null : digestRequest(head, NO_BYTES);
      exchange.settle(() => this.#run(exchange, admitted, { value: {}, text: null, digest }));
      return;
    }
    const { bodyBytesMax, configBodyBytesMax } = this.#settings;
    const bytesMax = row.limit === 'configBody' ? configBodyBytesMax : bodyBytesMax;
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) {
      exchange.settle(() => exchange.refuse(defect));
      return;
    }
    const whole = (bytes: Buffer) => this.#readWhole(exchange, admitted, row, bytes);
    // Simulations need the text of the body, which a worker thread reads when it is large.
    if (admitted.route.kind !== 'shop') {
      receiveBody(exchange, bytesMax, { whole, isBounded: true });
      return;
    }
    const run = (body: ReadBody) => this.#run(exchange, admitted, body);
    const long = (parts: Buffer[]) => this.#stepped.readBody(exchange, admitted, row, parts, run);
    receiveBody(exchange, bytesMax, { whole, long, ahead: this.#ahead, isBounded: true });
  }

  /** `bytes` are valid during the call only. */
  #readWhole(exchange: Exchange, admitted: Admitted, row: BodyRow, bytes: Buffer): void {
    const text = bodyText(bytes);
    if (!text.ok) {
      exchange.refuse(text);
      return;
    }
    const { idempotencyKey } = admitted.guards;
    const digest = idempotencyKey === null ? null : digestRequest(exchange.head, bytes);
    const readHere = (parsed: Outcome<ParsedBody>) =>
      this.#useParsed(exchange, admitted, row, parsed, digest);
    const isLarge = bytes.length >= UNREAD_BYTES_MIN;
    // Whatever `row.read` accepts is within the bounds, so a small body need not be scanned first.
    let value = isLarge ? null : (row.read?.(bytes, text.value) ?? null);
    const defect = value === null ? findBoundDefect(bytes) : null;
    if (defect !== null) {
      exchange.refuse(defect);
      return;
    }
    if (isLarge && digest === null) {
      const unread = { bytes: bytes.length, text: text.value };
      // Without the text then, so that it goes to no thread again.
      const readAfterAll = (): void => {
        const parsed = parseJsonText(text.value);
        readHere(parsed.ok ? success({ value: parsed.value.value, text: null }) : parsed);
      };
      if (this.#heavy.answerUnread(exchange, admitted, unread, readAfterAll)) return;
    }
    if (isLarge) value = row.read?.(bytes, text.value) ?? null;
    if (value !== null) this.#run(exchange, admitted, { value, text: text.value, digest });
    else readHere(parseJsonText(text.value));
  }

  #useParsed(
    exchange: Exchange,
    admitted: Admitted,
    row: BodyRow,
    parsed: Outcome<ParsedBody>,
    digest: string | null,
  ): void {
    if (!parsed.ok) {
      exchange.refuse(parsed);
      return;
    }
    const { value, text } = parsed.value;
    const forbidden = findMissingActionPermission(admitted, value);
    if (forbidden !== null) {
      exchange.refuse(forbidden);
      return;
    }
    if (row.check.check(value)) {
      this.#run(exchange, admitted, { value, text, digest });
      return;
    }
    const defects = row.check.shapeDefects(value, row.defectsShown);
    const read = misshapenValue(row, value, defects);
    if (read.ok) this.#run(exchange, admitted, extended(read.value, { text, digest }));
    else exchange.refuse(read);
  }
}
