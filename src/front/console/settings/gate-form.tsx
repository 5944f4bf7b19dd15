/** What must hold before a changeset is promoted (contract section 10.2). */
import type { Schemas } from '../../client/call-table.ts';
import { GATE_LABELS } from '../labels.ts';
import { CheckField, CountField, PercentField } from '../parts/field.tsx';
import { SettingsForm, settingsKind } from './settings-form.tsx';

type Gate = Schemas['PromotionGate'];

/** A gate without criteria is saved as null. */
const KIND = settingsKind<Gate>(
  'Gate before a promotion',
  ({ promotionGate }) => promotionGate ?? {},
  (gate) => ({ promotionGate: Object.values(gate).some((limit) => limit !== undefined) ? gate : null }),
);

export const GateForm = () => (
  <SettingsForm
    kind={KIND}
    hint="A changeset is promoted when each of these holds. Without any, every changeset is."
    path="/promotionGate"
  >
    {(gate, field, set) =>
      (Object.keys(GATE_LABELS) as (keyof Gate)[]).map((name) => {
        const setting = gate[name];
        // Names of criteria with a number end so; the others are true or false.
        if (!/(?:Min|Max)$/.test(name)) {
          const onValue = (isAsked: boolean) => set({ [name]: isAsked || undefined });
          return <CheckField key={name} {...field(name)} value={setting === true} onValue={onValue} />;
        }
        const Field = name.includes('Percent') ? PercentField : CountField;
        return (
          <Field
            key={name}
            class="limit"
            {...field(name)}
            value={typeof setting === 'number' ? setting : null}
            isOptional
            onValue={(value: number | null) => set({ [name]: value ?? undefined })}
          />
        );
      })
    }
  </SettingsForm>
);
