/** What must hold before a changeset is promoted (contract section 10.2). */
import type { Schemas } from '../../client/call-table.ts';
import { CheckField, CountField, PercentField } from '../parts/field.tsx';
import { SettingsForm, settingsKind } from './settings-form.tsx';

const CLAIMS = ['checksPass', 'noNewLintErrors', 'noLostCarts'] as const;
const LIMITS = ['differentPercentMax', 'coveragePercentMin', 'evaluatedMin'] as const;

/** A gate without criteria is saved as null. */
const KIND = settingsKind<Partial<Schemas['PromotionGate']>>(
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
    {(gate, field, set) => (
      <>
        {CLAIMS.map((name) => (
          <CheckField
            key={name}
            {...field(name)}
            value={gate[name] === true}
            onValue={(isAsked) => set({ [name]: isAsked || undefined })}
          />
        ))}
        {LIMITS.map((name) => {
          const Field = name === 'evaluatedMin' ? CountField : PercentField;
          return (
            <Field
              key={name}
              class="limit"
              {...field(name)}
              value={gate[name] ?? null}
              isOptional
              onValue={(value: number | null) => set({ [name]: value ?? undefined })}
            />
          );
        })}
      </>
    )}
  </SettingsForm>
);
