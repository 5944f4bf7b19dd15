/**
 * What the cart is offered, in a column for each configuration: exactly the rates that a customer chooses from, a blended
 * one with its parts folded below it; then the methods that blended rates stand for, and what is hidden and why.
 */
import { Anchor, Badge, Table } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { formatDifference, formatMoney } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { FailureNotice } from '../parts/notice.tsx';
import { LongList, useMore } from '../parts/rows.tsx';
import type { SentenceContext } from '../rule-words.ts';
import { capitalized, counted } from '../words.ts';
import {
  type BlendedEvaluation,
  type Column,
  columnTitle,
  type Explained,
  isDifferent,
  type Offer,
  reasonSentence,
  reasonText,
  sortedOffers,
} from './answers.ts';
import type { Cart } from './cart.ts';
import { NoRate, ObstacleLine } from './no-rate.tsx';
import { placeHints, type ShopRecords } from './obstacles.ts';

export interface RatesPanelProps {
  readonly columns: readonly Column[];
  readonly cart: Cart;
  /** null until they are read. */
  readonly shop: ShopRecords | null;
}

export function RatesPanel({ columns, cart, shop }: RatesPanelProps) {
  const [first] = columns;
  const answer = first?.answer;
  if (answer === undefined) return null;
  const { offered, withheld, hidden } = sortedOffers(columns);
  return (
    <div className="stack read-again" aria-busy={columns.some((column) => column.answer.isLoading)}>
      {columns.map(({ source, answer: { failure } }) =>
        failure === null || failure.code === 'VALIDATION_ERROR' ? null : (
          <FailureNotice key={source} failure={failure} />
        ),
      )}
      {answer.value === null ? null : (
        <>
          <PlaceLine answer={answer.value} cart={cart} shop={shop} />
          <OfferTable title="Offered" {...{ columns, shop }} offers={offered} />
          {offered.length > 0 || shop === null ? null : <NoRate answer={answer.value} {...{ cart, shop }} />}
          {withheld.length === 0 ? null : (
            <details>
              <summary>
                Not offered by themselves <span className="count">{withheld.length}</span>
              </summary>
              <p className="quiet">A cart of several groups is offered blended rates in their place.</p>
              <OfferTable
                title="Not offered by themselves"
                isTitled
                {...{ columns, shop }}
                offers={withheld}
              />
            </details>
          )}
          <OfferTable title="Hidden" {...{ columns, shop }} offers={hidden} />
          <NotConsidered column={first} />
        </>
      )}
    </div>
  );
}

function PlaceLine({ answer, cart, shop }: Pick<RatesPanelProps, 'cart' | 'shop'> & { answer: Explained }) {
  const { zone, at } = answer;
  return (
    <div className="quiet">
      <p>
        {zone === null
          ? 'No zone holds this destination'
          : `Zone ${zone.name}${zone.subzone === null ? '' : ` › ${zone.subzone.name}`}`}
        {' · '}
        {at.date} {at.time} in the shop, a {capitalized(at.day)}
      </p>
      {placeHints(answer, cart, shop?.zones ?? []).map((hint) => (
        <ObstacleLine key={hint.text} obstacle={hint} />
      ))}
    </div>
  );
}

interface OfferTableProps {
  readonly title: string;
  /** The title stands above it already. */
  readonly isTitled?: boolean;
  readonly offers: readonly Offer[];
  readonly columns: readonly Column[];
  readonly shop: ShopRecords | null;
}

function OfferTable({ title, isTitled = false, offers, columns, shop }: OfferTableProps) {
  const app = useApp();
  const open = app.place.value.parameters['open'];
  const [rows, more] = useMore(offers, undefined, ({ id }) => id === open);
  const names = useMemo(() => namesOfPlaces(shop), [shop]);
  const { currency } = useSignedIn().shop;
  const nameOf = (id: string): string | undefined => names.get(id);
  if (offers.length === 0) return null;
  return (
    <div className="stack">
      <div className="scroll">
        <Table
          className="rates"
          highlightOnHover
          verticalSpacing="xs"
          horizontalSpacing="xs"
          captionSide="top"
        >
          <Table.Caption className={isTitled ? 'only-read' : ''}>
            {title} <span className="count">{offers.length}</span>
          </Table.Caption>
          <Table.Thead className={columns.length > 1 ? '' : 'only-read'}>
            <Table.Tr>
              <Table.Th scope="col">Rate</Table.Th>
              {columns.map(({ source }) => (
                <Table.Th scope="col" key={source} className="amount">
                  {columnTitle(source)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((offer) => {
              const reasons = columns.map((_, index) => reasonIn(offer, index, { currency, nameOf }));
              // Several columns have no room for it.
              const common = columns.length > 1 ? reasons.find((reason) => reason !== null) : undefined;
              return (
                <Table.Tr key={offer.id} className={offer.id === open ? 'open' : ''}>
                  <Table.Th scope="row">
                    <OpenButton id={offer.id}>{offer.name}</OpenButton>{' '}
                    {offer.isBlended ? <Badge variant="light">blended</Badge> : null}{' '}
                    {isDifferent(offer) ? <span className="badge warning">differs</span> : null}
                    <DescriptionLine offer={offer} />
                    {common === undefined ? null : <span className="description reason">{common}</span>}
                    <Parts {...{ offer, columns, shop }} />
                  </Table.Th>
                  {columns.map(({ source }, index) => (
                    <Table.Td key={source} className="amount">
                      <OfferCell
                        {...{ offer, index }}
                        reason={reasons[index] === common ? 'Hidden' : reasons[index]}
                      />
                    </Table.Td>
                  ))}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </div>
      {more}
    </div>
  );
}

/** The names of the groups and subzones that conditions refer to by id. */
const namesOfPlaces = (shop: ShopRecords | null): ReadonlyMap<string, string> =>
  new Map(
    [...(shop?.groups ?? []), ...(shop?.zones ?? []).flatMap(({ subzones }) => subzones)].map(
      ({ id, name }) => [id, name],
    ),
  );

function OpenButton({ id, children }: { id: string; children: ReactNode }) {
  const app = useApp();
  const isOpen = app.place.value.parameters['open'] === id;
  return (
    <Anchor
      component="button"
      type="button"
      ta="start"
      fw={600}
      inherit
      data-row
      aria-expanded={isOpen}
      onClick={() => app.set({ open: isOpen ? '' : id }, false)}
    >
      {children}
    </Anchor>
  );
}

function DescriptionLine({ offer }: { offer: Offer }) {
  const rate = offer.evaluations.find((each) => each?.rate)?.rate;
  return rate?.description ? <span className="description">{rate.description}</span> : null;
}

interface PartsProps extends Pick<OfferTableProps, 'columns'> {
  readonly offer: Offer;
  readonly shop: ShopRecords | null;
}

/** What a blended rate is the sum of, in the first column that has it. */
function Parts({ offer, columns, shop }: PartsProps) {
  const { currency } = useSignedIn().shop;
  const at = offer.evaluations.findIndex((each) => each !== null && 'components' in each && each.visible);
  if (at < 0) return null;
  const { components, rate } = offer.evaluations[at] as BlendedEvaluation;
  const names = new Map(
    columns[at]?.answer.value?.methodEvaluations.map(({ methodId, methodName }) => [methodId, methodName]),
  );
  return (
    <details className="parts">
      <summary>{counted(components.length, 'part')}</summary>
      <ul className="lines">
        {components.map(({ productGroupId, methodId, price }) => (
          <li key={productGroupId} className="row between">
            <span>
              {methodId === null ? 'No method' : <OpenButton id={methodId}>{names.get(methodId)}</OpenButton>}{' '}
              <span className="quiet">{shop?.groups.find(({ id }) => id === productGroupId)?.name}</span>
            </span>
            <span className="amount">
              {price === null ? '–' : formatMoney(price, rate?.currency ?? currency)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface OfferCellProps {
  readonly offer: Offer;
  readonly index: number;
  readonly reason: string | null | undefined;
}

/** Why a column does not offer it; null where it has a price or is not considered. */
function reasonIn({ evaluations, rates }: Offer, index: number, context: SentenceContext): string | null {
  const evaluation = evaluations[index] ?? null;
  return rates[index] !== null || evaluation === null || evaluation.rate !== null
    ? null
    : reasonSentence(evaluation, context);
}

function OfferCell({ offer, index, reason }: OfferCellProps) {
  const evaluation = offer.evaluations[index] ?? null;
  const rate = offer.rates[index];
  if (rate === undefined) return <span className="quiet">…</span>;
  if (rate !== null) {
    const base = offer.rates[0] ?? null;
    const difference = index > 0 && base !== null ? rate.totalPrice - base.totalPrice : 0;
    return (
      <>
        <strong>{formatMoney(rate.totalPrice, rate.currency)}</strong>
        {difference === 0 ? null : (
          <span className="difference">{formatDifference(difference, rate.currency)}</span>
        )}
      </>
    );
  }
  if (evaluation === null) return <span className="quiet">Not considered</span>;
  // A price that no customer is shown.
  if (evaluation.rate !== null)
    return <span className="quiet">{formatMoney(evaluation.rate.totalPrice, evaluation.rate.currency)}</span>;
  return <span className="reason">{reason}</span>;
}

function NotConsidered({ column }: { column: Column | undefined }) {
  const methods = column?.answer.value?.notConsidered ?? [];
  if (methods.length === 0) return null;
  return (
    <details>
      <summary>
        Not considered <span className="count">{methods.length}</span>
      </summary>
      <LongList rows={methods}>
        {({ methodName, reason }) => (
          <>
            {methodName} <span className="quiet">{reasonText(reason)}</span>
          </>
        )}
      </LongList>
    </details>
  );
}
