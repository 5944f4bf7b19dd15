/**
 * The rate tester: a cart on the left, what it is offered in the middle, and where a price comes from on the right. All
 * state is in the link: the cart, the moment, the configurations beside each other, the open method.
 */
import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { FieldErrors } from '../parts/field.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useUnreadable } from '../parts/unreadable.ts';
import { type Answer, isAwaited, useAnswer } from '../parts/use-answer.ts';
import { fieldErrors } from '../service.ts';
import { homeOf } from '../shops/sample.ts';
import { type Column, type Explained, offersOf, sourceQuery } from './answers.ts';
import { type Cart, momentOf, readCart, starterCart } from './cart.ts';
import { LinkedCartForm } from './cart-form.tsx';
import type { ShopRecords } from './obstacles.ts';
import { OfferDetail } from './offer-detail.tsx';
import { PriceCurve } from './price-curve.tsx';
import { RatesPanel } from './rates-panel.tsx';
import { keepCart, recentCarts } from './recent-carts.ts';
import { TesterActions } from './tester-actions.tsx';

/** Milliseconds without typing before the cart is asked about. */
const TYPING_PAUSE_MS = 150;

export function TesterPage() {
  const app = useApp();
  const { calls, shop: settings } = useSignedIn();
  const { cart: text = '' } = app.place.value.parameters;
  const zones = useAnswer((signal) => calls.listZones({ signal }), []);
  const groups = useAnswer((signal) => calls.listGroups({ signal }), []);
  const checks = useAnswer((signal) => calls.listChecks({ signal }), []);
  const shop = useMemo(
    () =>
      zones.value === null || groups.value === null
        ? null
        : { zones: zones.value.zones, groups: groups.value.groups },
    [zones.value, groups.value],
  );
  useEffect(() => {
    if (text !== '' || zones.value === null) return;
    const first =
      recentCarts()[0] ??
      checks.value?.checks[0]?.request ??
      starterCart(zones.value.zones, homeOf(settings));
    app.set({ cart: JSON.stringify(first) });
  }, [text, zones.value]);
  const cart = useMemo(() => (text === '' ? null : readCart(text)), [text]);
  if (cart === null) return <Loading what="the rate tester" failure={zones.failure} />;
  if (typeof cart === 'string') {
    return (
      <div className="panel stack">
        <p>The link holds a cart that cannot be read. {cart}</p>
        <Button onClick={() => app.set({ cart: '' })}>Begin with another cart</Button>
      </div>
    );
  }
  const saved = (checks.value?.checks ?? []).map(({ name, request }) => [name, request] as const);
  return <Tester cart={cart} saved={saved} shop={shop} />;
}

interface TesterProps {
  readonly cart: Cart;
  readonly saved: readonly (readonly [string, Cart])[];
  readonly shop: ShopRecords | null;
}

function Tester({ cart, saved, shop }: TesterProps) {
  const app = useApp();
  const { at = '', columns: wanted = '', open = '' } = app.place.value.parameters;
  const standard = app.view === 'live' ? ['live'] : ['live', 'staged'];
  const named = wanted.split(',').filter((source) => source !== '');
  const sources = [...new Set(named.length > 0 ? named : standard)];
  const [answers, setAnswers] = useState<Readonly<Record<string, Answer<Explained>>>>({});
  const columns: Column[] = sources.flatMap((source) => {
    const answer = answers[source];
    return answer === undefined ? [] : [{ source, answer }];
  });
  const offer = offersOf(columns).find(({ id }) => id === open);
  const [first] = columns;
  const rates = first?.answer.value?.rates ?? [];
  const fields = useUnreadable();
  const isRefused = columns.some(({ answer }) => answer.failure?.code === 'VALIDATION_ERROR');
  // The answers are those of the cart before.
  const isUnanswered = columns.some(({ answer }) => answer.value !== null && answer.failure !== null);
  const isOld = fields.isAny || isRefused || isUnanswered;
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
      <Page title="Rate tester" description="What a cart is offered, and why.">
        {sources.map((source) => (
          <AskColumn
            key={source}
            source={source}
            cart={cart}
            at={at}
            onAnswer={(answer) => setAnswers((given) => ({ ...given, [source]: answer }))}
          />
        ))}
        <div className={`tester ${offer === undefined && !isDetailAwaited ? '' : 'with-detail'}`}>
          <div className="panel">
            <LinkedCartForm {...{ cart, saved, fields }} />
          </div>
          <div className="panel stack in-order">
            <TesterActions cart={cart} at={at} sources={sources} columns={isOld ? [] : columns} />
            {isOld ? (
              <Notice kind="bad">
                {fields.isAny
                  ? 'A field of the cart cannot be read yet: these are the rates of the cart before.'
                  : isRefused
                    ? 'The cart is refused, at the field that says why: these are the rates of the cart before.'
                    : 'There is no answer for the cart as it is now: these are rates from before.'}
              </Notice>
            ) : null}
            <div className={`stack ${isOld ? 'is-old' : ''}`} inert={isOld}>
              {hasAnswers.current ? <RatesPanel {...{ columns, cart, shop }} /> : <Loading what="rates" />}
              {isOld || !hasAnswers.current ? null : <PriceCurve {...{ cart, at, sources, rates }} />}
            </div>
          </div>
          {isDetailAwaited ? (
            <div className="panel detail">
              <Loading what="the rate" />
            </div>
          ) : null}
          {offer === undefined || !hasAnswers.current ? null : (
            <div
              className={`panel detail pane read-again ${isOld ? 'is-old' : ''}`}
              aria-busy={columns.some(({ answer }) => answer.isLoading)}
              inert={isOld}
            >
              <OfferDetail offer={offer} columns={columns} cart={cart} at={at} {...{ methodName, rates }} />
            </div>
          )}
        </div>
      </Page>
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
      const outcome = await calls.simulate(cart, { query, signal });
      if (outcome.ok) keepCart(cart);
      return outcome;
    },
    [text, at, source],
    TYPING_PAUSE_MS,
  );
  useEffect(() => onAnswer(answer), [answer]);
  return null;
}
