/** The fields of a method beside its rules. */
import { CheckField, ChoiceField, CountField, fieldOf, MoneyField, TextField } from '../parts/field.tsx';
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
  const field = fieldOf(draft, onChange);
  const { delivery } = draft;
  return (
    <>
      <fieldset>
        <legend>What customers see</legend>
        <div class="fields">
          <TextField {...field('name')} />
          <TextField {...field('subtitle')} />
          <TextField
            {...field('serviceCode')}
            hint={isNew ? 'For programs. Empty: made of the name.' : 'For programs.'}
          />
        </div>
        <CheckField {...field('enabled')} />
      </fieldset>
      <fieldset>
        <legend>For which carts</legend>
        <div class="fields">
          <ChoiceField {...field('zoneId')} options={zoneOptions(named.zones)} />
          <ChoiceField
            {...field('productGroupId')}
            options={named.groups.map(({ id, name }) => [id, name])}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>Price</legend>
        <RateFields draft={draft} rateTypes={vocabulary.rateTypes} onChange={onChange} />
        <div class="fields">
          <MoneyField {...field('freeShippingThreshold')} hint="Empty: never free by this." isOptional />
          {draft.freeShippingThreshold === null ? null : (
            <ChoiceField {...field('thresholdBasis')} options={Object.entries(THRESHOLD_BASES)} />
          )}
        </div>
      </fieldset>
      <fieldset>
        <legend>Delivery</legend>
        <CheckField
          label="Tell customers when it arrives"
          value={delivery !== null}
          onValue={(isTold) => onChange({ delivery: isTold ? { minDays: 1, maxDays: 3 } : null })}
        />
        {delivery === null ? null : <DaysFields delivery={delivery} onChange={onChange} />}
        <CheckField {...field('phoneRequired')} />
      </fieldset>
    </>
  );
}

interface DaysFieldsProps extends Pick<MethodFieldsProps, 'onChange'> {
  readonly delivery: NonNullable<MethodDraft['delivery']>;
}

function DaysFields({ delivery, onChange }: DaysFieldsProps) {
  const field = fieldOf(
    delivery,
    (fields) => onChange({ delivery: { ...delivery, ...fields } }),
    '/delivery',
  );
  return (
    <div class="fields">
      <CountField {...field('minDays')} />
      <CountField {...field('maxDays')} />
    </div>
  );
}
