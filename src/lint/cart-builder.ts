/**
 * Cart builder: items that fit a cart need. Best effort: of the carts that would do, the plain ones are
 * tried, and what comes out is for the caller to simulate.
 */
import { ITEM_TEXT, SOURCE } from '../compile/predicate.ts';
import type { CartItem } from '../domain/cart.ts';
import { comparable } from '../domain/text.ts';
import { testTags } from '../evaluate/predicate-test.ts';
import type { CartNeed } from './cart-need.ts';
import type { GroupKey, GroupMap } from './group-map.ts';
import { hasNumber, type IntervalSet, leastFrom, samples } from './interval-set.ts';
import type { ItemShape } from './item-shape.ts';
import { variableOf } from './requirement.ts';
import type { Steps } from './steps.ts';
import { isTextFit } from './text-search.ts';

type NumberField = 'grams' | 'price' | 'quantity';

const SHAPE_FIELD = { grams: 'weightGrams', price: 'priceCents', quantity: 'quantity' } as const;
/** What an example costs, weighs and counts unless more or less is asked for. */
const WANTED: Readonly<Record<NumberField, number>> = { grams: 500, price: 2_000, quantity: 1 };
const TRIES_MAX = 16;
const MORE_ITEMS_MAX = 40;

/** An item on its way: its numbers may still move within its shape. */
interface Piece {
  readonly shape: ItemShape;
  readonly isShipped: boolean;
  readonly fields: Omit<CartItem, NumberField>;
  readonly numbers: Record<NumberField, number>;
}

/** Items for a method of this group, or null when none of the tries fits. */
export function buildItems(
  need: CartNeed,
  group: number,
  map: GroupMap,
  steps: Steps,
): readonly CartItem[] | null {
  const pieces: Piece[] = [];
  for (const shape of need.groupItems) {
    const piece = pieceOf(shape, [group], true, map, steps);
    if (piece === null) return null;
    pieces.push(piece);
  }
  for (const shape of need.orderItems) {
    const piece = pieceOf(shape, shape.groups, false, map, steps);
    if (piece === null) return null;
    pieces.push(piece);
  }
  const filler = pieceOf(need.everyItem, need.everyItem.groups, false, map, steps);
  for (const more of [0, 1]) {
    const added = (leastFrom(need.uniqueItems, pieces.length + more) ?? Infinity) - pieces.length;
    if (added > MORE_ITEMS_MAX || (added > 0 && filler === null)) continue;
    const all = [...pieces, ...Array.from({ length: added }, () => filler as Piece)].map(copyOf);
    if ((['quantity', 'price', 'grams'] as const).every((field) => adjust(all, field, need, steps)))
      return all.map(itemOf);
  }
  return null;
}

const copyOf = (piece: Piece): Piece => ({ ...piece, numbers: { ...piece.numbers } });
const itemOf = ({ fields, numbers, isShipped }: Piece): CartItem => ({
  ...fields,
  ...numbers,
  ...(isShipped ? {} : { requiresShipping: false }),
});

const firstOf = (set: IntervalSet, wanted: number): number => samples(set, wanted, TRIES_MAX)[0] ?? wanted;

function pieceOf(
  shape: ItemShape,
  groups: readonly number[],
  isShipped: boolean,
  map: GroupMap,
  steps: Steps,
): Piece | null {
  const numbers = {
    grams: firstOf(shape.weightGrams, WANTED.grams),
    price: firstOf(shape.priceCents, WANTED.price),
    quantity: firstOf(shape.quantity, WANTED.quantity),
  };
  for (const group of groups) {
    for (const key of map.all[group]?.keys ?? []) {
      const fields = fieldsOf(shape, key, steps);
      if (fields !== null && map.groupOf({ ...fields, ...numbers }) === group) {
        return { shape, isShipped, fields, numbers };
      }
    }
  }
  return null;
}

/** The fields of the shape with those of the key, which give way to no requirement; null when they clash. */
function fieldsOf(shape: ItemShape, key: GroupKey, steps: Steps): Omit<CartItem, NumberField> | null {
  steps.spend(shape.requirements.length);
  const textAt = (field: number, own: string | number | null | undefined): string | undefined => {
    const found = shape.texts.get(field);
    if (own === undefined || own === null) return found;
    const text = comparable(String(own));
    const onText = shape.requirements.filter(
      ({ variable }) => variable === variableOf(SOURCE.itemText, field),
    );
    return isTextFit(onText, text, steps) ? String(own) : found;
  };
  const ownTag = key.properties?.tag;
  const tags = [...(ownTag === undefined || ownTag === null ? [] : [ownTag]), ...shape.tags];
  const areTagsFit = shape.requirements
    .filter(({ predicate }) => predicate.source === SOURCE.itemTags)
    .every(({ predicate, negated }) => testTags(predicate, tags.map(comparable)) !== negated);
  if (!areTagsFit) return null;
  const fields = {
    name: textAt(ITEM_TEXT.title, undefined),
    sku: textAt(ITEM_TEXT.sku, key.sku),
    vendor: textAt(ITEM_TEXT.vendor, key.vendor),
    productId: textAt(ITEM_TEXT.productId, key.productId),
    variantId: textAt(ITEM_TEXT.variantId, key.variantId),
  };
  const present = Object.entries(fields).filter(([, text]) => text !== undefined && text !== '');
  return {
    ...Object.fromEntries(present),
    ...(tags.length === 0 ? {} : { properties: { tag: tags.join(',') } }),
  };
}

/** Moves one number of one or two pieces until the sums of group and order fit; false when they do not. */
function adjust(pieces: readonly Piece[], field: NumberField, need: CartNeed, steps: Steps): boolean {
  const { [SHAPE_FIELD[field]]: orderSums } = need.order;
  const { [SHAPE_FIELD[field]]: groupSums } = need.group;
  const factor = ({ numbers }: Piece) => (field === 'quantity' ? 1 : numbers.quantity);
  const total = (list: readonly Piece[]) => {
    steps.spend(list.length);
    return list.reduce((sum, piece) => sum + piece.numbers[field] * factor(piece), 0);
  };
  const shipped = pieces.filter((piece) => piece.isShipped);
  const others = pieces.filter((piece) => !piece.isShipped);
  const isGroupFit = () => hasNumber(groupSums, total(shipped));
  const isOrderFit = () => hasNumber(orderSums, total(pieces));
  const moveOne = (
    piece: Piece,
    sums: IntervalSet,
    within: readonly Piece[],
    isDone: () => boolean,
  ): boolean => {
    const before = piece.numbers[field];
    const rest = total(within) - before * factor(piece);
    for (const sum of samples(sums, total(within), TRIES_MAX)) {
      const number = (sum - rest) / factor(piece);
      if (!Number.isInteger(number) || !hasNumber(piece.shape[SHAPE_FIELD[field]], number)) continue;
      piece.numbers[field] = number;
      if (isDone()) return true;
    }
    piece.numbers[field] = before;
    return false;
  };
  const settleOrder = () =>
    isOrderFit() || others.some((piece) => moveOne(piece, orderSums, pieces, isOrderFit));
  const isDone = () => isGroupFit() && settleOrder();
  return (
    isDone() ||
    shipped.some(
      (piece) => moveOne(piece, orderSums, pieces, isDone) || moveOne(piece, groupSums, shipped, isDone),
    )
  );
}
