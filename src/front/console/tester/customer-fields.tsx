/** What a cart may say of its customer and of the order as a whole. Empty fields are left out of the cart. */
import { MoneyField, TextField } from '../parts/field.tsx';
import type { Cart } from './cart.ts';

interface CustomerFieldsProps {
  readonly cart: Cart;
  readonly onCart: (cart: Cart) => void;
}

export function CustomerFields({ cart, onCart }: CustomerFieldsProps) {
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
  return (
    <details>
      <summary>Customer and order total</summary>
      <div class="stack">
        <TextField
          label="Customer tags, separated by commas"
          path="/customer/tags"
          value={[customer?.tags ?? []].flat().join(', ')}
          onValue={(text) => setCustomer({ tags: text === '' ? null : text })}
        />
        <TextField
          label="Customer id"
          path="/customer/id"
          value={String(customer?.id ?? '')}
          onValue={(id) => setCustomer({ id: id === '' ? null : id })}
        />
        {total('totalPrice', 'Order total after discounts')}
        {total('subtotalPrice', 'Order subtotal')}
        {total('discountAmount', 'Discount')}
      </div>
    </details>
  );
}
