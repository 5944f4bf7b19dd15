/** How the rates of carts would differ with the changeset: carts that were simulated since it was entered. */
import type { Schemas } from '../../client/call-table.ts';
import { formatDifference } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { LongList, useMore } from '../parts/long-list.tsx';
import { counted } from '../words.ts';
import { CoverageGrid } from './coverage-grid.tsx';
import { ShadowSample } from './shadow-sample.tsx';

type Shadow = Schemas['ShadowResults'];

interface ShadowPanelProps {
  readonly shadow: Shadow;
  readonly onReadAgain: () => void;
}

export function ShadowPanel({ shadow, onReadAgain }: ShadowPanelProps) {
  const { simulations, evaluated, identical, different, lost, gained, dropped } = shadow;
  const { replayed, samples, coverage } = shadow;
  return (
    <>
      <div class="row between">
        <h2>What it does to carts</h2>
        <button type="button" onClick={onReadAgain}>
          Read again
        </button>
      </div>
      {simulations === 0 ? (
        <p>
          No cart was seen since the changeset was entered. “Evaluate recent carts” shows what it does to
          earlier ones.
        </p>
      ) : (
        <p>
          Of {carts(evaluated)}, {identical} get the same rates and {different} get others. {lost} would lose
          all rates, {gained} would get their first.
        </p>
      )}
      {dropped === 0 ? null : (
        <p class="quiet">
          {carts(simulations)} were seen; {dropped} of them came too fast to be evaluated.
        </p>
      )}
      {replayed.runs === 0 ? null : (
        <p>
          Of {carts(replayed.evaluated)} from before, {replayed.different} get other rates. {replayed.lost}{' '}
          would lose all rates, {replayed.gained} would get their first. The gate does not count them.
        </p>
      )}
      <ImpactTable title="By method" rows={Object.entries(shadow.byMethod).map(ofMethod)} />
      <ImpactTable title="By zone" rows={Object.entries(shadow.byZone).map(ofCarts)} />
      <ImpactTable title="By product group" rows={Object.entries(shadow.byGroup).map(ofCarts)} />
      <h3>
        Carts with other rates <span class="count">{samples.length}</span>
      </h3>
      {samples.length === 0 ? <p class="quiet">No cart had other rates.</p> : null}
      <LongList rows={samples} step={10} class="lines">
        {(sample) => <ShadowSample sample={sample} />}
      </LongList>
      <CoverageGrid coverage={coverage} />
    </>
  );
}

const carts = (count: number): string => counted(count, 'cart');

interface Impact {
  readonly id: string;
  readonly name: string;
  /** The change, counted in carts; "" for none. */
  readonly text: string;
  readonly cents: number;
}

const ofMethod = ([id, method]: [string, Shadow['byMethod'][string]]): Impact => ({
  id,
  name: method.name,
  text: [
    [method.priceUp, 'dearer in'],
    [method.priceDown, 'cheaper in'],
    [method.appeared, 'new in'],
    [method.disappeared, 'gone from'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${what} ${carts(Number(count))}`)
    .join(', '),
  cents: method.differenceCents,
});

const ofCarts = ([id, place]: [string, Shadow['byZone'][string]]): Impact => ({
  id,
  name: place.name,
  text: place.different === 0 ? '' : `${place.different} of ${carts(place.evaluated)} with other rates`,
  cents: place.differenceCents,
});

/** Only rows with a difference; the others are counted. */
function ImpactTable({ title, rows }: { readonly title: string; readonly rows: readonly Impact[] }) {
  const { currency } = useSignedIn().shop;
  const changed = rows.filter(({ text }) => text !== '');
  const [shown, more] = useMore(changed, 20);
  const same = rows.length - changed.length;
  if (rows.length === 0) return null;
  return (
    <>
      <table>
        <caption>{title}</caption>
        <tbody>
          {shown.map(({ id, name, text, cents }) => (
            <tr key={id}>
              <th scope="row">
                {name}
                <span class="description">{text}</span>
              </th>
              <td class="amount">{formatDifference(cents, currency)}</td>
            </tr>
          ))}
          {same === 0 ? null : (
            <tr>
              <td colSpan={2} class="quiet">
                {same} without a difference
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {more}
    </>
  );
}
