/** When the rates of a cart changed: its price through the versions as steps, and each version with its difference. */
import { Button } from '@mantine/core';
import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useApp, useCurrency, useSignedIn } from '../app-state.ts';
import { dayText } from '../english.ts';
import { Difference } from '../parts/difference.tsx';
import { Answered } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { VersionSentence } from '../parts/versions.tsx';
import { linkTo } from '../place.ts';
import { counted } from '../words.ts';
import type { Explained } from './answers.ts';
import { type Cart, momentOf } from './cart.ts';
import { StepChart } from './step-chart.tsx';
import { linesOf, type VersionStep, versionSteps } from './steps.ts';

type Flip = Schemas['Flip'];

interface PriceChangesProps {
  readonly cart: Cart;
  readonly at: string;
  /** Of the rate that is looked at; null looks at all rates of the cart. */
  readonly serviceCode: string | null;
  /** Rates of the cart now, for their names. */
  readonly rates: Explained['rates'];
}

export function PriceChanges(props: PriceChangesProps) {
  const app = useApp();
  const isAsked = app.place.value.parameters['changes'] === 'shown';
  return (
    <section className="stack">
      <Button
        className="start"
        aria-expanded={isAsked}
        onClick={() => app.set({ changes: isAsked ? '' : 'shown' })}
      >
        When did this change?
      </Button>
      {isAsked ? <PriceHistory {...props} /> : null}
    </section>
  );
}

export function PriceHistory({ cart, at, serviceCode, rates }: PriceChangesProps) {
  const { calls } = useSignedIn();
  const currency = useCurrency(cart);
  const names = new Map(rates.map((rate) => [rate.serviceCode, rate.serviceName]));
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
    <div className="stack" aria-busy={answer.isLoading}>
      <Answered answer={answer} what="the history">
        {(found) => {
          const { flips, from, to, limited, evaluated } = found;
          const steps = versionSteps(found);
          return (
            <>
              {flips.length === 0 ? null : (
                <StepChart
                  segments={steps}
                  lines={linesOf(steps, names)}
                  valueText={(number) => `version ${number}`}
                  priceText={(price) => formatMoney(price, currency)}
                  rangeText={stepText}
                  hrefOf={hrefOf}
                />
              )}
              <p className="quiet">
                {flips.length === 0
                  ? 'No change'
                  : `${limited ? 'At least ' : ''}${counted(flips.length, 'change')}, newest first,`}{' '}
                from version {from.number} to version {to.number}; {evaluated} versions evaluated
                {serviceCode === null ? ', all rates of the cart compared' : ''}.
              </p>
              <ul className="lines stack">
                {flips.toReversed().map((flip) => (
                  <FlipLine key={flip.version.id} flip={flip} cart={cart} names={names} />
                ))}
              </ul>
            </>
          );
        }}
      </Answered>
    </div>
  );
}

function stepText({ from, to, version }: VersionStep): string {
  const versions = from === to ? `Version ${from}` : `Versions ${from} to ${to}`;
  return version === null ? versions : `${versions}, since ${dayText(version.createdAt)}`;
}

const hrefOf = ({ version }: Pick<VersionStep, 'version'>): string =>
  linkTo('history', version === null ? {} : { open: version.id });

interface FlipLineProps extends Pick<PriceChangesProps, 'cart'> {
  readonly flip: Flip;
  readonly names: ReadonlyMap<string, string>;
}

function FlipLine({ flip, cart, names }: FlipLineProps) {
  const app = useApp();
  const currency = useCurrency(cart);
  const { version, before, after, diff } = flip;
  const text = (rates: Flip['before']): string =>
    rates
      .map((rate) => {
        const name = names.get(rate.serviceCode) ?? rate.serviceCode;
        return `${name} ${formatMoney(rate.totalPrice, currency)}${datesText(rate)}`;
      })
      .join(', ') || 'no rate';
  const columns = `live,${version.number - 1},${version.number}`;
  return (
    <li className="entry">
      <p>
        <del>{text(before)}</del> <span aria-hidden="true">→</span> <ins>{text(after)}</ins>
      </p>
      <p className="quiet">
        <VersionSentence version={version} />{' '}
        <a href={hrefOf(flip)} aria-label={`Open version ${version.number} in the history`}>
          Open
        </a>
      </p>
      <details>
        <summary>What version {version.number} changed</summary>
        <Difference difference={diff} />
      </details>
      <Button variant="subtle" className="start" onClick={() => app.set({ columns }, false)}>
        Compare the versions before and after {version.number}
      </Button>
    </li>
  );
}
