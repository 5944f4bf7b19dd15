/** Adds up the coverage of several nodes, each of which counted its own simulations. */
import type { Coverage } from '../wire/coverage.ts';

/** The sum of views of one configuration: they list the same records in the same order. */
export function sumCoverage(first: Coverage, others: readonly Coverage[]): Coverage {
  return others.reduce(
    (sum, { since, simulations, zones, methods, rules, tiers, groups }) => ({
      since: earlier(since, sum.since),
      simulations: sum.simulations + simulations,
      zones: pairwise(sum.zones, zones, addCount),
      methods: pairwise(sum.methods, methods, (a, b) => ({
        ...a,
        considered: a.considered + b.considered,
        visible: a.visible + b.visible,
        offered: a.offered + b.offered,
        lastOfferedAt: later(a.lastOfferedAt, b.lastOfferedAt),
      })),
      rules: pairwise(sum.rules, rules, (a, b) => ({
        ...a,
        evaluated: a.evaluated + b.evaluated,
        matched: a.matched + b.matched,
        lastMatchedAt: later(a.lastMatchedAt, b.lastMatchedAt),
      })),
      tiers: pairwise(sum.tiers, tiers, addCount),
      groups: pairwise(sum.groups, groups, addCount),
    }),
    first,
  );
}

const addCount = <T extends { readonly count: number }>(a: T, b: T): T => ({
  ...a,
  count: a.count + b.count,
});

const earlier = (a: string, b: string): string => [a, b].sort()[0] ?? a;

/** Of ISO times; null is never. */
const later = (a: string | null, b: string | null): string | null => ((a ?? '') > (b ?? '') ? a : b);

const pairwise = <T>(left: readonly T[], right: readonly T[], add: (a: T, b: T) => T): T[] =>
  left.map((a, index) => {
    const b = right[index];
    return b === undefined ? a : add(a, b);
  });
