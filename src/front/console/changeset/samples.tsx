/** Carts whose rates a draft changes, each in one line: that it loses or gains all, where it goes, its rates, a link. */
import type { ReactNode } from 'react';
import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { LongList } from '../parts/rows.tsx';
import { useRateNames } from '../parts/use-rate-names.ts';
import { testerLink } from '../place.ts';
import type { Cart } from '../tester/cart.ts';
import { type RateChange, rateChanges, type ServiceChange, serviceChanges } from './rate-changes.ts';

interface SampleLineProps {
  readonly destination: { readonly [K in 'postalCode' | 'province' | 'country']?: string | null };
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  /** null where the cart is not kept. */
  readonly request: Cart | null;
  readonly at: string;
  readonly children: ReactNode;
}

const SampleLine = ({ destination, before, after, request, at, children }: SampleLineProps) => (
  <>
    {after.length === 0 ? <span className="badge bad">no rate left</span> : null}
    {before.length === 0 ? <span className="badge good">first rates</span> : null}{' '}
    {[destination.postalCode, destination.province, destination.country].filter(Boolean).join(' ')}
    {': '}
    {children}{' '}
    {request === null ? null : (
      <a href={testerLink(request, { at, columns: 'live,staged' })}>Open in the tester</a>
    )}
  </>
);

/** A cart that came in since the draft was opened, or before. */
export function ShadowSample({ sample }: { sample: Schemas['ShadowResults']['samples'][number] }) {
  const { currency } = useSignedIn().shop;
  const { differences, live, staged, replayed } = sample;
  const price = (amount: number | null, dates: Parameters<typeof datesText>[0] = {}): string =>
    amount === null ? 'none' : formatMoney(amount, currency) + datesText(dates);
  const texts = differences.map(
    (each) =>
      `${each.serviceName} ${price(each.live, each.liveDates)} → ${price(each.staged, each.stagedDates)}`,
  );
  return (
    <SampleLine {...sample} before={live} after={staged}>
      {replayed ? <span className="badge">from before</span> : null} {texts.join(', ')}
    </SampleLine>
  );
}

type Effect = Schemas['Effects']['samples'][number];

/**
 * What carts made from the values of both configurations show: one line for each method or blended rate whose price differs,
 * and folded the smallest cart of each distinct change with its rates that differ.
 */
export function EffectSamples({ samples }: { samples: readonly Effect[] }) {
  const { isDeveloper } = useApp();
  const { currency } = useSignedIn().shop;
  // A code that neither configuration has is that of a method which the edit makes.
  const known = useRateNames(samples.length > 0, 'a new method');
  const nameOf = (code: string): string => `${known(code)}${isDeveloper.value ? ` (${code})` : ''}`;
  const money = (price: number | null): string => (price === null ? 'none' : formatMoney(price, currency));
  const range = (prices: ServiceChange['before']): string => {
    const offered = prices.filter((price) => price !== null).map(money);
    const text = [...new Set([offered[0], offered.at(-1)])].filter(Boolean).join(' to ');
    return [text, prices.includes(null) ? 'none' : ''].filter(Boolean).join(' or ');
  };
  const rateText = (rate: RateChange['before'], dated: boolean): string =>
    money(rate?.totalPrice ?? null) + (rate !== null && dated ? datesText(rate) : '');
  if (samples.length === 0) return null;
  return (
    <>
      <LongList rows={serviceChanges(samples)} step={5} className="lines">
        {({ serviceCode, before, after, hasOtherPrices }) =>
          range(before) === range(after) ? (
            <>
              {nameOf(serviceCode)}:{' '}
              {hasOtherPrices ? `other prices, ${range(after)} as before` : 'other delivery dates'}
            </>
          ) : (
            <>
              {nameOf(serviceCode)} <del>{range(before)}</del> <span aria-hidden="true">→</span>{' '}
              <ins>{range(after)}</ins>
            </>
          )
        }
      </LongList>
      <details>
        <summary>
          Sample carts <span className="count">{samples.length}</span>
        </summary>
        <LongList rows={samples} step={5} className="lines">
          {(sample) => (
            <SampleLine {...sample} destination={sample.request.destination}>
              {rateChanges(sample)
                .map(({ serviceCode, before, after }) => {
                  const dated = before?.totalPrice === after?.totalPrice;
                  return `${nameOf(serviceCode)} ${rateText(before, dated)} → ${rateText(after, dated)}`;
                })
                .join(', ')}
            </SampleLine>
          )}
        </LongList>
      </details>
    </>
  );
}
