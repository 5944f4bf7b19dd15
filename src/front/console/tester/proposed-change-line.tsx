/** The smallest change of the cart that would turn a refusal, with a button that makes it. */
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useApp, useCurrency } from '../app-state.ts';
import { applyChange, type Cart } from './cart.ts';
import { changeText } from './change-text.ts';

interface ProposedChangeLineProps {
  readonly title: string;
  readonly whyNot: Schemas['WhyNot'];
  readonly cart: Cart;
  readonly onCart: (cart: Cart) => void;
}

export function ProposedChangeLine({ title, whyNot, cart, onCart }: ProposedChangeLineProps) {
  const app = useApp();
  const currency = useCurrency(cart);
  const { change, totalPrice } = whyNot;
  const text = changeText(cart, change, currency);
  return (
    <div class="proposal">
      <p>
        {title}: <strong>{text}</strong>. The price would be {formatMoney(totalPrice, currency)}.
      </p>
      <button
        type="button"
        onClick={() => {
          onCart(applyChange(cart, change));
          app.message.value = `Changed the cart: ${text}`;
        }}
      >
        Apply to the cart
      </button>
    </div>
  );
}
