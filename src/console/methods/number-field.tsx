/** A field for the number that a name of the API stands for: money, a weight, a percentage or a count. */
import { pathLabel } from '../labels.ts';
import { CountField, MoneyField, TypedField, WeightField } from '../parts/field.tsx';
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

/** A percentage with at most two decimals, or null. */
export function parsePercentage(text: string): number | null {
  const match = /^(\d{1,4})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim());
  return match === null ? null : Number(`${match[1]}.${match[2] ?? 0}`);
}

/** An empty field is null; whether the service takes that is said by the service. */
export function NumberField({ kind, hint, ...rest }: NumberFieldProps) {
  const field = { ...rest, ...(hint === undefined ? {} : { hint }) };
  if (kind === 'money') return <MoneyField {...field} isOptional />;
  if (kind === 'weight') return <WeightField {...field} isOptional />;
  if (kind === 'count') return <CountField {...field} isOptional />;
  return (
    <TypedField
      {...field}
      label={`${field.label ?? pathLabel(field.path)} (%)`}
      isOptional
      format={String}
      parse={parsePercentage}
      refusal="is not a percentage with at most two decimals, such as 12.5"
    />
  );
}
