/** The cart of the tester as a form: destination, items, and the moment. Errors of the service stand at their field. */
import { Button, Group, SimpleGrid } from '@mantine/core';
import { type ContextType, useState } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { isoOfLocal, localOfIso } from '../local-time.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, fieldOf, TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { MoneyField } from '../parts/number-field.tsx';
import { TextsField } from '../parts/texts-field.tsx';
import { Unreadable } from '../parts/unreadable.ts';
import { useAnswer } from '../parts/use-answer.ts';
import { countryOptions, stateOptions } from '../place-names.ts';
import { type Cart, cartName, readCart } from './cart.ts';
import { groupsOfItems } from './item-groups.ts';
import { ItemRows } from './item-rows.tsx';
import { recentCarts } from './recent-carts.ts';

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
  const { calls } = useSignedIn();
  const { value } = useAnswer((signal) => calls.listGroups({ signal }), []);
  const names = new Map(value?.groups.map(({ id, name }) => [id, name]));
  const groupNames =
    value === null ? null : groupsOfItems(cart.items, value.groups).map((id) => names.get(id) ?? id);
  return (
    <>
      <form className="stack" aria-label="Cart" onSubmit={(event) => event.preventDefault()}>
        <Group justify="space-between" wrap="nowrap">
          <h2>Cart</h2>
          <Button onClick={() => setPasting(true)}>Paste or pick…</Button>
        </Group>
        <DestinationFields cart={cart} onCart={onCart} />
        <ItemRows {...{ cart, onCart, groupNames }} />
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

interface LinkedCartFormProps extends Pick<CartFormProps, 'cart' | 'saved'> {
  /** Is told of fields that cannot be read. */
  readonly fields: ContextType<typeof Unreadable>;
}

/** The form of the cart and the moment in the link. */
export function LinkedCartForm({ cart, saved, fields }: LinkedCartFormProps) {
  const app = useApp();
  const { at = '' } = app.place.value.parameters;
  return (
    <Unreadable.Provider value={fields}>
      <CartForm
        {...{ cart, saved, at }}
        onCart={(changed) => app.set({ cart: JSON.stringify(changed) })}
        onAt={(moment) => app.set({ at: moment })}
      />
    </Unreadable.Provider>
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
      <SimpleGrid cols={2} spacing="xs">
        {states.length > 0 && isListed ? (
          <ChoiceField {...field('province')} value={province} options={[['', 'None'], ...states]} />
        ) : (
          text('province')
        )}
        {text('postalCode')}
      </SimpleGrid>
      <details>
        <summary>Address</summary>
        <SimpleGrid cols={2} spacing="xs">
          {text('name')}
          {text('company')}
          {text('address1')}
          {text('city')}
          {text('phone')}
        </SimpleGrid>
      </details>
    </fieldset>
  );
}

/** What a cart may say of its customer and of the order as a whole. Empty fields are left out of the cart. */
function CustomerFields({ cart, onCart }: { cart: Cart; onCart: (cart: Cart) => void }) {
  const { customer, orderTotals } = cart;
  const setCustomer = (fields: Cart['customer']): void =>
    onCart({ ...cart, customer: { ...customer, ...fields } });
  const total = (name: 'subtotalPrice' | 'totalPrice' | 'discountAmount', label: string) => (
    <MoneyField
      label={label}
      path={`/orderTotals/${name}`}
      value={orderTotals?.[name] ?? null}
      isOptional
      onValue={(amount: number | null) =>
        onCart({ ...cart, orderTotals: { ...orderTotals, [name]: amount } })
      }
    />
  );
  const tags = [customer?.tags ?? []].flat().flatMap((text) => text.split(','));
  return (
    <details>
      <summary>Customer and order total</summary>
      <div className="stack">
        <TextsField
          label="Customer tags"
          path="/customer/tags"
          value={tags.map((tag) => tag.trim()).filter((tag) => tag !== '')}
          onValue={(list) => setCustomer({ tags: list.length === 0 ? null : list.join(', ') })}
          isForReaders
        />
        <SimpleGrid cols={2} spacing="xs">
          <TextField
            label="Customer id"
            path="/customer/id"
            value={String(customer?.id ?? '')}
            onValue={(id) => setCustomer({ id: id === '' ? null : id })}
          />
          {total('totalPrice', 'Order total after discounts')}
          {total('subtotalPrice', 'Order subtotal')}
          {total('discountAmount', 'Discount')}
        </SimpleGrid>
      </div>
    </details>
  );
}

interface CartDialogProps {
  readonly cart: Cart;
  readonly saved: readonly (readonly [name: string, cart: Cart])[];
  readonly onCart: (cart: Cart) => void;
  readonly onClose: () => void;
}

/** Another cart: one that is saved with a check, one that was tried lately, or a text. */
function CartDialog({ cart, saved, onCart, onClose }: CartDialogProps) {
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
        className="stack"
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
        <Button variant="filled" type="submit" className="start">
          Use this cart
        </Button>
      </form>
    </Dialog>
  );
}

interface CartListProps {
  readonly title: string;
  readonly carts: CartDialogProps['saved'];
  readonly onPick: (cart: Cart) => void;
}

const CartList = ({ title, carts, onPick }: CartListProps) =>
  carts.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul className="choices">
        {carts.map(([name, cart], index) => (
          <li key={`${index} ${name}`}>
            <Button variant="subtle" onClick={() => onPick(cart)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
