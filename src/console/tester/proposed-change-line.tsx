/** The smallest change of the cart that would turn a refusal, with a button that makes it. */

import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { applyChange, type Cart } from './cart.ts';

interface ProposedChangeLineProps {
  readonly title: string;
  readonly whyNot: Schemas['WhyNot'];
  readonly cart: Cart;
  readonly onCart: (cart: Cart) => void;
}

export function ProposedChangeLine({ title, whyNot, cart, onCart }: ProposedChangeLineProps) {
  const app = useApp();
  const { currency } = useSignedIn().shop;
  const { change, totalPrice } = whyNot;
  return (
    <div class="proposal">
      <p>
        {title}: <strong>{change.text}</strong> – then {formatMoney(totalPrice, cart.currency ?? currency)}
      </p>
      <button
        type="button"
        onClick={() => {
          onCart(applyChange(cart, change));
          app.message.value = `Changed the cart: ${change.text}`;
        }}
      >
        Apply to the cart
      </button>
    </div>
  );
}
