/**
 * Findings on free-shipping thresholds that are reached before anything can be charged. The threshold is
 * held against the order, the rate against the group's items, which cost no more: so a price that begins
 * at the threshold or above it is never charged.
 */
import { quoted, recordOf } from './condition-words.ts';
import type { Draft } from './draft.ts';
import { type ChargedStep, firstCharge } from './rate-steps.ts';
import { evaluationOf } from './rule-findings.ts';
import type { MethodFacts, ShopFacts } from './shop-facts.ts';
import { atGroupTotal } from './tier-findings.ts';

export function* thresholdFindings(shop: ShopFacts): Generator<Draft> {
  for (const facts of shop.methods()) {
    const { method, invisibility } = facts;
    const threshold = method.freeShippingThreshold;
    const charge = firstCharge(method);
    if (threshold === null || charge === null || invisibility !== null) continue;
    if (threshold <= charge.fromTotal) yield methodFinding(shop, facts, threshold, charge);
  }
  for (const blended of shop.config.blendedRates) {
    if (blended.freeShippingThreshold !== 0 || !blended.enabled) continue;
    if (shop.zones.placesOfBlendedRate(blended).isEmpty) continue;
    yield {
      code: 'threshold_below_prices',
      record: recordOf('blendedRate', blended),
      evidence: () => ({
        message: `Blended rate ${quoted(blended.name)} is always free because every order reaches its free-shipping threshold of 0.`,
        witness: null,
      }),
    };
  }
}

function methodFinding(
  shop: ShopFacts,
  facts: MethodFacts,
  threshold: number,
  { fromTotal, example }: ChargedStep,
): Draft {
  const { method } = facts;
  const why =
    threshold === 0
      ? 'every order reaches its free-shipping threshold of 0'
      : `its prices begin at a total of ${fromTotal}, where its free-shipping threshold of ${threshold} is reached`;
  return {
    code: 'threshold_below_prices',
    record: recordOf('method', method),
    evidence: () => ({
      message: `${quoted(method.name)} never charges a price of its rate because ${why}.`,
      witness: atGroupTotal(
        shop,
        facts,
        example.conditionType,
        example.sum,
        (answer) => evaluationOf(answer, facts)?.visible === true,
      ),
    }),
  };
}
