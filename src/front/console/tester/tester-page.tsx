/**
 * The rate tester: a cart on the left, what it is offered in the middle, and where a price comes from on the right. All
 * state is in the link: the cart, the moment, the configurations beside each other, the open method.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { FieldErrors } from '../parts/field.tsx';
import { Loading } from '../parts/notice.tsx';
import { type Answer, isAwaited, useAnswer } from '../parts/use-answer.ts';
import { fieldErrors } from '../service.ts';
import { type Column, type Explained, offersOf, sourceQuery } from './answers.ts';
import { type Cart, momentOf, readCart, starterCart } from './cart.ts';
import { CartForm } from './cart-form.tsx';
import { OfferDetail } from './offer-detail.tsx';
import { PriceCurve } from './price-curve.tsx';
import { RatesPanel } from './rates-panel.tsx';
import { keepCart, recentCarts } from './recent-carts.ts';
import { TesterActions } from './tester-actions.tsx';

/** Milliseconds without typing before the cart is asked about. */
const TYPING_PAUSE_MS = 150;

export function TesterPage() {
  const app = useApp();
  const { calls } = useSignedIn();
  const { cart: text = '' } = app.place.value.parameters;
  const zones = useAnswer((signal) => calls.listZones({ signal }), []);
  const checks = useAnswer((signal) => calls.listChecks({ signal }), []);
  useEffect(() => {
    if (text !== '' || zones.value === null) return;
    const first = recentCarts()[0] ?? checks.value?.checks[0]?.request ?? starterCart(zones.value.zones);
    app.set({ cart: JSON.stringify(first) });
  }, [text, zones.value]);
  const cart = useMemo(() => (text === '' ? null : readCart(text)), [text]);
  if (cart === null) return <Loading what="the rate tester" failure={zones.failure} />;
  if (typeof cart === 'string') {
    return (
      <div class="panel stack">
        <p>The link holds a cart that cannot be read. {cart}</p>
        <button type="button" onClick={() => app.set({ cart: '' })}>
          Begin with another cart
        </button>
      </div>
    );
  }
  const saved = (checks.value?.checks ?? []).map(({ name, request }) => [name, request] as const);
  return <Tester cart={cart} saved={saved} hasZones={zones.value?.zones.length !== 0} />;
}

interface TesterProps {
  readonly cart: Cart;
  readonly saved: readonly (readonly [string, Cart])[];
  readonly hasZones: boolean;
}

function Tester({ cart, saved, hasZones }: TesterProps) {
  const app = useApp();
  const { at = '', columns: wanted = '', open = '' } = app.place.value.parameters;
  const standard = app.view === 'live' ? ['live'] : ['live', 'staged'];
  const named = wanted.split(',').filter((source) => source !== '');
  const sources = [...new Set(named.length > 0 ? named : standard)];
  const setCart = (changed: Cart): void => app.set({ cart: JSON.stringify(changed) });
  const [answers, setAnswers] = useState<Readonly<Record<string, Answer<Explained>>>>({});
  const columns: Column[] = sources.flatMap((source) => {
    const answer = answers[source];
    return answer === undefined ? [] : [{ source, answer }];
  });
  const offer = offersOf(columns).find(({ id }) => id === open);
  const [first] = columns;
  const hasAnswers = useRef(false);
  // Answers that were shown stay while a further column is read.
  hasAnswers.current ||=
    columns.length === sources.length && !columns.some(({ answer }) => isAwaited(answer));
  // Keeps the place of the detail until the answers are there.
  const isDetailAwaited = open !== '' && !hasAnswers.current;
  const methodName = (id: string): string =>
    first?.answer.value?.methodEvaluations.find(({ methodId }) => methodId === id)?.methodName ?? id;
  return (
    <FieldErrors.Provider value={fieldErrors(first?.answer.failure ?? null)}>
      <h1 class="only-read">Rate tester</h1>
      {sources.map((source) => (
        <AskColumn
          key={source}
          source={source}
          cart={cart}
          at={at}
          onAnswer={(answer) => setAnswers((given) => ({ ...given, [source]: answer }))}
        />
      ))}
      <div class={`tester ${offer === undefined && !isDetailAwaited ? '' : 'with-detail'}`}>
        <div class="panel">
          <CartForm
            cart={cart}
            onCart={setCart}
            at={at}
            onAt={(moment) => app.set({ at: moment })}
            saved={saved}
          />
        </div>
        <div class="panel stack in-order">
          <TesterActions cart={cart} at={at} sources={sources} columns={columns} />
          {hasAnswers.current ? (
            <RatesPanel columns={columns} hasZones={hasZones} />
          ) : (
            <Loading what="rates" />
          )}
          <PriceCurve cart={cart} at={at} sources={sources} />
        </div>
        {isDetailAwaited ? (
          <div class="panel detail">
            <Loading what="the rate" />
          </div>
        ) : null}
        {offer === undefined || !hasAnswers.current ? null : (
          <div class="panel detail pane">
            <OfferDetail
              offer={offer}
              columns={columns}
              cart={cart}
              at={at}
              onCart={setCart}
              methodName={methodName}
            />
          </div>
        )}
      </div>
    </FieldErrors.Provider>
  );
}

interface AskColumnProps {
  readonly source: string;
  readonly cart: Cart;
  readonly at: string;
  readonly onAnswer: (answer: Answer<Explained>) => void;
}

/** Asks one configuration: a part of its own, because the number of columns changes. Shows nothing. */
function AskColumn({ source, cart, at, onAnswer }: AskColumnProps) {
  const { calls } = useSignedIn();
  const text = JSON.stringify(cart);
  const answer = useAnswer(
    async (signal) => {
      const query = { explain: 'full', ...sourceQuery(source), ...momentOf(at) } as const;
      const outcome = await calls.simulate(cart, { query, signal, simulationSource: 'test' });
      if (outcome.ok) keepCart(cart);
      return outcome;
    },
    [text, at, source],
    TYPING_PAUSE_MS,
  );
  useEffect(() => onAnswer(answer), [answer]);
  return null;
}
