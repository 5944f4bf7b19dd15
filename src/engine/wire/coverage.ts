/** The answer of `GET /api/coverage`: what live simulations used (contract section 10.5). */
import Type, { type Static } from '#typebox';
import { Id, orNull, strict, untitled } from '../domain/schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const time = (description: string) => orNull(Type.String({ format: 'date-time' }), { description });

export const Coverage = strict('Coverage', {
  since: Type.String({ format: 'date-time', description: 'Simulations are counted from here on' }),
  simulations: count('Live simulations'),
  zones: Type.Array(
    untitled({
      zoneId: Id,
      subzoneId: orNull(Id, { description: 'null = the zone outside its subzones' }),
      count: count('Simulations with a destination in it'),
    }),
  ),
  methods: Type.Array(
    untitled({
      methodId: Id,
      considered: count('Simulations in which the method was considered'),
      visible: count('... in which it was visible'),
      offered: count('... in which its rate was answered, alone or as a part of a blended rate'),
      lastOfferedAt: time('To the second; null = never'),
    }),
  ),
  rules: Type.Array(
    untitled({
      ruleId: Id,
      evaluated: count('Simulations in which the rule was evaluated'),
      matched: count('... in which it matched'),
      lastMatchedAt: time('To the second; null = never'),
    }),
  ),
  tiers: Type.Array(
    untitled({
      methodId: Id,
      index: Type.Integer({ minimum: 0, description: 'Of the tier in the rate table' }),
      count: count('Simulations whose total was in the tier'),
    }),
  ),
  groups: Type.Array(
    untitled({ productGroupId: Id, count: count('Simulations with a shippable item of the group') }),
  ),
});
export type Coverage = Static<typeof Coverage>;
