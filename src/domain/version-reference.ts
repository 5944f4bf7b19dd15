/**
 * How a request names a version (contract section 10): by its id, by its number in decimal, or as `live`, the version
 * that is current when the request is answered. No id looks like the other two: an id of a version begins with
 * `version_`. Behind the front end versions are known by id alone.
 */
import Type from 'typebox';
import { ID_PATTERN } from './id-pattern.ts';

export const LIVE_VERSION = 'live';
/** The active changeset, where versions are compared: it is no version, and nothing else takes it. */
export const STAGED_CONFIG = 'staged';

const ACCEPTED = 'an id of a version, its number in decimal as text, or live';

/** A text of this schema names a version wherever a request has one. */
export const VersionReference = Type.String({
  pattern: ID_PATTERN,
  'x-accepts': ACCEPTED,
  examples: ['version_01JD3V8RZK6Q9W5T7X2Y4B8N0G'],
});

/** The same where versions are compared. */
export const ComparedReference = Type.String({
  pattern: ID_PATTERN,
  'x-accepts': `${ACCEPTED.replace(', or live', ', live')}, or staged while a changeset is active`,
  examples: ['version_01JD3V8RZK6Q9W5T7X2Y4B8N0G'],
});

const NUMBER = /^[1-9][0-9]{0,15}$/;

/** The number that the text is; null for any other text. */
export const versionNumberOf = (reference: string): number | null =>
  NUMBER.test(reference) ? Number(reference) : null;
