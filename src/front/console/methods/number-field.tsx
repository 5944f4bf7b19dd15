/** A field for a number by its kind: money, a weight, a percentage or a count. */
import { pathLabel } from '../labels.ts';
import { CountField, MoneyField, PercentField, WeightField } from '../parts/field.tsx';
import type { NumberKind } from '../words.ts';

interface NumberFieldProps {
  readonly kind: NumberKind;
  readonly label?: string;
  readonly path: string;
  readonly hint?: string | undefined;
  readonly class?: string;
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
}

/** An empty field is null; the service refuses that where it needs a number. */
export function NumberField({ kind, ...field }: NumberFieldProps) {
  if (kind === 'money') return <MoneyField {...field} isOptional />;
  if (kind === 'weight') return <WeightField {...field} isOptional />;
  if (kind === 'count') return <CountField {...field} isOptional />;
  return <PercentField {...field} label={`${field.label ?? pathLabel(field.path)} (%)`} isOptional />;
}
