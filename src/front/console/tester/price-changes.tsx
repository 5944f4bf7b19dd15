/** When the rates of a cart changed: each version of the history that changed them, with its difference. */

import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useApp, useCurrency, useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { Difference } from '../parts/difference.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { VersionSentence } from '../parts/version-sentence.tsx';
import { counted } from '../words.ts';
import { type Cart, momentOf } from './cart.ts';

type Flip = Schemas['Flip'];

interface PriceChangesProps {
  readonly cart: Cart;
  readonly at: string;
  /** Of the rate that is looked at; null looks at all rates of the cart. */
  readonly serviceCode: string | null;
}

export function PriceChanges(props: PriceChangesProps) {
  const app = useApp();
  const isAsked = app.place.value.parameters['changes'] === 'shown';
  return (
    <section class="stack">
      <button
        type="button"
        class="start"
        aria-expanded={isAsked}
        onClick={() => app.set({ changes: isAsked ? '' : 'shown' })}
      >
        When did this change?
      </button>
      {isAsked ? <Flips {...props} /> : null}
    </section>
  );
}

function Flips({ cart, at, serviceCode }: PriceChangesProps) {
  const { calls } = useSignedIn();
  const answer = useAnswer(
    (signal) =>
      calls.changeVersion(
        {
          action: 'bisect',
          request: cart,
          ...momentOf(at),
          ...(serviceCode === null ? {} : { serviceCode }),
        },
        { signal },
      ),
    [JSON.stringify(cart), at, serviceCode],
  );
  return (
    <div class="stack" aria-busy={answer.isLoading}>
      <Answered answer={answer} what="the history">
        {({ flips, from, to, limited, evaluated }) => (
          <>
            <p class="quiet">
              {flips.length === 0
                ? 'No change'
                : `${limited ? 'At least ' : ''}${counted(flips.length, 'change')}, newest first,`}{' '}
              from version {from.number} to version {to.number}; {evaluated} versions evaluated
              {serviceCode === null ? ', all rates of the cart compared' : ''}.
            </p>
            <ul class="lines stack">
              {flips.toReversed().map((flip) => (
                <FlipLine key={flip.version.id} flip={flip} cart={cart} />
              ))}
            </ul>
          </>
        )}
      </Answered>
    </div>
  );
}

function FlipLine({ flip, cart }: { readonly flip: Flip; readonly cart: Cart }) {
  const app = useApp();
  const currency = useCurrency(cart);
  const { version, before, after, diff } = flip;
  const text = (rates: Flip['before']): string =>
    rates
      .map((rate) => `${rate.serviceCode} ${formatMoney(rate.totalPrice, currency)}${datesText(rate)}`)
      .join(', ') || 'no rate';
  const columns = `live,${version.number - 1},${version.number}`;
  return (
    <li class="entry">
      <p>
        <del>{text(before)}</del> <span aria-hidden="true">→</span> <ins>{text(after)}</ins>
      </p>
      <p class="quiet">
        <VersionSentence version={version} />
      </p>
      <details>
        <summary>What version {version.number} changed</summary>
        <Difference difference={diff} />
      </details>
      <button type="button" class="plain start" onClick={() => app.set({ columns }, false)}>
        Compare the versions before and after {version.number}
      </button>
    </li>
  );
}
