/**
 * What live simulations were answered on each of the last days of a shop (contract section 12.8): how many there were, how many
 * had no rate, and how often each price was the cheapest rate, for the median.
 *
 * Bounds: `COVERED_DAYS` days, each with `DAY_PRICES_MAX` prices. A day with more different prices keeps them in steps of 2, 4, 8 ...
 * cents, the smallest that are few enough, so its median is off by at most half a step.
 */
import { dayText } from '../../engine/domain/calendar-day.ts';
import { COVERED_DAYS, type Coverage, DAY_PRICES_MAX } from '../../engine/wire/coverage.ts';
import type { DayRow } from '../reader/simulation-watch.ts';

/** Price -> how often it was the cheapest; with a step above 1 the lowest price of the step. */
type PriceCounts = Map<number, number>;

interface DayCount {
  simulations: number;
  withoutRate: number;
  step: number;
  prices: PriceCounts;
}

const noCount = (): DayCount => ({ simulations: 0, withoutRate: 0, step: 1, prices: new Map() });

export class DayCounts {
  readonly #days = new Map<number, DayCount>();

  add(rows: Iterable<DayRow>): void {
    for (const [day, simulations, withoutRate, step, ...prices] of rows) {
      const count = this.#of(day);
      count.simulations += simulations;
      count.withoutRate += withoutRate;
      coarsen(count, step);
      for (let at = 0; at < prices.length; at += 2) addPrice(count, prices[at] ?? 0, prices[at + 1] ?? 0);
    }
  }

  #of(day: number): DayCount {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const count = noCount();
    this.#days.set(day, count);
    return count;
  }

  /** Forgets the days that are not shown any more. */
  prune(today: number): void {
    for (const day of this.#days.keys()) if (day <= today - COVERED_DAYS) this.#days.delete(day);
  }

  rows(): DayRow[] {
    return Array.from(this.#days, ([day, { simulations, withoutRate, step, prices }]): DayRow => {
      return [day, simulations, withoutRate, step, ...[...prices].flat()];
    });
  }

  /** Every day from `first` on, at most the last `COVERED_DAYS` up to today, oldest first. */
  view(first: number, today: number): Coverage['days'] {
    const shown: Coverage['days'] = [];
    for (let day = Math.max(first, today - COVERED_DAYS + 1); day <= today; day++) {
      const { simulations, withoutRate, step, prices } = this.#days.get(day) ?? noCount();
      shown.push({ date: dayText(day), simulations, withoutRate, cheapestMedian: medianOf(prices, step) });
    }
    return shown;
  }
}

function addPrice(count: DayCount, price: number, times: number): void {
  const { step, prices } = count;
  const from = price - (price % step);
  prices.set(from, (prices.get(from) ?? 0) + times);
  if (prices.size > DAY_PRICES_MAX) coarsen(count, 2 * step);
}

function coarsen(count: DayCount, step: number): void {
  if (step <= count.step) return;
  const { prices } = count;
  count.step = step;
  count.prices = new Map();
  for (const [price, times] of prices) addPrice(count, price, times);
}

/** The price that at least half of them did not exceed; null when there is none. */
function medianOf(prices: PriceCounts, step: number): number | null {
  const sorted = [...prices].sort(([one], [other]) => one - other);
  let left = sorted.reduce((sum, [, times]) => sum + times, 0) / 2;
  for (const [price, times] of sorted) {
    left -= times;
    if (left <= 0) return price + Math.floor((step - 1) / 2);
  }
  return null;
}
