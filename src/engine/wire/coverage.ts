/** The answer of `GET /api/coverage`: what live simulations used (contract section 10.5). */
import Type, { type Static } from '#typebox';
import { countOf, Id, orNull, strict, untitled } from '../domain/schema.ts';

/** Days that coverage keeps. */
export const COVERED_DAYS = 30;
/** Different cheapest prices of a day that are kept exactly. */
export const DAY_PRICES_MAX = 500;

const time = (description: string) => orNull(Type.String({ format: 'date-time' }), { description });

export const Coverage = strict('Coverage', {
  since: Type.String({ format: 'date-time', description: 'Simulations are counted from here on' }),
  simulations: countOf('Live simulations'),
  days: Type.Array(
    untitled({
      date: Type.String({ format: 'date', description: "Of the shop's time zone" }),
      simulations: countOf('Live simulations of that day'),
      withoutRate: countOf('... that were offered no rate'),
      cheapestMedian: orNull(Type.Integer({ minimum: 0 }), {
        description:
          'The median of the cheapest rate of each, in cents: the price that at least half of them did not exceed; null when ' +
          `none had a rate. Exact up to ${DAY_PRICES_MAX} different prices a day, then rounded to steps of 2, 4, 8 ... cents`,
      }),
    }),
    {
      maxItems: COVERED_DAYS,
      description: `The last ${COVERED_DAYS} days, from the one on which counting began, oldest first`,
    },
  ),
  zones: Type.Array(
    untitled({
      zoneId: Id,
      subzoneId: orNull(Id, { description: 'null = the zone outside its subzones' }),
      count: countOf('Simulations with a destination in it'),
    }),
  ),
  methods: Type.Array(
    untitled({
      methodId: Id,
      considered: countOf('Simulations in which the method was considered'),
      visible: countOf('... in which it was visible'),
      offered: countOf('... in which its rate was answered, alone or as a part of a blended rate'),
      lastOfferedAt: time('To the second; null = never'),
    }),
  ),
  rules: Type.Array(
    untitled({
      ruleId: Id,
      evaluated: countOf('Simulations in which the rule was evaluated'),
      matched: countOf('... in which it matched'),
      lastMatchedAt: time('To the second; null = never'),
    }),
  ),
  tiers: Type.Array(
    untitled({
      methodId: Id,
      index: countOf('Of the tier in the rate table'),
      count: countOf('Simulations whose total was in the tier'),
    }),
  ),
  groups: Type.Array(
    untitled({ productGroupId: Id, count: countOf('Simulations with a shippable item of the group') }),
  ),
});
export type Coverage = Static<typeof Coverage>;
