/** A cart whose rates the changeset changes, in one line. */

import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { testerLink } from '../tester/tester-link.ts';

type Sample = Schemas['ShadowResults']['samples'][number];

export function ShadowSample({ sample }: { readonly sample: Sample }) {
  const { currency } = useSignedIn().shop;
  const { destination, differences, request, live, staged, replayed } = sample;
  const price = (amount: number | null, dates: Parameters<typeof datesText>[0] = {}): string =>
    amount === null ? 'none' : formatMoney(amount, currency) + datesText(dates);
  return (
    <>
      {staged.length === 0 ? <span class="badge bad">no rate left</span> : null}
      {live.length === 0 ? <span class="badge good">first rates</span> : null}
      {replayed ? <span class="badge">from before</span> : null}{' '}
      {[destination.postalCode, destination.province, destination.country].filter(Boolean).join(' ')}
      {': '}
      {differences
        .map(
          (each) =>
            `${each.serviceName} ${price(each.live, each.liveDates)} → ${price(each.staged, each.stagedDates)}`,
        )
        .join(', ')}{' '}
      {request === null ? null : (
        <a href={testerLink(request, { at: sample.at, columns: 'live,staged' })}>Open in the tester</a>
      )}
    </>
  );
}
