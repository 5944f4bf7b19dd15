/** Numbers as a person reads them in a table: three significant digits, a unit that fits. */
import type { Unit } from './measurement.ts';

/** A whole number. */
export const formatCount = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Three significant digits, thousands separated. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return formatCount(value);
  if (size >= 10) return value.toFixed(1);
  return size >= 0.001 ? value.toPrecision(3) : value.toExponential(1);
}

type Step = readonly [from: number, divisor: number, name: string];

const NANOSECONDS: readonly Step[] = [
  [1e9, 1e9, 's'],
  [1e6, 1e6, 'ms'],
  [1e3, 1e3, 'us'],
  [0, 1, 'ns'],
];
const BYTES: readonly Step[] = [
  [1024 ** 3, 1024 ** 3, 'GiB'],
  [1024 ** 2, 1024 ** 2, 'MiB'],
  [1024, 1024, 'KiB'],
  [0, 1, 'B'],
];

function stepped(value: number, steps: readonly Step[]): string {
  const step = steps.find(([from]) => Math.abs(value) >= from);
  return step === undefined ? '-' : `${formatNumber(value / step[1])} ${step[2]}`;
}

/** Nanoseconds of one unit of time. */
const NANOSECONDS_OF = { ns: 1, us: 1e3, ms: 1e6 } as const;

/** `value` is in `unit`. */
export function formatValue(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return '-';
  switch (unit) {
    case 'ns':
    case 'us':
    case 'ms':
      return stepped(value * NANOSECONDS_OF[unit], NANOSECONDS);
    case 'bytes':
      return stepped(value, BYTES);
    case 'perSecond':
      return `${formatNumber(value)} /s`;
    case 'ratio':
      return `${formatNumber(value)}x`;
    case 'count':
      return formatNumber(value);
  }
}

export const formatShare = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
