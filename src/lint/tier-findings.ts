/**
 * Findings on rate tables: gaps between tiers, and prices that fall where more weight or more pieces should
 * cost more. Prices by total often fall on purpose, so there only a fall with a rise after it is told.
 * That a table begins above nothing or ends somewhere is a limit, not a gap.
 */

import type { Condition } from '../domain/condition.ts';
import type { Witness } from '../domain/finding.ts';
import type { TableRateType, Tier } from '../domain/rate-type.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { counted, quoted, recordOf } from './condition-words.ts';
import type { Draft } from './draft.ts';
import { MEASURES, tiersOfRate } from './rate-steps.ts';
import { evaluationOf } from './rule-findings.ts';
import type { MethodFacts, ShopFacts } from './shop-facts.ts';

/** A request for which the method is visible but for what `shows` asks, at this total of its group. */
export function atGroupTotal(
  shop: ShopFacts,
  facts: MethodFacts,
  conditionType: Condition['conditionType'],
  total: number,
  shows: (answer: SimulateAnswer) => boolean,
): Witness | null {
  const atTotal = shop.table.of({
    conditionType,
    operator: 'equals',
    value: String(total),
    scope: 'sum_of_group',
  });
  const requirements = shop.visibly(facts, [atTotal]);
  return requirements === null
    ? null
    : shop.witnesses.confirmed(shop.witnesses.satisfying(facts.at, requirements), shows);
}

export function* tierFindings(shop: ShopFacts): Generator<Draft> {
  for (const facts of shop.methods()) {
    const { method, invisibility } = facts;
    const tiers = tiersOfRate(method);
    if (tiers === null || invisibility !== null) continue;
    const { conditionType, unit } = MEASURES[method.rateType as TableRateType];
    const record = recordOf('method', method);
    const gaps = gapsOf(tiers);
    const [gap] = gaps;
    if (gap !== undefined) {
      const more = gaps.length > 1 ? ` (and ${counted(gaps.length - 1, 'more gap')})` : '';
      yield {
        code: 'tier_gap',
        record,
        evidence: () => ({
          message: `The rate table of ${quoted(method.name)} has no tier from ${gap.from} to below ${gap.to} ${unit}${more}.`,
          witness: atGroupTotal(
            shop,
            facts,
            conditionType,
            gap.from,
            (answer) => evaluationOf(answer, facts)?.reason === 'outside_rate_table',
          ),
        }),
      };
    }
    const odd = method.rateType === 'by_price_table' ? riseAfterFall(tiers) : firstFall(tiers);
    if (odd === null) continue;
    const words =
      method.rateType === 'by_price_table' ? 'rises again after it fell' : 'is below that of the tier before';
    yield {
      code: 'tier_price_falls',
      record,
      evidence: () => ({
        message: `In the rate table of ${quoted(method.name)} the price of ${odd.priceCents} from ${odd.from} ${unit} on ${words}.`,
        witness: atGroupTotal(
          shop,
          facts,
          conditionType,
          odd.from,
          (answer) => evaluationOf(answer, facts)?.visible === true,
        ),
      }),
    };
  }
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

function gapsOf(tiers: readonly Tier[]): readonly Gap[] {
  const gaps: Gap[] = [];
  for (const [i, { from: to }] of tiers.entries()) {
    const from = tiers[i - 1]?.to ?? null;
    if (from !== null && from < to) gaps.push({ from, to });
  }
  return gaps;
}

const firstFall = (tiers: readonly Tier[]): Tier | null =>
  tiers.find(({ priceCents }, i) => i > 0 && priceCents < (tiers[i - 1] as Tier).priceCents) ?? null;

function riseAfterFall(tiers: readonly Tier[]): Tier | null {
  let hasFallen = false;
  for (const [i, tier] of tiers.entries()) {
    const before = tiers[i - 1]?.priceCents ?? tier.priceCents;
    if (hasFallen && tier.priceCents > before) return tier;
    hasFallen ||= tier.priceCents < before;
  }
  return null;
}
