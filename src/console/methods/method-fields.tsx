/** The fields of a method beside its rules. */
import { pathLabel } from '../labels.ts';
import { CheckField, ChoiceField, CountField, MoneyField, TextField } from '../parts/field.tsx';
import { zoneOptions } from '../place-names.ts';
import { THRESHOLD_BASES } from '../words.ts';
import type { Named } from './condition-fields.tsx';
import type { Vocabulary } from './condition-words.ts';
import type { MethodDraft } from './method-kind.ts';
import { RateFields } from './rate-fields.tsx';

interface MethodFieldsProps {
  readonly draft: MethodDraft;
  readonly isNew: boolean;
  readonly vocabulary: Vocabulary;
  readonly named: Named;
  readonly onChange: (fields: Partial<MethodDraft>) => void;
}

export function MethodFields({ draft, isNew, vocabulary, named, onChange }: MethodFieldsProps) {
  const { delivery } = draft;
  const text = (name: 'name' | 'subtitle' | 'serviceCode', hint?: string) => (
    <TextField
      path={`/${name}`}
      value={draft[name]}
      onValue={(value) => onChange({ [name]: value })}
      {...(hint === undefined ? {} : { hint })}
    />
  );
  const days = (name: 'minDays' | 'maxDays') =>
    delivery === null ? null : (
      <CountField
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
          {text('name')}
          {text('subtitle')}
          {text('serviceCode', isNew ? 'For programs. Empty: made of the name.' : 'For programs.')}
        </div>
        <CheckField
          label={pathLabel('/enabled')}
          checked={draft.enabled}
          onValue={(enabled) => onChange({ enabled })}
        />
      </fieldset>
      <fieldset>
        <legend>For which carts</legend>
        <div class="fields">
          <ChoiceField
            path="/zoneId"
            value={draft.zoneId}
            options={zoneOptions(named.zones)}
            onValue={(zoneId) => onChange({ zoneId })}
          />
          <ChoiceField
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
            path="/freeShippingThreshold"
            hint="Empty: never free by this."
            value={draft.freeShippingThreshold}
            isOptional
            onValue={(freeShippingThreshold: number | null) => onChange({ freeShippingThreshold })}
          />
          {draft.freeShippingThreshold === null ? null : (
            <ChoiceField
              path="/thresholdBasis"
              value={draft.thresholdBasis}
              options={Object.entries(THRESHOLD_BASES)}
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
          {days('minDays')}
          {days('maxDays')}
        </div>
      </fieldset>
    </>
  );
}
