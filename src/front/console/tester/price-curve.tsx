/**
 * How the rates of the cart change with its total, its weight or a quantity, and how they changed through the versions: a
 * chart, and each step as a row to open.
 */
import { Button, Group, Table } from '@mantine/core';
import { datesText } from '../../../engine/domain/calendar-day.ts';
import { formatMoney, formatWeight } from '../amounts.ts';
import { useApp, useCurrency, useSignedIn } from '../app-state.ts';
import { ChoiceField } from '../parts/field.tsx';
import { Answered } from '../parts/notice.tsx';
import { CountField, MoneyField, WeightField } from '../parts/number-field.tsx';
import { useMore } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { linkTo } from '../place.ts';
import { counted } from '../words.ts';
import { columnTitle, type Explained, sourceQuery } from './answers.ts';
import { type Cart, momentOf } from './cart.ts';
import {
  amountIn,
  type Curve,
  isVaried,
  leastOf,
  type Segment,
  usualReach,
  type Varied,
  variedIndex,
  WAYS,
  withValue,
} from './curve.ts';
import { PriceHistory } from './price-changes.tsx';
import { StepChart } from './step-chart.tsx';
import { linesOf } from './steps.ts';

/** Milliseconds without typing before a curve is asked for; it costs the service more than a simulation. */
const TYPING_PAUSE_MS = 300;
/** Rates that a step names: a cart may be offered thousands. */
const NAMED_MAX = 12;
const VERSIONS = 'versions';

interface PriceCurveProps {
  readonly cart: Cart;
  readonly at: string;
  readonly sources: readonly string[];
  /** The rates of the cart now, for their names. */
  readonly rates: Explained['rates'];
}

export function PriceCurve(props: PriceCurveProps) {
  const app = useApp();
  const { cart, at, sources, rates } = props;
  const { curve = '', upto = '', of = '' } = app.place.value.parameters;
  const vary = isVaried(curve) ? curve : 'cart_total';
  const isHistory = curve === VERSIONS;
  const reach = upto === '' ? usualReach(cart, vary) : Number(upto);
  const source = sources.includes(of) ? of : (sources[0] ?? 'live');
  return (
    <section className="stack" aria-label="Price curve">
      <div className="row between wrap">
        <h3>How the price changes</h3>
        <fieldset className="row wrap" aria-label="What varies">
          {[...Object.entries(WAYS).map(([way, { title }]) => [way, title]), [VERSIONS, 'Over time']].map(
            ([way = '', title]) => (
              <Button
                key={way}
                size="compact-sm"
                variant={way === (isHistory ? VERSIONS : vary) ? 'light' : 'default'}
                aria-pressed={way === (isHistory ? VERSIONS : vary)}
                onClick={() => app.set({ curve: way, upto: '' })}
              >
                {title}
              </Button>
            ),
          )}
        </fieldset>
      </div>
      {isHistory ? (
        <PriceHistory {...{ cart, at, rates }} serviceCode={null} />
      ) : (
        <>
          <AskedCurve {...props} vary={vary} upto={reach} source={source} />
          <Group gap="xs">
            <ReachField vary={vary} upto={reach} onUpto={(to) => app.set({ upto: String(to) })} />
            {sources.length < 2 ? null : (
              <ChoiceField
                label="Rates of"
                value={source}
                options={sources.map((each) => [each, columnTitle(each)])}
                onValue={(chosen) => app.set({ of: chosen })}
              />
            )}
          </Group>
        </>
      )}
    </section>
  );
}

function ReachField({ vary, upto, onUpto }: { vary: Varied; upto: number; onUpto: (value: number) => void }) {
  const field = { label: 'Up to', path: '/to', value: upto, onValue: onUpto };
  if (vary === 'cart_total') return <MoneyField {...field} />;
  return vary === 'cart_weight' ? <WeightField {...field} /> : <CountField {...field} />;
}

interface AskedCurveProps extends Pick<PriceCurveProps, 'cart' | 'at'> {
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
  if (index < 0) return <p className="quiet">The cart has no item that is shipped.</p>;
  const item = cart.items[index];
  return (
    <div className="stack" aria-busy={answer.isLoading}>
      <Answered answer={answer} what="the price curve">
        {(curve) => <ShownCurve {...{ curve, cart, upto }} itemName={item?.name || `item ${index + 1}`} />}
      </Answered>
    </div>
  );
}

interface ShownCurveProps {
  readonly curve: Curve;
  readonly cart: Cart;
  readonly upto: number;
  readonly itemName: string;
}

function ShownCurve({ curve: { vary, segments, limited }, cart, upto, itemName }: ShownCurveProps) {
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
  // The end of the curve stays where it is, though that of another cart could be another.
  const hrefOf = ({ from }: Segment): string =>
    linkTo(page, { ...parameters, upto: String(upto), cart: JSON.stringify(withValue(cart, vary, from)) });
  return (
    <>
      {lines.length === 0 ? null : (
        <StepChart {...{ segments, lines, current, valueText, priceText, rangeText, hrefOf }} />
      )}
      <p className="quiet">
        {lines.length === 0
          ? 'No rate in any step'
          : segments.length === 1
            ? 'No price changes'
            : counted(segments.length, 'step')}{' '}
        while the {of === 'grams' ? 'weight' : of} of {itemName} varies; this cart has {valueText(current)}.
        {limited ? ' The curve goes on behind the last step that is shown.' : ''}
      </p>
      <details>
        <summary>Each step with its rates</summary>
        <Table className="rates" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{title}</Table.Th>
              <Table.Th scope="col">Rates</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((segment) => {
              const isCurrent = segment.from <= current && current <= segment.to;
              return (
                <Table.Tr key={segment.from} className={isCurrent ? 'open' : ''}>
                  <Table.Th scope="row">
                    <a href={hrefOf(segment)} data-row aria-current={isCurrent}>
                      {rangeText(segment)}
                    </a>
                  </Table.Th>
                  <Table.Td>{ratesText(segment, priceText)}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
        {more}
      </details>
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
