/** Product groups: each item of a cart belongs to exactly one (contract section 5.1). */
import Type, { type Static } from '#typebox';
import { Id, strict } from './schema.ts';
import { MatcherText, Name } from './text.ts';

const MATCHERS_MAX = 100_000;

const matchers = (what: string) =>
  Type.Array(MatcherText, { maxItems: MATCHERS_MAX, description: `${what} of the items in this group` });

/** The lists that put an item into its group, in the order in which they are tried (contract section 5.1). */
export const GROUP_MATCHER_FIELDS = ['variantIds', 'productIds', 'skus', 'tags', 'vendors'] as const;
export type GroupMatcherField = (typeof GROUP_MATCHER_FIELDS)[number];

export const ProductGroup = strict('ProductGroup', {
  id: Id,
  name: Name,
  isDefault: Type.Boolean({ description: 'true for the one group of items that no group lists' }),
  variantIds: matchers('Variant ids'),
  productIds: matchers('Product ids'),
  skus: matchers('SKUs (a trailing * is a wildcard)'),
  tags: matchers('Tags'),
  vendors: matchers('Vendors'),
});
export type ProductGroup = Readonly<Static<typeof ProductGroup>>;

/** Id of the default group; "" when there is none, as in a body that is still being checked. */
export const defaultGroupId = (groups: readonly Pick<ProductGroup, 'id' | 'isDefault'>[]): string =>
  groups.find(({ isDefault }) => isDefault)?.id ?? '';

export const DEFAULT_GROUP_NAME = 'Default';
