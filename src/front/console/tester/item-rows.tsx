/** The items of a cart as rows: what each is, its group, and folded what few carts say of an item. */
import { ActionIcon, Button, Group, SimpleGrid } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import IconX from '@tabler/icons-react/icons/IconX';
import { useContext } from 'react';
import { formatMoney, formatWeight } from '../amounts.ts';
import { useApp, useCurrency } from '../app-state.ts';
import { CheckField, fieldOf, TextField } from '../parts/field.tsx';
import { CountField, MoneyField, SizeField, WeightField } from '../parts/number-field.tsx';
import { TextsField } from '../parts/texts-field.tsx';
import { Unreadable } from '../parts/unreadable.ts';
import { counted } from '../words.ts';
import { type Cart, type CartItem, tagsOf, withTags } from './cart.ts';

/** More would push what follows out of sight: they scroll within themselves. */
const SHOWN_MAX = 6;

interface ItemRowsProps {
  readonly cart: Cart;
  readonly onCart: (cart: Cart) => void;
  /** The name of the product group of each item; null until the groups are read. */
  readonly groupNames: readonly string[] | null;
}

export function ItemRows({ cart, onCart, groupNames }: ItemRowsProps) {
  const currency = useCurrency(cart);
  const { items } = cart;
  const { isAny: isUnreadable } = useContext(Unreadable);
  const setItems = (changed: readonly CartItem[]): void => onCart({ ...cart, items: [...changed] });
  const sum = (of: (item: CartItem) => number): number =>
    items.reduce((total, item) => total + item.quantity * of(item), 0);
  return (
    <fieldset>
      <legend>
        Items <span className="count">{items.length}</span>
      </legend>
      <div className={`items ${items.length > SHOWN_MAX ? 'many-items' : ''}`}>
        <div className="item-head" aria-hidden="true">
          <span>Item</span>
          <span>Quantity</span>
          <span>Weight</span>
          <span>Price</span>
        </div>
        {items.map((item, index) => (
          <ItemRow
            // Items have no identity but their place.
            key={index}
            index={index}
            item={item}
            groupName={groupNames?.[index] ?? null}
            onItem={(changed) => setItems(items.with(index, changed))}
            onRemove={items.length < 2 ? null : () => setItems(items.toSpliced(index, 1))}
          />
        ))}
      </div>
      <Group justify="space-between">
        <Button
          leftSection={<IconPlus size={16} />}
          onClick={() => setItems([...items, { name: '', quantity: 1, grams: 500, price: 1_000 }])}
        >
          Add an item
        </Button>
        {isUnreadable ? null : (
          <span className="quiet">
            {counted(
              sum(() => 1),
              'piece',
            )}
            , {formatWeight(sum(({ grams }) => grams))},{' '}
            {formatMoney(
              sum(({ price }) => price),
              currency,
            )}
          </span>
        )}
      </Group>
    </fieldset>
  );
}

interface ItemRowProps {
  readonly index: number;
  readonly item: CartItem;
  readonly groupName: string | null;
  readonly onItem: (item: CartItem) => void;
  readonly onRemove: (() => void) | null;
}

function ItemRow({ index, item, groupName, onItem, onRemove }: ItemRowProps) {
  const isDeveloper = useApp().isDeveloper.value;
  const path = `/items/${index}`;
  const field = fieldOf(item, (fields) => onItem({ ...item, ...fields }), path);
  const text = (name: 'name' | 'sku' | 'vendor' | 'productId' | 'variantId') => (
    <TextField {...field(name)} value={String(item[name] ?? '')} />
  );
  const side = (name: 'length' | 'width' | 'height', label: string) => (
    <SizeField {...field(name)} label={label} value={item[name] ?? null} isOptional />
  );
  const isShipped = item.requiresShipping !== false;
  return (
    <fieldset aria-label={`Item ${index + 1}`} className="item">
      <div className="item-fields">
        {text('name')}
        <CountField {...field('quantity')} />
        <WeightField {...field('grams')} />
        <MoneyField {...field('price')} />
        {onRemove === null ? null : (
          <ActionIcon
            className="remove"
            variant="subtle"
            color="gray"
            aria-label={`Remove item ${index + 1}`}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </div>
      <details>
        <summary>
          <span className="badge">{isShipped ? (groupName ?? '…') : 'not shipped'}</span>{' '}
          <span className="quiet">{[...tagsOf(item), 'Tags, SKU, size…'].join(' · ')}</span>
        </summary>
        <div className="stack">
          <TextsField
            label="Tags"
            path={`${path}/properties/tag`}
            value={tagsOf(item)}
            onValue={(tags) => onItem(withTags(item, tags))}
            isForReaders
          />
          <SimpleGrid cols={2} spacing="xs">
            {text('sku')}
            {text('vendor')}
            {isDeveloper || item.productId ? text('productId') : null}
            {isDeveloper || item.variantId ? text('variantId') : null}
          </SimpleGrid>
          <SimpleGrid cols={3} spacing="xs">
            {side('length', 'Length')}
            {side('width', 'Width')}
            {side('height', 'Height')}
          </SimpleGrid>
          <CheckField {...field('requiresShipping')} value={isShipped} />
        </div>
      </details>
    </fieldset>
  );
}
