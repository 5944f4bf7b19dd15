/** What the changeset would change for carts that the service made from the values of both configurations. */

import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { LongList } from '../parts/long-list.tsx';
import { testerLink } from '../tester/tester-link.ts';
import { counted } from '../words.ts';

type Effects = Schemas['Effects'];
type Sample = Effects['samples'][number];

export function EffectsPanel({ effects }: { readonly effects: Effects }) {
  const { probes, changed, lost, gained, samples, limited } = effects;
  return (
    <>
      <h2>What would change</h2>
      <p>
        {changed === 0
          ? `None of ${limited ? 'the first ' : ''}${counted(probes, 'cart')} made from the values of this shop would get other rates.`
          : `Of ${limited ? 'the first ' : ''}${counted(probes, 'cart')} made from the values of this shop, ${changed} would get other rates: ${lost} would lose all, ${gained} would get their first.`}
      </p>
      <LongList rows={samples} step={5} class="lines">
        {(sample) => <EffectSample sample={sample} />}
      </LongList>
    </>
  );
}

/** The smallest cart of a distinct change of rates, in one line. */
function EffectSample({ sample: { request, at, before, after } }: { readonly sample: Sample }) {
  const { currency } = useSignedIn().shop;
  const { country, province, postalCode } = request.destination;
  const rates = (list: Sample['before']): string =>
    list
      .map((rate) => `${rate.serviceCode} ${formatMoney(rate.totalPrice, currency)}${datesText(rate)}`)
      .join(', ') || 'no rate';
  return (
    <>
      {after.length === 0 ? <span class="badge bad">no rate left</span> : null}
      {before.length === 0 ? <span class="badge good">first rates</span> : null}{' '}
      {[postalCode, province, country].filter(Boolean).join(' ')}: {rates(before)} → {rates(after)}{' '}
      <a href={testerLink(request, { at, columns: 'live,staged' })}>Open in the tester</a>
    </>
  );
}
