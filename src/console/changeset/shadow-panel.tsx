/** What the changeset would have done to the carts that were asked about since it was entered. */
import type { Schemas } from '../../client/call-table.ts';
import { formatDifference, formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { formatPlace } from '../place.ts';

type Shadow = Schemas['ShadowResults'];

interface ShadowPanelProps {
  readonly shadow: Shadow;
  readonly onReadAgain: () => void;
}

export function ShadowPanel({ shadow, onReadAgain }: ShadowPanelProps) {
  const { evaluated, identical, different, lost, gained, dropped, samples, coverage } = shadow;
  return (
    <>
      <div class="row between">
        <h2>Carts since then</h2>
        <button type="button" onClick={onReadAgain}>
          Read again
        </button>
      </div>
      <p>
        {evaluated} evaluated: {identical} the same, {different} different, {lost} lost, {gained} gained;{' '}
        {dropped} not evaluated. {coverage.seen} of {coverage.possible} pairs of zone and group were seen.
      </p>
      <MoneyTable title="By method" rows={shadow.byMethod} />
      <MoneyTable title="By zone" rows={shadow.byZone} />
      <MoneyTable title="By group" rows={shadow.byGroup} />
      <h3>
        Different carts <span class="count">{samples.length}</span>
      </h3>
      {samples.length === 0 ? <p class="quiet">No cart had other rates.</p> : null}
      <ul class="lines">
        {samples.map((sample, index) => (
          // Samples have no identity but their place.
          <li key={index} class="entry">
            <Sample sample={sample} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Sample({ sample }: { readonly sample: Shadow['samples'][number] }) {
  const { currency } = useSignedIn().shop;
  const { destination, differences, request } = sample;
  const price = (amount: number | null): string => (amount === null ? 'none' : formatMoney(amount, currency));
  const parameters = { cart: JSON.stringify(request), at: sample.at, columns: 'live,staged' };
  return (
    <>
      {[destination.postalCode, destination.province, destination.country].filter(Boolean).join(' ')}
      {': '}
      {differences
        .map(({ serviceName, live, staged }) => `${serviceName} ${price(live)} → ${price(staged)}`)
        .join(', ')}{' '}
      {request === null ? null : <a href={formatPlace({ page: 'tester', parameters })}>Open in the tester</a>}
    </>
  );
}

interface MoneyTableProps {
  readonly title: string;
  readonly rows: Readonly<Record<string, { readonly name: string; readonly differenceCents: number }>>;
}

function MoneyTable({ title, rows }: MoneyTableProps) {
  const { currency } = useSignedIn().shop;
  if (Object.keys(rows).length === 0) return null;
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {Object.entries(rows).map(([id, { name, differenceCents }]) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td class="amount">{formatDifference(differenceCents, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
