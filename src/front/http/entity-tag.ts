/**
 * Entity tags of reads (RFC 9110, section 8.8): the id of the live version, or the tag of the changeset that is shown. A
 * client sends it back to guard a write (`If-Match`) or to find out whether the answer has changed (`If-None-Match`).
 */

import { isId } from '../../engine/domain/id.ts';
import { viewTagOf } from '../../engine/domain/view-tag.ts';
import type { ShopAccess } from '../../shop/reader/shop-access.ts';
import type { QueryValues } from './query-text.ts';

/** The tag of the current answer to a request with this query, without quotes. */
export type TagOf = (shop: ShopAccess, query: QueryValues) => string;

/** That of a read that takes `view`. */
export const viewTag: TagOf = ({ state }, query) =>
  query['view'] === 'live' ? state.version.id : viewTagOf(state);

// RFC 9110: visible characters but the double quote, and bytes above 127.
const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"$/;

/** The tags that a header lists; "any" for `*`, null when it is malformed. A weak tag counts like a strong one. */
export function parseTags(text: string): readonly string[] | 'any' | null {
  if (text.trim() === '*') return 'any';
  const tags: string[] = [];
  for (const part of splitList(text)) {
    // A bare id without quotes is not a valid tag, but clients send it and its meaning is clear.
    const tag = isId(part) ? part : ENTITY_TAG.exec(part)?.[1];
    if (tag === undefined) return null;
    tags.push(tag);
  }
  return tags.length === 0 ? null : tags;
}

/** True when this `If-None-Match` names the tag. A malformed header names no tag. */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  const tags = parseTags(ifNoneMatch);
  return tags === 'any' || tags?.includes(tag) === true;
}

/** Splits at commas outside quotes. Empty elements, which HTTP allows in lists, are dropped. */
function splitList(text: string): string[] {
  return (text.match(/(?:"[^"]*"|[^",])+|"/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');
}
