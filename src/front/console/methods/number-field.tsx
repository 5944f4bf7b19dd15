/** A field for a number by its kind: money, a weight, a size, a percentage or a count. */
import { unitFor, WEIGHT_UNITS } from '../amounts.ts';
import { pathLabel } from '../labels.ts';
import { CountField, MoneyField, PercentField, SizeField, WeightField } from '../parts/number-field.tsx';
import type { NumberKind } from '../words.ts';

interface NumberFieldProps {
  readonly kind: NumberKind;
  readonly label?: string;
  readonly path: string;
  readonly hint?: string | undefined;
  readonly className?: string;
  /** Of weights: instead of the unit that fits the number. */
  readonly unit?: string;
  readonly isRequired?: boolean;
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
}

/** An empty field is null, which is not saved where it is required. */
export function NumberField({ kind, unit, ...field }: NumberFieldProps) {
  if (kind === 'money') return <MoneyField {...field} isOptional />;
  if (kind === 'weight')
    return <WeightField {...field} {...(unit === undefined ? {} : { unit })} isOptional />;
  if (kind === 'size') return <SizeField {...field} isOptional />;
  if (kind === 'count') return <CountField {...field} isOptional />;
  return <PercentField {...field} label={`${field.label ?? pathLabel(field.path)} (%)`} isOptional />;
}

/** The unit in which all these weights are short. */
export const tableUnit = (weights: readonly (number | null | undefined)[], currency: string): string =>
  currency === 'USD' && weights.every((grams) => unitFor(grams ?? null, WEIGHT_UNITS, 'lb', 'kg') === 'lb')
    ? 'lb'
    : 'kg';
