/**
 * Writes that are decided together, each on the state that the writes before it would produce. The group is appended with one
 * flush, and nothing of it is visible before. Its outcomes are held back until then, refusals too: a refusal may depend on a
 * write of the same group.
 */

import type { Clock } from '../../base/runtime/clock.ts';
import { extended } from '../../base/runtime/extended.ts';
import { failpoint } from '../../base/runtime/failpoint.ts';
import type { IdSource } from '../../base/runtime/id-source.ts';
import type { LogFields, Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { ATTRIBUTES, type Span } from '../../base/tracing/span.ts';
import type { Decision, DecisionContext } from '../../engine/change/command.ts';
import { decide } from '../../engine/change/decide.ts';
import { DAY_MS } from '../../engine/domain/calendar-day.ts';
import { conflict, type Failure, failure, type Outcome, success } from '../../engine/domain/failure.ts';
import type { PlanTable } from '../../engine/domain/plan.ts';
import { auditNoteOf, type ShopEvent, type ShopState } from '../../engine/domain/shop-event.ts';
import { changesetOfTag, currentTagsOf } from '../../engine/domain/view-tag.ts';
import { EVENT_TEXT, type EventLog, type NewRecord, type StoredAnswer } from '../../store/log/event-log.ts';
import { eventTextOf } from '../../store/log/record-codec.ts';
import type { Idempotency, WriteAnswer, WriteRequest } from '../reader/shop-access.ts';

/** How long an idempotency key is stored (contract section 1). */
export const IDEMPOTENCY_MS = DAY_MS;

export interface GroupPorts {
  readonly log: Pick<EventLog, 'findAnswer'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly plans: PlanTable;
  /** Called with an error that may mean damage; absent where the history of a shop has no other copy. */
  readonly onDamaged?: (shopId: string, cause: unknown) => void;
}

/** What the first write of a group is decided on. */
export interface GroupBase {
  readonly shopId: string;
  readonly state: ShopState;
  /** The latest time that a write was given. */
  readonly lastAtMs: number;
  readonly findVersion: DecisionContext['findVersion'];
}

export class WriteGroup {
  /** One outcome per write of the group, in order. */
  readonly outcomes: Outcome<WriteAnswer>[] = [];
  readonly records: NewRecord[] = [];
  /** The state when `records` are on disk. */
  state: ShopState;
  lastAtMs: number;
  /** Approximate size of the records. */
  bytes = 0;
  readonly #ports: GroupPorts;
  readonly #base: GroupBase;
  /** Answers of this group by idempotency key. */
  readonly #answers = new Map<string, StoredAnswer>();
  /** Lines about the entries of the audit in `records`; without the values, which may be long. */
  readonly auditLines: LogFields[] = [];
  /** Of the requests whose writes are in `records`, then of their append; none without a provider of spans. */
  #spans: Span[] = [];

  constructor(ports: GroupPorts, base: GroupBase) {
    this.#ports = ports;
    this.#base = base;
    this.state = base.state;
    this.lastAtMs = base.lastAtMs;
  }

  /** Decides a write. */
  take(request: WriteRequest): void {
    const { shopId } = this.#base;
    failpoint('before-decide');
    try {
      this.outcomes.push(this.#decide(request));
    } catch (error) {
      // A bug in one command must not make the rest of the group fail: the state is unchanged.
      const fields = request.origin?.logFields(NOT_DECIDED) ?? { shopId };
      this.#ports.logger.error('write.threw', { ...fields, error: asError(error) });
      this.#ports.onDamaged?.(shopId, error);
      this.outcomes.push(NOT_DECIDED);
    }
    failpoint('after-decide');
  }

  #decide(request: WriteRequest): Outcome<WriteAnswer> {
    const { command, keyId, batchId, ifMatch, idempotency } = request;
    const { clock, ids, plans } = this.#ports;
    const versionId = this.state.version.id;
    // The key was valid when the request arrived, but it may have been revoked while the write waited.
    if (keyId !== null && !this.state.keys.some((key) => key.id === keyId)) return REVOKED;
    if (idempotency !== null) {
      const earlier = this.#findAnswer(idempotency.key);
      if (earlier !== null) return replay(earlier, idempotency, versionId);
    }
    if (ifMatch !== null && !currentTagsOf(this.state).includes(ifMatch)) {
      return changesetOfTag(ifMatch) === null
        ? conflict(`the configuration has changed: If-Match must name the current version ${versionId}`)
        : CHANGESET_CHANGED;
    }
    // The history of a shop never goes back in time, whatever the clock does.
    const atMs = Math.max(clock.nowMs(), this.lastAtMs);
    const { findVersion } = this.#base;
    const context = {
      now: new Date(atMs).toISOString(),
      seed: ids.next(),
      keyId,
      batchId,
      plans,
      findVersion,
    };
    const decision = decide(this.state, command, context);
    return decision.ok ? this.#accept(request, decision.value, atMs) : decision;
  }

  /** The records go to the log: begins a span of the append within that of each request that wrote them. */
  beginAppend(): void {
    if (this.#spans.length === 0) return;
    const attributes = { [ATTRIBUTES.shopId]: this.#base.shopId, [ATTRIBUTES.records]: this.records.length };
    this.#spans = this.#spans.map((span) => span.begin('append', attributes));
  }

  /** `fault` is null when the records are on disk. */
  endAppend(fault: string | null): void {
    for (const span of this.#spans) span.end({}, fault);
  }

  /** Adds the records of an accepted write. */
  #accept(request: WriteRequest, { state, events, result }: Decision, atMs: number): Outcome<WriteAnswer> {
    const { status, body } = request.render(result, state);
    const answer = answerToKeep(request.idempotency, status, body);
    const records = events.map((event) => ({ atMs, event, [EVENT_TEXT]: eventTextOf(event) }));
    // No code below this line throws: a write is in the group completely or not at all.
    for (const [index, record] of records.entries()) {
      this.#addAuditLine(request, record.event, status);
      const isLast = index === records.length - 1;
      this.records.push(isLast && answer !== null ? extended(record, { answer }) : record);
      this.bytes += record[EVENT_TEXT].event.length;
    }
    if (answer !== null) {
      this.#answers.set(answer.idempotencyKey, answer);
      this.bytes += answer.body.length;
    }
    this.state = state;
    if (records.length > 0) {
      this.lastAtMs = atMs;
      if (request.origin?.span) this.#spans.push(request.origin.span);
    }
    return success({ status, body, versionId: state.version.id, replayed: false });
  }

  #addAuditLine({ origin }: WriteRequest, event: ShopEvent, status: number): void {
    const note = auditNoteOf(event);
    if (note === null) return;
    const { keyId, keyLabel, action, subject } = note;
    const { shopId } = this.#base;
    this.auditLines.push({
      ...origin?.logFields({ status }),
      shopId,
      keyId,
      keyLabel,
      action,
      subject: subject.id,
    });
  }

  /** The answer for this key from this group or from the last 24 hours before it; null when there is none. */
  #findAnswer(key: string): StoredAnswer | null {
    const sinceMs = this.#ports.clock.nowMs() - IDEMPOTENCY_MS;
    return this.#answers.get(key) ?? this.#ports.log.findAnswer(this.#base.shopId, key, sinceMs);
  }
}

export const answerToKeep = (
  idempotency: Idempotency | null,
  status: number,
  body: string,
): StoredAnswer | null =>
  idempotency === null
    ? null
    : {
        idempotencyKey: idempotency.key,
        requestDigest: idempotency.requestDigest,
        status,
        body: idempotency.seal?.(body) ?? body,
      };

export function replay(
  earlier: StoredAnswer,
  idempotency: Idempotency,
  versionId: string,
): Outcome<WriteAnswer> {
  if (earlier.requestDigest !== idempotency.requestDigest) {
    return conflict('this Idempotency-Key was used for another request in the last 24 hours');
  }
  const body = idempotency.open === undefined ? earlier.body : idempotency.open(earlier.body);
  if (body === null) return SECRET_OF_ANOTHER_KEY;
  return success({ status: earlier.status, body, versionId, replayed: true });
}

/** Unlike every other refusal, this one says nothing about the write: an earlier request may have made it. */
export const SECRET_OF_ANOTHER_KEY: Failure = conflict(
  'this Idempotency-Key was used with another API key, and the answer holds a secret',
);

const CHANGESET_CHANGED = conflict('the changeset has changed or ended since it was read');

const NOT_DECIDED = failure('INTERNAL_ERROR', 'the write could not be decided');

const REVOKED = failure('UNAUTHORIZED', 'the API key has been revoked');
