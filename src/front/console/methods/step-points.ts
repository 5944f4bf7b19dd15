/** The steps that the tiers of a rate table draw. */

export interface Step {
  readonly from: number;
  readonly to: number;
  readonly price: number;
  readonly isOpen: boolean;
}

/** With the last value that is drawn and the highest price. Null while a tier lacks a number or no tier has a bound. A tier without an end is as wide as a fifth of the others. */
export function stepsOf(
  tiers: readonly (readonly [from: number | null, to: number | null, price: number | null])[],
) {
  const bounds = tiers.flatMap(([from, to]) => [from ?? 0, to ?? 0]);
  const last = Math.max(0, ...bounds);
  if (last === 0) return null;
  const end = tiers.some(([, to]) => to === null) ? last * 1.2 : last;
  const steps: Step[] = [];
  for (const [from, to, price] of tiers) {
    if (from === null || price === null || (to !== null && to <= from)) return null;
    steps.push({ from, to: to ?? end, price, isOpen: to === null });
  }
  steps.sort((a, b) => a.from - b.from);
  return { steps, end, most: Math.max(...steps.map(({ price }) => price)) };
}
