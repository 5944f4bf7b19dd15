/** How the rates of the cart change with its total, its weight or a quantity: a chart, and each step as a row to open. */
import { datesText } from '../../../engine/domain/calendar-day.ts';
import { formatMoney, formatWeight } from '../amounts.ts';
import { useApp, useCurrency, useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { ChoiceField, CountField, MoneyField, WeightField } from '../parts/field.tsx';
import { useMore } from '../parts/long-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { linkTo } from '../place.ts';
import { counted } from '../words.ts';
import { columnTitle, sourceQuery } from './answers.ts';
import { type Cart, momentOf } from './cart.ts';
import {
  amountIn,
  type Curve,
  isVaried,
  leastOf,
  linesOf,
  type Segment,
  usualReach,
  type Varied,
  variedIndex,
  WAYS,
  withValue,
} from './curve.ts';
import { lookOf, StepChart } from './step-chart.tsx';

/** Milliseconds without typing before a curve is asked for; it costs the service more than a simulation. */
const TYPING_PAUSE_MS = 300;
/** Rates that the legend and a step name: a cart may be offered thousands. */
const NAMED_MAX = 12;

interface PriceCurveProps {
  readonly cart: Cart;
  readonly at: string;
  readonly sources: readonly string[];
}

export function PriceCurve(props: PriceCurveProps) {
  const app = useApp();
  const { cart, sources } = props;
  const { curve = '', upto = '', of = '' } = app.place.value.parameters;
  const vary = isVaried(curve) ? curve : null;
  const show = (wanted: Varied): void => app.set({ curve: wanted, upto: String(usualReach(cart, wanted)) });
  const source = sources.includes(of) ? of : (sources[0] ?? 'live');
  return (
    <section class="stack" aria-label="Price curve">
      <div class="row">
        <button
          type="button"
          aria-expanded={vary !== null}
          onClick={() => (vary === null ? show('cart_total') : app.set({ curve: '', upto: '', of: '' }))}
        >
          Price curve
        </button>
      </div>
      {vary === null ? null : (
        <>
          <div class="curve-fields">
            <ChoiceField
              label="What varies"
              value={vary}
              options={Object.entries(WAYS).map(([name, { title }]) => [name, title])}
              onValue={(name) => show(name as Varied)}
            />
            <ReachField vary={vary} upto={Number(upto)} onUpto={(to) => app.set({ upto: String(to) })} />
            {sources.length < 2 ? null : (
              <ChoiceField
                label="Configuration"
                value={source}
                options={sources.map((each) => [each, columnTitle(each)])}
                onValue={(chosen) => app.set({ of: chosen })}
              />
            )}
          </div>
          <AskedCurve {...props} vary={vary} upto={Number(upto)} source={source} />
        </>
      )}
    </section>
  );
}

interface ReachFieldProps {
  readonly vary: Varied;
  readonly upto: number;
  readonly onUpto: (value: number) => void;
}

function ReachField({ vary, upto, onUpto }: ReachFieldProps) {
  const field = { label: 'Up to', path: '/to', value: upto, onValue: onUpto };
  if (vary === 'cart_total') return <MoneyField {...field} />;
  return vary === 'cart_weight' ? <WeightField {...field} /> : <CountField {...field} />;
}

interface AskedCurveProps extends PriceCurveProps {
  readonly vary: Varied;
  readonly upto: number;
  readonly source: string;
}

function AskedCurve({ cart, at, vary, upto, source }: AskedCurveProps) {
  const { calls } = useSignedIn();
  const index = variedIndex(cart);
  // The curve is the same for every value of what varies: a step that is opened asks for nothing new.
  const from = leastOf(cart, vary);
  const request = withValue(cart, vary, from);
  const answer = useAnswer(
    (signal) =>
      calls.sweep({ request, ...momentOf(at), vary, from, to: upto }, { query: sourceQuery(source), signal }),
    [JSON.stringify(request), at, vary, upto, source],
    TYPING_PAUSE_MS,
  );
  if (index < 0) return <p class="quiet">The cart has no item that is shipped.</p>;
  const item = cart.items[index];
  return (
    <div class="stack" aria-busy={answer.isLoading}>
      <Answered answer={answer} what="the price curve">
        {(curve) => <ShownCurve curve={curve} cart={cart} itemName={item?.name || `item ${index + 1}`} />}
      </Answered>
    </div>
  );
}

interface ShownCurveProps {
  readonly curve: Curve;
  readonly cart: Cart;
  readonly itemName: string;
}

function ShownCurve({ curve: { vary, segments, limited }, cart, itemName }: ShownCurveProps) {
  const app = useApp();
  const currency = useCurrency(cart);
  const priceText = (price: number): string => formatMoney(price, currency);
  const valueText = (value: number): string =>
    vary === 'cart_total' ? priceText(value) : vary === 'cart_weight' ? formatWeight(value) : String(value);
  const { title, of } = WAYS[vary];
  const current = amountIn(cart, vary);
  const lines = linesOf(segments);
  const [rows, more] = useMore(segments);
  const rangeText = ({ from, to }: Segment): string => `${valueText(from)} to ${valueText(to)}`;
  const { page, parameters } = app.place.value;
  const hrefOf = ({ from }: Segment): string =>
    linkTo(page, { ...parameters, cart: JSON.stringify(withValue(cart, vary, from)) });
  return (
    <>
      <StepChart {...{ segments, lines, current, valueText, priceText, rangeText, hrefOf }} />
      <ul class="row wrap legend">
        {lines.slice(0, NAMED_MAX).map(({ serviceCode, name }, index) => (
          <li key={serviceCode} class="row">
            <svg viewBox="0 0 24 8" aria-hidden="true">
              <path class={lookOf(index)} d="M0 4H24" />
            </svg>
            {name}
          </li>
        ))}
        {lines.length > NAMED_MAX ? <li>and {lines.length - NAMED_MAX} more rates</li> : null}
      </ul>
      <p class="quiet">
        {counted(segments.length, 'step')} while the {of === 'grams' ? 'weight' : of} of {itemName} varies;
        this cart has {valueText(current)}.
        {limited ? ' The curve goes on behind the last step that is shown.' : ''}
      </p>
      <table class="segments">
        <caption class="only-read">Steps of the price curve</caption>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">Rates</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((segment) => {
            const isCurrent = segment.from <= current && current <= segment.to;
            return (
              <tr key={segment.from} class={isCurrent ? 'open' : ''}>
                <th scope="row">
                  <a href={hrefOf(segment)} data-row aria-current={isCurrent}>
                    {rangeText(segment)}
                  </a>
                </th>
                <td>{ratesText(segment, priceText)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {more}
    </>
  );
}

function ratesText({ rates }: Segment, priceText: (price: number) => string): string {
  if (rates.length === 0) return 'No rate';
  const named = rates
    .slice(0, NAMED_MAX)
    .map((rate) => `${rate.serviceName} ${priceText(rate.totalPrice)}${datesText(rate)}`)
    .join(', ');
  return rates.length > NAMED_MAX ? `${named} and ${rates.length - NAMED_MAX} more` : named;
}
