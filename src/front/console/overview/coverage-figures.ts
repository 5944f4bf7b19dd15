/** The figures of the last days. */
import type { Schemas } from '../../client/call-table.ts';
import { numberText } from '../english.ts';

export type Day = Schemas['Coverage']['days'][number];

interface Figures {
  readonly today: number;
  readonly yesterday: number;
  readonly carts: number;
  readonly withoutRate: number;
  readonly withoutRateToday: number;
  /** Of the last day that has one, with the lowest and the highest of all days. */
  readonly cheapest: {
    readonly date: string;
    readonly amount: number;
    readonly low: number;
    readonly high: number;
  } | null;
}

/** `days` end with today, in the time zone of the shop. */
export function figuresOf(days: readonly Day[]): Figures {
  const sum = (field: 'simulations' | 'withoutRate'): number =>
    days.reduce((total, day) => total + day[field], 0);
  const priced = days.findLast(({ cheapestMedian }) => cheapestMedian !== null);
  const medians = days.flatMap(({ cheapestMedian }) => cheapestMedian ?? []);
  return {
    today: days.at(-1)?.simulations ?? 0,
    yesterday: days.at(-2)?.simulations ?? 0,
    carts: sum('simulations'),
    withoutRate: sum('withoutRate'),
    withoutRateToday: days.at(-1)?.withoutRate ?? 0,
    cheapest:
      priced?.cheapestMedian == null
        ? null
        : {
            ...{ date: priced.date, amount: priced.cheapestMedian },
            ...{ low: Math.min(...medians), high: Math.max(...medians) },
          },
  };
}

/** `0.4 %`; with a digit after the point below ten. A share that is not nothing is never `0 %`. */
export function percentText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${numberText(percent, { maximumFractionDigits: percent < 10 ? 1 : 0 })} %`;
}
