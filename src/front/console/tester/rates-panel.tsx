/** What the cart is offered: rates as a customer sees them, then what is hidden and why, in a column for each source. */
import { formatDifference, formatMoney } from '../amounts.ts';
import { useApp } from '../app-state.ts';
import { FirstSteps } from '../parts/first-steps.tsx';
import { LongList, useMore } from '../parts/long-list.tsx';
import { FailureNotice, Notice } from '../parts/notice.tsx';
import { linkTo } from '../place.ts';
import { capitalized } from '../words.ts';
import {
  type Column,
  columnTitle,
  type Explained,
  isDifferent,
  type Offer,
  offersOf,
  reasonText,
} from './answers.ts';

interface RatesPanelProps {
  readonly columns: readonly Column[];
  /** False once the shop is known to have none. */
  readonly hasZones: boolean;
}

export function RatesPanel({ columns, hasZones }: RatesPanelProps) {
  const [first] = columns;
  const answer = first?.answer;
  if (answer === undefined) return null;
  const offers = offersOf(columns);
  const isOffered = ({ evaluations }: Offer): boolean => evaluations.some((each) => each?.visible === true);
  const shown = offers.filter(isOffered);
  const hidden = offers.filter((offer) => !isOffered(offer));
  return (
    <div class="stack" aria-busy={columns.some((column) => column.answer.isLoading)}>
      {columns.map(({ source, answer: { failure } }) =>
        failure === null || failure.code === 'VALIDATION_ERROR' ? null : (
          <FailureNotice key={source} failure={failure} />
        ),
      )}
      {answer.failure?.code === 'VALIDATION_ERROR' ? (
        <Notice kind="bad">The cart is not complete: {answer.failure.message}</Notice>
      ) : null}
      {answer.value === null ? null : (
        <>
          <PlaceLine answer={answer.value} />
          <OfferTable title="Offered" offers={shown} columns={columns} />
          {shown.length === 0 ? <NoRate answer={answer.value} hasZones={hasZones} /> : null}
          {hidden.length === 0 ? null : <OfferTable title="Hidden" offers={hidden} columns={columns} />}
          <NotConsidered column={first} />
        </>
      )}
    </div>
  );
}

function PlaceLine({ answer }: { readonly answer: Explained }) {
  const { zone, at } = answer;
  return (
    <p class="quiet">
      {zone === null
        ? 'No zone holds this destination'
        : `Zone ${zone.name}${zone.subzone === null ? '' : ` › ${zone.subzone.name}`}`}
      {' · '}
      {at.date} {at.time} in the shop, a {capitalized(at.day)}
    </p>
  );
}

/** What to do about it: nothing is configured for the cart, or the reasons are those of the hidden methods below. */
function NoRate({ answer, hasZones }: { readonly answer: Explained; readonly hasZones: boolean }) {
  const { zone, methodEvaluations, notConsidered } = answer;
  if (!hasZones) {
    return (
      <Notice kind="info">
        <FirstSteps />
      </Notice>
    );
  }
  const isUnserved = methodEvaluations.length + notConsidered.length === 0;
  const link =
    zone === null
      ? ([linkTo('zones'), 'Open the zones'] as const)
      : isUnserved
        ? ([linkTo('methods', { zone: zone.id }), `Open the methods of ${zone.name}`] as const)
        : null;
  return (
    <Notice kind="warning">
      This cart is offered no rate.{' '}
      {zone !== null && isUnserved ? 'The zone has no method for its product groups. ' : ''}
      {link === null ? null : <a href={link[0]}>{link[1]}</a>}
    </Notice>
  );
}

interface OfferTableProps {
  readonly title: string;
  readonly offers: readonly Offer[];
  readonly columns: readonly Column[];
}

function OfferTable({ title, offers, columns }: OfferTableProps) {
  const app = useApp();
  const open = app.place.value.parameters['open'];
  const [rows, more] = useMore(offers, undefined, ({ id }) => id === open);
  if (offers.length === 0) return null;
  return (
    <div class="stack">
      <div class="scroll">
        <table class="rates">
          <caption>
            {title} <span class="count">{offers.length}</span>
          </caption>
          <thead class={columns.length > 1 ? '' : 'only-read'}>
            <tr>
              <th scope="col">Rate</th>
              {columns.map(({ source }) => (
                <th scope="col" key={source} class="amount">
                  {columnTitle(source)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((offer) => (
              <tr key={offer.id} class={offer.id === open ? 'open' : ''}>
                <th scope="row">
                  <button
                    type="button"
                    class="plain rate-name"
                    data-row
                    aria-expanded={offer.id === open}
                    onClick={() => app.set({ open: offer.id === open ? '' : offer.id }, false)}
                  >
                    {offer.name}
                  </button>{' '}
                  {offer.isBlended ? <span class="badge">blended</span> : null}{' '}
                  {isDifferent(offer) ? <span class="badge warning">differs</span> : null}
                  <DescriptionLine offer={offer} />
                </th>
                {columns.map(({ source }, index) => (
                  <td key={source} class="amount">
                    <OfferCell offer={offer} index={index} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </div>
  );
}

function DescriptionLine({ offer }: { readonly offer: Offer }) {
  const rate = offer.evaluations.find((each) => each?.rate)?.rate;
  return rate?.description ? <span class="description">{rate.description}</span> : null;
}

function OfferCell({ offer, index }: { readonly offer: Offer; readonly index: number }) {
  const evaluation = offer.evaluations[index] ?? null;
  if (evaluation === null) return <span class="quiet">Not considered</span>;
  const { rate, reason } = evaluation;
  if (rate === null) return <span class="reason">{reasonText(reason)}</span>;
  const base = offer.evaluations[0]?.rate ?? null;
  const difference = index > 0 && base !== null ? rate.totalPrice - base.totalPrice : 0;
  return (
    <>
      <strong>{formatMoney(rate.totalPrice, rate.currency)}</strong>
      {difference === 0 ? null : (
        <span class="difference">{formatDifference(difference, rate.currency)}</span>
      )}
    </>
  );
}

function NotConsidered({ column }: { readonly column: Column | undefined }) {
  const methods = column?.answer.value?.notConsidered ?? [];
  if (methods.length === 0) return null;
  return (
    <details>
      <summary>
        Not considered <span class="count">{methods.length}</span>
      </summary>
      <LongList rows={methods}>
        {({ methodName, reason }) => (
          <>
            {methodName} <span class="quiet">{reasonText(reason)}</span>
          </>
        )}
      </LongList>
    </details>
  );
}
