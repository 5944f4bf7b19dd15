/** Edits of several methods at once, as functions of all methods: what is saved is one replacement, and one version. */
import type { Schemas } from '../../client/call-table.ts';
import type { Method, Tier } from './method-kind.ts';

export type BulkEdit =
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'add'; readonly amount: number }
  | { readonly kind: 'round'; readonly ending: number }
  | { readonly kind: 'enable' | 'disable' | 'delete' }
  | { readonly kind: 'copy'; readonly zoneIds: readonly string[] }
  /** New prices of methods with a flat price, by id. */
  | { readonly kind: 'prices'; readonly prices: ReadonlyMap<string, number> };

/** Fields of configs that are amounts of money. */
const PRICE_FIELDS = new Set([
  'price',
  'firstPrice',
  'additionalPrice',
  'firstItemPrice',
  'additionalItemPrice',
]);

/** The bounds of a price table are totals of carts, so prices in tiers are `price` alone. */
function withPrices<T extends object>(config: T, change: (price: number) => number): T {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (name === 'tiers') return [name, (value as readonly Tier[]).map((tier) => withPrices(tier, change))];
      return [name, PRICE_FIELDS.has(name) && typeof value === 'number' ? change(value) : value];
    }),
  ) as T;
}

/** Has a price that percentages, amounts and endings change. */
export const isPriced = ({ rateType }: Pick<Method, 'rateType'>): boolean =>
  rateType !== 'free' && rateType !== 'percentage';

/** The nearest amount with these last two digits, such as 4.90; half of the way goes up. What is free stays free. */
export function rounded(price: number, ending: number): number {
  if (price === 0) return 0;
  const below = Math.floor((price - ending) / 100) * 100 + ending;
  const nearest = price - below < below + 100 - price ? below : below + 100;
  return nearest <= 0 ? nearest + 100 : nearest;
}

/** By a percentage, an amount or an ending. */
export const changesPrices = (edit: BulkEdit): boolean => changeOf(edit) !== null;

function changeOf(edit: BulkEdit): ((price: number) => number) | null {
  switch (edit.kind) {
    case 'percent':
      return (price) => Math.max(0, Math.round(price * (1 + edit.percent / 100)));
    case 'add':
      // What is free stays free.
      return (price) => (price === 0 ? 0 : Math.max(0, price + edit.amount));
    case 'round':
      return (price) => rounded(price, edit.ending);
    default:
      return null;
  }
}

const isIn = (ids: ReadonlySet<string>, { id }: { readonly id: string }): boolean => ids.has(id);

/** All methods after the edit of those with these ids; copies stand at the end and have no ids yet. */
export function editedMethods(
  methods: readonly Method[],
  ids: ReadonlySet<string>,
  edit: BulkEdit,
): readonly (Method | Schemas['MethodData'])[] {
  const change = changeOf(edit);
  const each = (make: (method: Method) => Method) =>
    methods.map((method) => (isIn(ids, method) ? make(method) : method));
  if (change !== null)
    return each((method) =>
      isPriced(method) ? ({ ...method, config: withPrices(method.config, change) } as Method) : method,
    );
  switch (edit.kind) {
    case 'enable':
    case 'disable':
      return each((method) => ({ ...method, enabled: edit.kind === 'enable' }));
    case 'delete':
      return methods.filter((method) => !isIn(ids, method));
    case 'copy':
      return [
        ...methods,
        ...edit.zoneIds.flatMap((zoneId) =>
          methods
            .filter((method) => isIn(ids, method) && method.zoneId !== zoneId)
            .map((method) => copied(method, zoneId)),
        ),
      ];
    case 'prices':
      return methods.map((method) => {
        const price = edit.prices.get(method.id);
        return price === undefined || method.rateType !== 'flat' ? method : { ...method, config: { price } };
      });
    default:
      return methods;
  }
}

/** Without ids and service code: the service makes them. */
function copied({ id: _, serviceCode: __, rules, ...method }: Method, zoneId: string): Schemas['MethodData'] {
  return { ...method, zoneId, rules: rules.map(({ id: ___, ...rule }) => rule) } as Schemas['MethodData'];
}

/**
 * The methods as `data` of `/api/config` takes them. Rules that are left out stay as they are, so that the body of a large
 * shop is small.
 */
export const methodsData = (edited: ReturnType<typeof editedMethods>): Schemas['ConfigData']['methods'] =>
  edited.map((method) => {
    if (method.id === undefined) return method as Schemas['MethodData'];
    const { rules: _, ...kept } = method;
    return kept as Schemas['MethodData'];
  });

/** Records that name a method of these and would have to go, or change, with it. */
export const blendsOf = (
  blends: readonly Schemas['BlendedRate'][],
  ids: ReadonlySet<string>,
): readonly Schemas['BlendedRate'][] =>
  blends.filter(({ preferences }) =>
    preferences.some(({ preferredMethodId: id }) => id !== null && ids.has(id)),
  );

/** Without the preferences for these methods: such a group has the lowest price. */
export const withoutPreferred = (
  blends: readonly Schemas['BlendedRate'][],
  ids: ReadonlySet<string>,
): readonly Schemas['BlendedRate'][] =>
  blends.map((blend) => ({
    ...blend,
    preferences: blend.preferences.filter(({ preferredMethodId: id }) => id === null || !ids.has(id)),
  }));
