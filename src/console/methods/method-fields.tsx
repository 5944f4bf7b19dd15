/** The fields of a method beside its rules. */
import { CheckField, ChoiceField, CountField, MoneyField, TextField } from '../parts/field.tsx';
import { zoneOptions } from '../place-names.ts';
import type { Named } from './condition-fields.tsx';
import type { Vocabulary } from './condition-words.ts';
import type { MethodDraft } from './method-draft.ts';
import { RateFields } from './rate-fields.tsx';

interface MethodFieldsProps {
  readonly draft: MethodDraft;
  readonly vocabulary: Vocabulary;
  readonly named: Named;
  readonly onChange: (fields: Partial<MethodDraft>) => void;
}

const BASES = [
  ['cart_total', 'the cart total'],
  ['order_total', 'the order total after discounts'],
] as const;

export function MethodFields({ draft, vocabulary, named, onChange }: MethodFieldsProps) {
  const { delivery } = draft;
  const text = (name: 'name' | 'subtitle' | 'serviceCode', label: string, hint?: string) => (
    <TextField
      label={label}
      path={`/${name}`}
      value={draft[name]}
      onValue={(value) => onChange({ [name]: value })}
      {...(hint === undefined ? {} : { hint })}
    />
  );
  const days = (name: 'minDays' | 'maxDays', label: string) =>
    delivery === null ? null : (
      <CountField
        label={label}
        path={`/delivery/${name}`}
        value={delivery[name]}
        onValue={(value: number) => onChange({ delivery: { ...delivery, [name]: value } })}
      />
    );
  return (
    <>
      <fieldset>
        <legend>What customers see</legend>
        <div class="fields">
          {text('name', 'Name')}
          {text('subtitle', 'Description')}
          {text(
            'serviceCode',
            'Service code',
            draft.id === null ? 'For programs. Empty: made of the name.' : 'For programs.',
          )}
        </div>
        <CheckField label="Active" checked={draft.enabled} onValue={(enabled) => onChange({ enabled })} />
      </fieldset>
      <fieldset>
        <legend>For which carts</legend>
        <div class="fields">
          <ChoiceField
            label="Zone or subzone"
            path="/zoneId"
            value={draft.zoneId}
            options={zoneOptions(named.zones)}
            onValue={(zoneId) => onChange({ zoneId })}
          />
          <ChoiceField
            label="Product group"
            path="/productGroupId"
            value={draft.productGroupId}
            options={named.groups.map(({ id, name }) => [id, name])}
            onValue={(productGroupId) => onChange({ productGroupId })}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>Price</legend>
        <RateFields draft={draft} rateTypes={vocabulary.rateTypes} onChange={onChange} />
        <div class="fields">
          <MoneyField
            label="Free from"
            path="/freeShippingThreshold"
            hint="Empty: never free by this."
            value={draft.freeShippingThreshold}
            isOptional
            onValue={(freeShippingThreshold: number | null) => onChange({ freeShippingThreshold })}
          />
          {draft.freeShippingThreshold === null ? null : (
            <ChoiceField
              label="Compared with"
              path="/thresholdBasis"
              value={draft.thresholdBasis}
              options={BASES}
              onValue={(basis) => onChange({ thresholdBasis: basis as MethodDraft['thresholdBasis'] })}
            />
          )}
        </div>
      </fieldset>
      <fieldset>
        <legend>Delivery</legend>
        <CheckField
          label="Tell customers when it arrives"
          checked={delivery !== null}
          onValue={(isTold) => onChange({ delivery: isTold ? { minDays: 1, maxDays: 3 } : null })}
        />
        <div class="fields">
          {days('minDays', 'Working days, at least')}
          {days('maxDays', 'Working days, at most')}
        </div>
      </fieldset>
    </>
  );
}
