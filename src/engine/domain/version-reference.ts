/**
 * Version references: a request names a version by its id, by its number in decimal, or as `live`, the version that is
 * current when the request is answered (contract section 10). The three are distinct, since the id of a version begins
 * with `version_`. Behind the front end only ids are used.
 */
import Type from '#typebox';
import { ID_PATTERN } from './id.ts';
import type { ShopState } from './shop-event.ts';

export const LIVE_VERSION = 'live';
/** Names the active changeset in a comparison; it is no version, and no other request accepts it. */
export const STAGED_CONFIG = 'staged';

const ACCEPTED = 'an id of a version, its number in decimal as text';

const reference = (accepted: string) =>
  Type.String({
    pattern: ID_PATTERN,
    'x-accepts': accepted,
    examples: ['version_01JD3V8RZK6Q9W5T7X2Y4B8N0G'],
  });

/** A version in a path, query or body. */
export const VersionReference = reference(`${ACCEPTED}, or live`);

/** A version, or the active changeset, in a comparison. */
export const ComparedReference = reference(`${ACCEPTED}, live, or staged while a changeset is active`);

/** Between the parts of a tag; no id contains it. */
const SEPARATOR = '.';

/**
 * The entity tag of what reads show by default: the id of the live version; while a changeset is active, also its id and the
 * number of its writes. So it changes with each write to the changeset and with its end, and never comes back.
 */
export const viewTagOf = ({ version, staging }: Pick<ShopState, 'version' | 'staging'>): string =>
  staging === null ? version.id : [version.id, staging.id, staging.writes.length].join(SEPARATOR);

/** True for a tag that was given while a changeset was active. */
export const isChangesetTag = (tag: string): boolean => tag.includes(SEPARATOR);

const NUMBER = /^[1-9][0-9]{0,15}$/;

/** The version number in decimal; null for any other text. */
export const versionNumberOf = (reference: string): number | null =>
  NUMBER.test(reference) ? Number(reference) : null;
