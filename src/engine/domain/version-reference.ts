/**
 * Version references: a request names a version by its id, by its number in decimal, or as `live`, the version that is
 * current when the request is answered (contract section 10). The three are distinct, since the id of a version begins
 * with `version_`. Behind the front end only ids are used.
 */
import Type from '#typebox';
import { ID_PATTERN } from './id.ts';

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

const NUMBER = /^[1-9][0-9]{0,15}$/;

/** The version number in decimal; null for any other text. */
export const versionNumberOf = (reference: string): number | null =>
  NUMBER.test(reference) ? Number(reference) : null;
