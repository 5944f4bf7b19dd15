/**
 * Group membership: what an item's texts must be for it to belong to a group. The group lists one of
 * them, and no group lists any of a stronger kind; or it is the default group and no group lists any at
 * all (contract section 5.1). Which of several groups gets an item that they list by the same kind is not
 * asked here, so that an item cannot belong is certain, that it can is not.
 */
import { ITEM_TEXT, type Predicate, SOURCE } from '../compile/predicate.ts';
import { GROUP_MATCHER_FIELDS, type GroupMatcherField, type ProductGroup } from '../domain/product-group.ts';
import { comparable } from '../domain/text.ts';
import { listedIn, type Requirement } from './requirement.ts';

/** Beyond so many entries in one list of a group its items are taken to be anything. */
const ENTRIES_MAX = 2_000;

const PLACE_OF: { readonly [K in GroupMatcherField]: Pick<Predicate, 'source' | 'field'> } = {
  variantIds: { source: SOURCE.itemText, field: ITEM_TEXT.variantId },
  productIds: { source: SOURCE.itemText, field: ITEM_TEXT.productId },
  skus: { source: SOURCE.itemText, field: ITEM_TEXT.sku },
  tags: { source: SOURCE.itemTags, field: 0 },
  vendors: { source: SOURCE.itemText, field: ITEM_TEXT.vendor },
};

/** Sets of requirements on one item, of which an item of the group satisfies one; null = unknown. */
export type Routes = readonly (readonly Requirement[])[] | null;

export class GroupMembership {
  readonly #groups: readonly ProductGroup[];
  readonly #routes = new Map<number, Routes>();
  /** The text is listed by some group. */
  readonly #listed = new Map<GroupMatcherField, Requirement>();

  constructor(groups: readonly ProductGroup[]) {
    this.#groups = groups;
  }

  routesTo(index: number): Routes {
    let routes = this.#routes.get(index);
    if (routes === undefined) {
      routes = this.#findRoutes(index);
      this.#routes.set(index, routes);
    }
    return routes;
  }

  #findRoutes(index: number): Routes {
    const group = this.#groups[index];
    if (group === undefined) return null;
    const fields = GROUP_MATCHER_FIELDS.filter((field) => group[field].length > 0);
    if (fields.some((field) => group[field].length > ENTRIES_MAX)) return null;
    const routes = fields.map((field) => [
      listOf([group], field, group.id),
      ...this.#unlisted(GROUP_MATCHER_FIELDS.slice(0, GROUP_MATCHER_FIELDS.indexOf(field))),
    ]);
    return group.isDefault ? [this.#unlisted(GROUP_MATCHER_FIELDS), ...routes] : routes;
  }

  /** No group lists any of these texts of the item. */
  #unlisted(fields: readonly GroupMatcherField[]): readonly Requirement[] {
    return fields
      .filter((field) => this.#groups.some((group) => group[field].length > 0))
      .map((field) => {
        let listed = this.#listed.get(field);
        listed ??= listOf(this.#groups, field, 'by any');
        this.#listed.set(field, listed);
        return listed.opposite();
      });
  }
}

/** The text is in this list of one of the groups. A `*` is a wildcard in SKUs only. */
function listOf(groups: readonly ProductGroup[], field: GroupMatcherField, name: string): Requirement {
  const entries = groups.flatMap((group) => group[field].map(comparable)).filter((entry) => entry !== '');
  const isPrefix = (entry: string) => field === 'skus' && entry.endsWith('*');
  return listedIn(
    PLACE_OF[field],
    entries.filter((entry) => !isPrefix(entry)),
    entries.filter(isPrefix).map((entry) => entry.slice(0, -1)),
    name,
  );
}
