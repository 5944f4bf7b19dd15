/** The cart of the tester as a form: destination, items, and the moment. Errors of the service stand at their field. */
import { useState } from 'preact/hooks';
import { formatMoney, formatWeight } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { isoOfLocal, localOfIso } from '../local-time.ts';
import { Dialog } from '../parts/dialog.tsx';
import {
  CheckField,
  ChoiceField,
  CountField,
  fieldOf,
  MoneyField,
  TextField,
  WeightField,
} from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { Notice } from '../parts/notice.tsx';
import { countryOptions, stateOptions } from '../place-names.ts';
import { type Cart, type CartItem, cartName, readCart } from './cart.ts';
import { CustomerFields } from './customer-fields.tsx';
import { recentCarts } from './recent-carts.ts';

/** Items whose fields are all shown; those of a longer cart would push what follows out of sight. */
const UNFOLDED_MAX = 3;

interface CartFormProps {
  readonly cart: Cart;
  readonly onCart: (cart: Cart) => void;
  readonly at: string;
  readonly onAt: (at: string) => void;
  /** Saved carts: name and cart. */
  readonly saved: readonly (readonly [name: string, cart: Cart])[];
}

export function CartForm({ cart, onCart, at, onAt, saved }: CartFormProps) {
  const [isPasting, setPasting] = useState(false);
  const setItem = (index: number, item: CartItem): void =>
    onCart({ ...cart, items: cart.items.map((other, place) => (place === index ? item : other)) });
  const isLong = cart.items.length > UNFOLDED_MAX;
  const items = cart.items.map((item, index) => (
    <ItemFields
      // Items have no identity but their place.
      key={index}
      index={index}
      item={item}
      isFolded={isLong}
      onItem={(changed) => setItem(index, changed)}
      onRemove={
        cart.items.length < 2
          ? null
          : () => onCart({ ...cart, items: cart.items.filter((_, place) => place !== index) })
      }
    />
  ));
  return (
    <>
      <form class="stack" aria-label="Cart" onSubmit={(event) => event.preventDefault()}>
        <div class="row between">
          <h2>Cart</h2>
          <button type="button" onClick={() => setPasting(true)}>
            Paste or pick…
          </button>
        </div>
        <DestinationFields cart={cart} onCart={onCart} />
        {isLong ? (
          <>
            <h3>
              Items <span class="count">{items.length}</span>
            </h3>
            <div class="stack many-items">{items}</div>
          </>
        ) : (
          items
        )}
        <button
          type="button"
          onClick={() =>
            onCart({ ...cart, items: [...cart.items, { name: '', quantity: 1, grams: 500, price: 1_000 }] })
          }
        >
          Add an item
        </button>
        <CustomerFields cart={cart} onCart={onCart} />
        <TextField
          label="At (your time; empty for now)"
          type="datetime-local"
          value={localOfIso(at)}
          onValue={(text) => onAt(isoOfLocal(text))}
        />
      </form>
      {isPasting ? (
        <CartDialog cart={cart} saved={saved} onCart={onCart} onClose={() => setPasting(false)} />
      ) : null}
    </>
  );
}

function DestinationFields({ cart, onCart }: Pick<CartFormProps, 'cart' | 'onCart'>) {
  const { destination } = cart;
  const set = (fields: Partial<Cart['destination']>): void =>
    onCart({ ...cart, destination: { ...destination, ...fields } });
  const field = fieldOf(destination, set, '/destination');
  const text = (name: 'postalCode' | 'city' | 'province' | 'address1' | 'name' | 'company' | 'phone') => (
    <TextField {...field(name)} value={destination[name] ?? ''} />
  );
  const states = stateOptions(destination.country);
  const province = (destination.province ?? '').toUpperCase();
  const isListed = province === '' || states.some(([code]) => code === province);
  return (
    <fieldset>
      <legend>Destination</legend>
      <ChoiceField
        path="/destination/country"
        value={destination.country.toUpperCase()}
        options={countryOptions()}
        onValue={(country) => set({ country, province: '' })}
      />
      <div class="pair">
        {states.length > 0 && isListed ? (
          <ChoiceField {...field('province')} value={province} options={[['', 'None'], ...states]} />
        ) : (
          text('province')
        )}
        {text('postalCode')}
      </div>
      <details>
        <summary>Address</summary>
        <div class="stack">
          {text('name')}
          {text('company')}
          {text('address1')}
          {text('city')}
          {text('phone')}
        </div>
      </details>
    </fieldset>
  );
}

interface ItemFieldsProps {
  readonly index: number;
  readonly item: CartItem;
  /** Below one line each. */
  readonly isFolded: boolean;
  readonly onItem: (item: CartItem) => void;
  readonly onRemove: (() => void) | null;
}

function ItemFields({ index, item, isFolded, onItem, onRemove }: ItemFieldsProps) {
  const path = `/items/${index}`;
  const field = fieldOf(item, (fields) => onItem({ ...item, ...fields }), path);
  const text = (name: 'name' | 'sku' | 'vendor' | 'productId' | 'variantId') => (
    <TextField {...field(name)} value={String(item[name] ?? '')} />
  );
  const side = (name: 'length' | 'width' | 'height', label: string) => (
    <CountField {...field(name)} label={label} value={item[name] ?? null} isOptional />
  );
  const title = `Item ${index + 1}`;
  const fields = (
    <>
      {text('name')}
      <div class="triple">
        <CountField {...field('quantity')} />
        <WeightField {...field('grams')} />
        <MoneyField {...field('price')} />
      </div>
      <details>
        <summary>Tags, SKU, size and more</summary>
        <div class="stack">
          <TextField
            label="Tags, separated by commas"
            path={`${path}/properties/tag`}
            value={item.properties?.tag ?? ''}
            onValue={(tag) => onItem({ ...item, properties: { ...item.properties, tag } })}
          />
          <div class="pair">
            {text('sku')}
            {text('vendor')}
            {text('productId')}
            {text('variantId')}
          </div>
          <div class="triple">
            {side('length', 'Length (mm)')}
            {side('width', 'Width (mm)')}
            {side('height', 'Height (mm)')}
          </div>
          <CheckField {...field('requiresShipping')} value={item.requiresShipping !== false} />
        </div>
      </details>
      {onRemove === null ? null : (
        <button type="button" class="plain start" onClick={onRemove}>
          Remove item {index + 1}
        </button>
      )}
    </>
  );
  return isFolded ? (
    // One that was just added has no name yet.
    <Fold path={path} isOpenAtFirst={item.name === ''} summary={<ItemLine title={title} item={item} />}>
      <fieldset aria-label={title}>{fields}</fieldset>
    </Fold>
  ) : (
    <fieldset>
      <legend>{title}</legend>
      {fields}
    </fieldset>
  );
}

function ItemLine({ title, item }: { readonly title: string; readonly item: CartItem }) {
  const { currency } = useSignedIn().shop;
  const { name, sku, quantity, grams, price } = item;
  return (
    <>
      <strong>{name || sku || title}</strong>
      <span class="quiet description">
        {quantity} × {formatWeight(grams)}, {formatMoney(price, currency)}
      </span>
    </>
  );
}

function CartDialog({
  cart,
  saved,
  onCart,
  onClose,
}: Pick<CartFormProps, 'cart' | 'saved' | 'onCart'> & { readonly onClose: () => void }) {
  const [text, setText] = useState(JSON.stringify(cart, null, 2));
  const [refusal, setRefusal] = useState('');
  const take = (taken: Cart): void => {
    onCart(taken);
    onClose();
  };
  const recent = recentCarts().map((each) => [cartName(each), each] as const);
  return (
    <Dialog title="Cart" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const read = readCart(text);
          if (typeof read === 'string') setRefusal(read);
          else take(read);
        }}
      >
        <CartList title="Saved with checks" carts={saved} onPick={take} />
        <CartList title="Tried lately in this tab" carts={recent} onPick={take} />
        <TextField label="Cart as JSON" value={text} onValue={setText} lines={14} />
        {refusal === '' ? null : <Notice kind="bad">{refusal}</Notice>}
        <button type="submit" class="primary">
          Use this cart
        </button>
      </form>
    </Dialog>
  );
}

interface CartListProps {
  readonly title: string;
  readonly carts: CartFormProps['saved'];
  readonly onPick: (cart: Cart) => void;
}

const CartList = ({ title, carts, onPick }: CartListProps) =>
  carts.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul class="choices">
        {carts.map(([name, cart], index) => (
          <li key={`${index} ${name}`}>
            <button type="button" class="plain" onClick={() => onPick(cart)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
