/**
 * Cart builder: makes items that satisfy a cart need. Best effort: it tries only simple carts, and the caller must
 * simulate the result.
 */
import { SOURCE, testTags } from '../compile/predicate.ts';
import type { CartItem } from '../domain/cart.ts';
import { FIELD } from '../domain/condition.ts';
import { comparable } from '../domain/text.ts';
import type { CartNeed, ItemShape } from './cart-need.ts';
import type { GroupKey, GroupMap } from './group-map.ts';
import { hasNumber, type IntervalSet, leastFrom, samples } from './interval-set.ts';
import { variableOf } from './requirement.ts';
import type { Steps } from './steps.ts';
import { isTextFit } from './text-search.ts';

/** Preferred weight, price and quantity of an example item, by `FIELD`. */
const WANTED = [500, 2_000, 1] as const;
/** Millimetres. */
const WANTED_SIDE = 200;
const TRIES_MAX = 16;
const MORE_ITEMS_MAX = 40;

const { product_weight: weight, product_price: price, product_quantity: quantity } = FIELD;
type NumberField = typeof weight | typeof price | typeof quantity;
type TextFields = Omit<CartItem, 'grams' | 'price' | 'quantity'>;

/** An item under construction: its numbers may still change within the limits of its shape. */
interface Piece {
  readonly shape: ItemShape;
  readonly isShipped: boolean;
  readonly fields: TextFields;
  /** Weight, price and quantity, by `FIELD`. */
  readonly numbers: [number, number, number];
}

/** Returns items for a method of this group; null when no attempt fits. */
export function buildItems(
  need: CartNeed,
  group: number,
  map: GroupMap,
  steps: Steps,
): readonly CartItem[] | null {
  const pieces = [
    ...need.groupItems.map((shape) => pieceOf(shape, [group], true, map, steps)),
    ...need.orderItems.map((shape) => pieceOf(shape, shape.groups, false, map, steps)),
  ];
  const filler = pieceOf(need.everyItem, need.everyItem.groups, false, map, steps);
  for (const more of [0, 1]) {
    const added = (leastFrom(need.uniqueItems, pieces.length + more) ?? Infinity) - pieces.length;
    if (added > MORE_ITEMS_MAX) continue;
    const all = [...pieces, ...Array.from({ length: added }, () => filler)];
    if (all.includes(null)) continue;
    const copies = (all as Piece[]).map((piece): Piece => ({ ...piece, numbers: [...piece.numbers] }));
    if ([quantity, price, weight].every((field) => adjust(copies, field, need, steps)))
      return copies.map(itemOf);
  }
  return null;
}

const itemOf = ({ fields, numbers: [grams, cents, pieces], isShipped }: Piece): CartItem => ({
  ...fields,
  grams,
  price: cents,
  quantity: pieces,
  ...(isShipped ? {} : { requiresShipping: false }),
});

function pieceOf(
  shape: ItemShape,
  groups: readonly number[],
  isShipped: boolean,
  map: GroupMap,
  steps: Steps,
): Piece | null {
  const near = (field: NumberField) => samples(shape.numbers[field], WANTED[field], TRIES_MAX)[0] ?? 0;
  const numbers: Piece['numbers'] = [near(weight), near(price), near(quantity)];
  const sides = sidesOf(shape);
  if (sides === null) return null;
  for (const group of groups) {
    for (const key of map.all[group]?.keys ?? []) {
      const texts = fieldsOf(shape, key, steps);
      if (texts === null) continue;
      const piece = { shape, isShipped, fields: { ...texts, ...sides }, numbers };
      if (map.groupOf(itemOf(piece)) === group) return piece;
    }
  }
  return null;
}

/** Returns sides that fit the shape: no sides when they may be 0; null when none is found. */
function sidesOf({
  sides: [longest, girths],
}: ItemShape): Pick<CartItem, 'length' | 'width' | 'height'> | null {
  if (hasNumber(longest, 0) && hasNumber(girths, 0)) return {};
  for (const length of samples(longest, WANTED_SIDE, TRIES_MAX)) {
    for (const girth of samples(girths, 3 * length, TRIES_MAX)) {
      // Girth = length + 2 x (width + height), and neither is longer than the length.
      const others = (girth - length) / 2;
      if (!Number.isInteger(others) || others < 0 || others > 2 * length) continue;
      const width = Math.ceil(others / 2);
      return { length, width, height: others - width };
    }
  }
  return null;
}

/** Returns fields of the key where requirements allow them, else of the shape; null when the tags conflict. */
function fieldsOf({ requirements, texts, tags }: ItemShape, key: GroupKey, steps: Steps): TextFields | null {
  steps.spend(requirements.length);
  const textAt = (field: number, own?: string | number | null): string | undefined => {
    const found = texts.get(field);
    if (own === undefined || own === null) return found;
    const variable = variableOf(SOURCE.itemText, field);
    const onText = requirements.filter((each) => each.variable === variable);
    return isTextFit(onText, comparable(String(own)), steps) ? String(own) : found;
  };
  const allTags = [key.properties?.tag ?? [], tags].flat();
  const folded = allTags.map(comparable);
  const areTagsFit = requirements.every(
    ({ predicate, negated }) =>
      predicate.source !== SOURCE.itemTags || testTags(predicate, folded) !== negated,
  );
  if (!areTagsFit) return null;
  const fields = {
    name: textAt(FIELD.product_title),
    sku: textAt(FIELD.product_sku, key.sku),
    vendor: textAt(FIELD.product_vendor, key.vendor),
    productId: textAt(FIELD.product_id, key.productId),
    variantId: textAt(FIELD.product_variant_id, key.variantId),
  };
  const present = Object.entries(fields).filter(([, text]) => text !== undefined && text !== '');
  const properties = allTags.length === 0 ? {} : { properties: { tag: allTags.join(',') } };
  return { ...Object.fromEntries(present), ...properties };
}

/** Changes one number of one or two items so that the sums of group and order fit; returns false when impossible. */
function adjust(pieces: readonly Piece[], field: NumberField, need: CartNeed, steps: Steps): boolean {
  const factor = ({ numbers }: Piece) => (field === quantity ? 1 : numbers[quantity]);
  const total = (list: readonly Piece[]) => {
    steps.spend(list.length);
    return list.reduce((sum, piece) => sum + piece.numbers[field] * factor(piece), 0);
  };
  const shipped = pieces.filter(({ isShipped }) => isShipped);
  const others = pieces.filter(({ isShipped }) => !isShipped);
  const isOrderFit = () => hasNumber(need.order[field], total(pieces));
  const moveOne = (
    piece: Piece,
    sums: IntervalSet,
    within: readonly Piece[],
    isDone: () => boolean,
  ): boolean => {
    const before = piece.numbers[field];
    const now = total(within);
    for (const sum of samples(sums, now, TRIES_MAX)) {
      const number = before + (sum - now) / factor(piece);
      if (!Number.isInteger(number) || !hasNumber(piece.shape.numbers[field], number)) continue;
      piece.numbers[field] = number;
      if (isDone()) return true;
    }
    piece.numbers[field] = before;
    return false;
  };
  const settleOrder = () =>
    isOrderFit() || others.some((piece) => moveOne(piece, need.order[field], pieces, isOrderFit));
  const isDone = () => hasNumber(need.group[field], total(shipped)) && settleOrder();
  return (
    isDone() ||
    shipped.some(
      (piece) =>
        moveOne(piece, need.order[field], pieces, isDone) ||
        moveOne(piece, need.group[field], shipped, isDone),
    )
  );
}
