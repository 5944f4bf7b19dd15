/** Random delivery times and fulfilments of shops, with holidays near the times of random carts. */
import fc, { type Arbitrary } from 'fast-check';
import { WEEKDAYS } from '../../../src/engine/domain/condition.ts';
import type { Delivery, Fulfilment } from '../../../src/engine/domain/delivery.ts';
import { DATES, pick, TIMES, weighted } from './alphabets.ts';

const plain = { noNullPrototype: true } as const;

const delivery: Arbitrary<Delivery> = fc
  .tuple(
    weighted([20, pick([0, 0, 1, 2, 3, 7])], [1, pick([30, 200])]),
    weighted([20, pick([0, 1, 2, 5])], [1, fc.constant(165)]),
  )
  .map(([minDays, more]) => ({ minDays, maxDays: minDays + more }));

export const deliveryOrNone = weighted<Delivery | null>([1, fc.constant(null)], [1, delivery]);

const cutoffByDay = fc.dictionary(pick(WEEKDAYS), pick(TIMES), { maxKeys: 4, ...plain });

export const fulfilment: Arbitrary<Fulfilment> = fc.record(
  {
    cutoff: pick(TIMES),
    cutoffByDay,
    handlingDays: weighted([20, pick([0, 0, 1, 2])], [1, fc.constant(60)]),
    workingDays: weighted(
      [9, fc.subarray([...WEEKDAYS], { minLength: 1 })],
      [1, fc.constant<Fulfilment['workingDays']>([])],
    ),
    holidays: fc.array(
      pick([...DATES, '2026-03-09', '2026-11-02', '2026-11-19', '2027-01-02', '2024-03-01']),
      {
        maxLength: 5,
      },
    ),
  },
  { ...plain, requiredKeys: ['cutoff', 'handlingDays', 'workingDays', 'holidays'] },
);
