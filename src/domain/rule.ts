/** Rules: ordered actions on a method's running price and visibility (contract sections 5.3 to 5.5). */
import Type, { type Static } from 'typebox';
import { Condition } from './condition.ts';
import { Id } from './id.ts';
import { CENTS_ACCEPTED, CENTS_MAX } from './money.ts';
import { OptionalName } from './text.ts';

export const RULE_ACTIONS = ['hide', 'show', 'free', 'adjust_add', 'adjust_subtract'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** Adjusting actions carry a value; the others must not. */
export const isAdjusting = (action: RuleAction): action is 'adjust_add' | 'adjust_subtract' =>
  action === 'adjust_add' || action === 'adjust_subtract';

export const ADJUSTMENT_TYPES = ['flat', 'percentage'] as const;
/** Whole points. */
export const ADJUSTMENT_PERCENTAGE_MAX = 1_000;
/** What a refusal says of a percentage. */
export const POINTS_ACCEPTED = `whole points, 0 to ${ADJUSTMENT_PERCENTAGE_MAX.toLocaleString('en-US')}`;

/** Checked before the type is known: a refusal names what either of them takes. */
const AdjustmentValue = Type.Integer({
  minimum: 0,
  maximum: CENTS_MAX,
  'x-accepts': `${CENTS_ACCEPTED}, or ${POINTS_ACCEPTED}, when adjustmentType is percentage`,
});

export const CONDITIONS_MAX = 100;

export const Rule = Type.Object(
  {
    id: Id,
    action: Type.Enum([...RULE_ACTIONS], { 'x-accepts': `one of ${RULE_ACTIONS.join(', ')}` }),
    conditions: Type.Array(Condition, { maxItems: CONDITIONS_MAX }),
    adjustmentValue: Type.Optional(AdjustmentValue),
    adjustmentType: Type.Optional(
      Type.Enum([...ADJUSTMENT_TYPES], { 'x-accepts': `one of ${ADJUSTMENT_TYPES.join(', ')}` }),
    ),
    enabled: Type.Boolean(),
    /** Absent for "", as in rules that were stored before there were names; clients always see it. */
    name: Type.Optional(OptionalName),
  },
  { additionalProperties: false, title: 'Rule' },
);
export interface Rule extends Readonly<Omit<Static<typeof Rule>, 'conditions'>> {
  readonly conditions: readonly Condition[];
}
