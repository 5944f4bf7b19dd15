/**
 * Ids of records: their pattern, and how new ids are made (contract section 1). This module has no clock and no
 * randomness: each command brings the unique part as a seed. The schema of an id is in `schema.ts`, so that the log need
 * not load the schema library.
 *
 * The id of a version ends with its number, so that the log finds the version without an index of ids. Earlier releases
 * made ids without the number; the log indexes those.
 */

export const ID_LENGTH_MAX = 64;

/** Source of the regular expression that an id matches as a whole. */
export const ID_PATTERN = `^[A-Za-z0-9_-]{1,${ID_LENGTH_MAX}}$`;

const PATTERN = new RegExp(ID_PATTERN);

export const isId = (text: string): boolean => PATTERN.test(text);

/** Kind -> prefix of a generated id (contract section 1). */
export const ID_PREFIXES = {
  zone: 'zone_',
  subzone: 'sub_',
  productGroup: 'group_',
  method: 'method_',
  rule: 'rule_',
  blendedRate: 'blended_',
  check: 'check_',
  version: 'version_',
  key: 'key_',
  shop: 'shop_',
  staging: 'staging_',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Makes ids. The n-th call with the same seed makes the same id, so that a decision can be repeated exactly. */
export interface IdMaker {
  next(kind: IdKind): string;
}

/**
 * Ids from one seed: the first is the prefix and the seed, later ids add a counter, so that the ids of a bulk write
 * sort in its order. `seed` is a sortable unique string of at most 40 characters.
 */
export function idsFromSeed(seed: string): IdMaker {
  let count = 0;
  return {
    next(kind) {
      const tail = count === 0 ? '' : `-${count.toString(36).padStart(4, '0')}`;
      count++;
      return `${ID_PREFIXES[kind]}${seed}${tail}`;
    },
  };
}

/** A new id for the version with this number. */
export const versionIdOf = (ids: IdMaker, number: number): string => `${ids.next('version')}_${number}`;

const NUMBER_AT_END = /_([1-9][0-9]{0,15})$/;

/** The number at the end of the id of a version; null when the id has none. */
export function numberInVersionId(id: string): number | null {
  const digits = NUMBER_AT_END.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
