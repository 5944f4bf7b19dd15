/**
 * The explained answer: the simulate answer with what an explanation adds. The schemas document it; the
 * plain answer's own schema stays as it is.
 */
import Type, { type Static } from 'typebox';
import { MethodEvaluation, RuleTrace, SimulateAnswer } from '../domain/answer.ts';
import { Cents } from '../domain/money.ts';
import { NotConsidered } from './not-considered.ts';
import { PriceStep } from './price-steps.ts';
import { CHANGE_KINDS, DescribedChange } from './request-change.ts';

const strict = <P extends Record<string, Type.TSchema>>(title: string, properties: P) =>
  Type.Object(properties, { additionalProperties: false, title });

/** The change, and the method's price in the answer to the request so changed. */
export const WhyNot = strict('WhyNot', { change: DescribedChange, totalPrice: Cents });
export type WhyNot = Readonly<Static<typeof WhyNot>>;

const whyNot = {
  whyNot: Type.Optional(
    Type.Union([WhyNot, Type.Null()], {
      description: `The smallest single change to the request after which the method is visible, or the rule of a visible method matches; null when no single change does. Kinds in the order of preference: ${CHANGE_KINDS.join(', ')}; within a kind the least \`by\`, then up before down, then the first item`,
    }),
  ),
  whyNotLimited: Type.Optional(
    Type.Literal(true, {
      description: 'The search met a limit: null is then no proof, and there may be a smaller change',
    }),
  ),
};

/** `whyNot` is present for an unmatched rule that would change the price of a visible method. */
export const ExplainedRuleTrace = strict('ExplainedRuleTrace', { ...RuleTrace.properties, ...whyNot });

/** `whyNot` is present when the method is not visible. */
export const ExplainedMethodEvaluation = strict('ExplainedMethodEvaluation', {
  ...MethodEvaluation.properties,
  ruleTraces: Type.Array(ExplainedRuleTrace),
  steps: Type.Array(PriceStep, {
    description:
      'How the price came about; of a method that is not visible, the price it would have. Empty outside the rate table',
  }),
  ...whyNot,
});

export const ExplainedAnswer = strict('ExplainedAnswer', {
  ...SimulateAnswer.properties,
  methodEvaluations: Type.Array(ExplainedMethodEvaluation),
  notConsidered: Type.Array(NotConsidered, {
    description: 'Methods of the zone and its subzones that were not evaluated',
  }),
});
export type ExplainedAnswer = Static<typeof ExplainedAnswer>;

export interface WhyNotFields {
  readonly whyNot: WhyNot | null;
  readonly whyNotLimited?: true;
}
