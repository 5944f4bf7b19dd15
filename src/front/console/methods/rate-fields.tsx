/** How a method is priced: its rate type, with a form made of the schema that the vocabulary has for it. */
import { useRef } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { ChoiceField } from '../parts/field.tsx';
import { kindOfNumber, rateTypeHint, rateTypeText } from '../words.ts';
import type { MethodDraft, RateConfig, RateType, Tier } from './method-kind.ts';
import { NumberField } from './number-field.tsx';
import { firstConfig, isRequiredIn, schemaOf } from './rate-words.ts';
import { TierTable } from './tier-table.tsx';

interface RateFieldsProps {
  readonly draft: MethodDraft;
  readonly rateTypes: Schemas['Vocabulary']['rateTypes'];
  readonly onChange: (fields: Pick<MethodDraft, 'rateType' | 'config'>) => void;
}

export function RateFields({ draft, rateTypes, onChange }: RateFieldsProps) {
  const { rateType, config } = draft;
  /** The configs of other types, for a reader who goes back to one. */
  const kept = useRef(new Map<string, RateConfig>());
  const schema = schemaOf(rateTypes, rateType);
  const setType = (chosen: RateType): void => {
    kept.current.set(rateType, config);
    const next = kept.current.get(chosen) ?? firstConfig(schemaOf(rateTypes, chosen));
    onChange({ rateType: chosen, config: next });
  };
  const set = (name: string, value: number | null | readonly Tier[]): void => {
    const { [name]: _, ...others } = config;
    onChange({ rateType, config: value === null ? others : { ...config, [name]: value } });
  };
  return (
    <>
      <ChoiceField
        path="/rateType"
        value={rateType}
        options={rateTypes.map(({ name }) => [name, rateTypeText(name)])}
        onValue={setType}
        hint={rateTypeHint(rateType, schema.description)}
      />
      <div className="fields">
        {Object.entries(schema.properties ?? {}).map(([name, field]) => {
          const value = config[name];
          if (field.items !== undefined) return null;
          const kind = kindOfNumber(name);
          return (
            <NumberField
              key={`${rateType} ${name}`}
              kind={kind}
              path={`/config/${name}`}
              hint={kind === 'count' ? field.description?.replace(/^Accepts /, '') : undefined}
              isRequired={isRequiredIn(schema, name)}
              value={typeof value === 'number' ? value : null}
              onValue={(typed) => set(name, typed)}
            />
          );
        })}
      </div>
      {schema.properties?.['tiers']?.items === undefined ? null : (
        <TierTable
          key={rateType}
          schema={schema.properties['tiers'].items}
          tiers={(config['tiers'] ?? []) as readonly Tier[]}
          onTiers={(tiers) => set('tiers', tiers)}
        />
      )}
    </>
  );
}
