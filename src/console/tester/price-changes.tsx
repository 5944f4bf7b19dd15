/** When the rates of a cart changed: each version of the history that changed them, with its difference. */
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { Difference } from '../parts/difference.tsx';
import { FailureNotice, Loading } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { VersionSentence } from '../parts/version-sentence.tsx';
import type { Cart } from './cart.ts';

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
        class="remove"
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
  const { value, failure, isLoading } = useAnswer(
    (signal) =>
      calls.changeVersion(
        {
          action: 'bisect',
          request: cart,
          ...(at === '' ? {} : { at }),
          ...(serviceCode === null ? {} : { serviceCode }),
        },
        { signal },
      ),
    [JSON.stringify(cart), at, serviceCode],
  );
  if (value === null || !('flips' in value)) {
    return isLoading ? <Loading what="the history" /> : <FailureNotice failure={failure} />;
  }
  const { flips, from, to, limited, evaluated } = value;
  return (
    <div class="stack" aria-busy={isLoading}>
      <FailureNotice failure={failure} />
      <p class="quiet">
        {flips.length === 0
          ? 'No change'
          : `${flips.length}${limited ? ' or more' : ''} ${flips.length === 1 && !limited ? 'change' : 'changes'}, newest first,`}{' '}
        from version {from.number} to version {to.number}; {evaluated} versions evaluated
        {serviceCode === null ? ', all rates of the cart compared' : ''}.
      </p>
      <ul class="lines stack">
        {flips.toReversed().map((flip) => (
          <FlipLine key={flip.version.id} flip={flip} currency={cart.currency?.toUpperCase() ?? null} />
        ))}
      </ul>
    </div>
  );
}

function FlipLine({ flip, currency }: { readonly flip: Flip; readonly currency: string | null }) {
  const app = useApp();
  const { shop } = useSignedIn();
  const { version, before, after, diff } = flip;
  const text = (rates: Flip['before']): string =>
    rates
      .map(
        ({ serviceCode, totalPrice }) =>
          `${serviceCode} ${formatMoney(totalPrice, currency ?? shop.currency)}`,
      )
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
      <button type="button" class="plain remove" onClick={() => app.set({ columns }, false)}>
        Compare the versions before and after {version.number}
      </button>
    </li>
  );
}
