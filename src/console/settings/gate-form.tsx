/** What must hold before a changeset is promoted (contract section 10.2). */
import type { Schemas } from '../../client/call-table.ts';
import { CheckField, CountField, PercentField } from '../parts/field.tsx';
import { SettingsForm, settingsKind } from './settings-form.tsx';

type Gate = Schemas['PromotionGate'];

const CLAIMS = {
  checksPass: 'No check fails',
  noNewLintErrors: 'The lint finds no new error',
  noLostCarts: 'No cart loses all its rates',
} as const;
const LIMITS = {
  differentPercentMax: 'Carts with other rates, percent at most',
  coveragePercentMin: 'Pairs of zone and group seen, percent at least',
  evaluatedMin: 'Carts evaluated, at least',
} as const;

const CLAIM_NAMES = Object.keys(CLAIMS) as (keyof typeof CLAIMS)[];
const LIMIT_NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

const TITLE = 'Gate before a promotion';
/** A gate without criteria is none. */
const KIND = settingsKind<Partial<Gate>>(
  TITLE,
  ({ promotionGate }) => promotionGate ?? {},
  (gate) => ({ promotionGate: Object.values(gate).some((limit) => limit !== undefined) ? gate : null }),
);

export const GateForm = () => (
  <SettingsForm
    kind={KIND}
    title={TITLE}
    hint="A changeset is promoted when each of these holds. Without any, every changeset is."
    values={(gate) => [
      ...CLAIM_NAMES.map((name) => [CLAIMS[name], gate[name] === true ? 'must hold' : 'not asked'] as const),
      ...LIMIT_NAMES.map((name) => [LIMITS[name], gate[name] ?? 'not asked'] as const),
    ]}
  >
    {(gate, set) => {
      const setCriterion = (name: keyof Gate, value: true | number | undefined): void =>
        set({ [name]: value });
      return (
        <>
          {CLAIM_NAMES.map((name) => (
            <CheckField
              key={name}
              label={CLAIMS[name]}
              checked={gate[name] === true}
              onValue={(isAsked) => setCriterion(name, isAsked || undefined)}
            />
          ))}
          {LIMIT_NAMES.map((name) => {
            const Field = name === 'evaluatedMin' ? CountField : PercentField;
            return (
              <Field
                key={name}
                class="limit"
                label={LIMITS[name]}
                path={`/promotionGate/${name}`}
                value={gate[name] ?? null}
                isOptional
                onValue={(value: number | null) => setCriterion(name, value ?? undefined)}
              />
            );
          })}
        </>
      );
    }}
  </SettingsForm>
);
