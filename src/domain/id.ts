/**
 * Ids: at most 64 characters of `[A-Za-z0-9_-]` with a prefix per kind and a part that sorts by time (contract
 * section 1). The core makes no unique part of its own: each command brings one as its seed.
 */
import Type from '#typebox';
import { ID_LENGTH_MAX, ID_PATTERN } from './id-pattern.ts';

export const Id = Type.String({
  pattern: ID_PATTERN,
  'x-accepts': `an id: 1 to ${ID_LENGTH_MAX} characters of A-Z, a-z, 0-9, _ and -`,
  examples: ['method_01JD3V8RZK6Q9W5T7X2Y4B8N0C'],
});

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
