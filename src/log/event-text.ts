/**
 * The JSON of an event, made right after the decision and passed along with its record. The record contains the
 * event, and the index of versions contains its version. Serialising both once, while the objects are in the
 * processor's caches, saves a tenth of the time of a write.
 */
import type { ShopEvent } from '../domain/shop-event.ts';

/** The field of a record with its event text. A symbol, because `JSON.stringify` skips symbols. */
export const EVENT_TEXT: unique symbol = Symbol('event text');

export interface EventText {
  /** Same text as `JSON.stringify` of the event. */
  readonly event: string;
  /** Same text as `JSON.stringify` of the version that the event makes; null when it makes none. */
  readonly version: string | null;
}

/** For small events: does not yield. */
export function eventTextOf(event: ShopEvent): EventText {
  if (!('version' in event)) return { event: JSON.stringify(event), version: null };
  const version = JSON.stringify(event.version);
  if (event.kind !== 'configChanged') return { event: JSON.stringify(event), version };
  const { kind, change } = event;
  return { event: `{"kind":"${kind}","change":${JSON.stringify(change)},"version":${version}}`, version };
}
