/** A cart with an item of each of two product groups, and what the blended rate as it is saved makes of it. */
import { Title } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/notice.tsx';
import { NOTHING } from '../parts/record-kind.ts';
import { useAnswer } from '../parts/use-answer.ts';
import { testerLink } from '../place.ts';
import type { Explained } from '../tester/answers.ts';
import { type Cart, cartName } from '../tester/cart.ts';
import { BlendedDetail } from '../tester/offer-detail.tsx';
import { sampleCart } from '../tester/sample-cart.ts';

interface BlendTrialProps {
  readonly id: string;
  readonly zoneId: string;
  readonly zones: readonly Schemas['Zone'][];
  readonly groups: readonly Schemas['ProductGroup'][];
  readonly methods: readonly Schemas['MethodRecord'][];
}

/** Null for a zone without a country, such as the rest of the world, or a shop of one group. */
function cartOf({ zoneId, zones, groups }: Omit<BlendTrialProps, 'id' | 'methods'>): Cart | null {
  const zone = zones.find(({ id, subzones }) => id === zoneId || subzones.some((each) => each.id === zoneId));
  const country = zone?.countries.find((code) => code !== '*');
  const subzone = zone?.subzones.find(({ id }) => id === zoneId) ?? null;
  const [first, second] = groups.map((group) => sampleCart(country ?? '', subzone, group));
  if (country === undefined || first === undefined || second === undefined) return null;
  return { ...first, items: [...first.items, ...second.items] };
}

export function BlendTrial({ id, methods, ...places }: BlendTrialProps) {
  const app = useApp();
  const { calls } = useSignedIn();
  const { zoneId, zones, groups } = places;
  const cart = useMemo(() => cartOf({ zoneId, zones, groups }), [zoneId, zones, groups]);
  const answer = useAnswer<Explained | null>(
    async (signal) =>
      cart === null
        ? NOTHING
        : calls.simulate(cart, {
            query: { view: app.view, explain: 'full' },
            signal,
            simulationSource: 'test',
          }),
    [cart, app.view],
  );
  if (cart === null) return null;
  const nameOf = (methodId: string): string => methods.find((each) => each.id === methodId)?.name ?? methodId;
  return (
    <section aria-label="Try it" className="stack">
      <div className="row between">
        <Title order={2}>Try it</Title>
        <a href={testerLink(cart, { open: id })}>Open in the rate tester</a>
      </div>
      <p className="quiet">As it is saved, for {cartName(cart)}</p>
      <Answered answer={answer} what="rates">
        {(explained) => {
          const own = explained?.blendedRates.find(({ blendedRateId }) => blendedRateId === id);
          return own === undefined ? (
            <p className="quiet">It is not considered for this cart.</p>
          ) : (
            <BlendedDetail evaluation={own} methodName={nameOf} />
          );
        }}
      </Answered>
    </section>
  );
}
