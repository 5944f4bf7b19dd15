/** The audit of a shop, page by page (contract section 12.3): read from the records whose events carry a note. */
import { type AuditEntry, auditIdOf, numberOfAuditId } from '../../engine/domain/audit.ts';
import { notFound, type Outcome, success } from '../../engine/domain/failure.ts';
import { auditNoteOf } from '../../engine/domain/shop-event.ts';
import type { EventLog, LogRecord } from '../../store/log/event-log.ts';

export interface AuditQuery {
  readonly limit: number;
  /** The id of the entry after which the page begins; null begins with the newest entry. */
  readonly cursor: string | null;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The cursor of the next page; null when this is the last. */
  readonly nextCursor: string | null;
}

/** `lastNumber` is the last record that readers see. NOT_FOUND for an unknown cursor. Throws `DamagedLogError`. */
export function auditPage(
  log: Pick<EventLog, 'readAudit'>,
  shopId: string,
  lastNumber: number,
  { limit, cursor }: AuditQuery,
): Outcome<AuditPage> {
  let upTo = lastNumber;
  if (cursor !== null) {
    const number = numberOfAuditId(cursor) ?? 0;
    const [found] = number > lastNumber ? [] : log.readAudit(shopId, number, 1);
    if (found?.sequenceNumber !== number) return notFound('auditEntry', cursor);
    upTo = number - 1;
  }
  const entries = log.readAudit(shopId, upTo, limit + 1).flatMap(entryOf);
  const nextCursor = entries.length > limit ? (entries[limit - 1]?.id ?? null) : null;
  return success({ entries: entries.slice(0, limit), nextCursor });
}

function entryOf({ sequenceNumber, atMs, event }: LogRecord): AuditEntry[] {
  const note = auditNoteOf(event);
  if (note === null) return [];
  return [{ id: auditIdOf(sequenceNumber), at: new Date(atMs).toISOString(), ...note }];
}
