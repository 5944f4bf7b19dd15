/** What must hold before a changeset is promoted (contract section 10.2). */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { CheckField, CountField, PercentField } from '../parts/field.tsx';
import { SettingsForm, type SettingsFormProps } from './settings-form.tsx';

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

/** The gate without the criterion, or with this value of it; null for a gate without criteria. */
function withCriterion(gate: Gate | null, name: keyof Gate, value: boolean | number | null): Gate | null {
  const { [name]: _, ...others } = gate ?? {};
  const changed = value === null || value === false ? others : { ...others, [name]: value };
  return Object.keys(changed).length === 0 ? null : changed;
}

export function GateForm({ shop, isAdmin }: SettingsFormProps) {
  const [draft, setDraft] = useState<{ readonly gate: Gate | null } | null>(null);
  const gate = draft === null ? shop.promotionGate : draft.gate;
  const set = (name: keyof Gate, value: boolean | number | null): void =>
    setDraft({ gate: withCriterion(gate, name, value) });
  return (
    <SettingsForm
      title="Gate before a promotion"
      hint="A changeset is promoted when each of these holds. Without any, every changeset is."
      isAdmin={isAdmin}
      values={[
        ...CLAIM_NAMES.map(
          (name) => [CLAIMS[name], gate?.[name] === true ? 'must hold' : 'not asked'] as const,
        ),
        ...LIMIT_NAMES.map((name) => [LIMITS[name], gate?.[name] ?? 'not asked'] as const),
      ]}
      update={draft === null ? null : { promotionGate: draft.gate }}
      onSaved={() => setDraft(null)}
    >
      {CLAIM_NAMES.map((name) => (
        <CheckField
          key={name}
          label={CLAIMS[name]}
          checked={gate?.[name] === true}
          onValue={(isAsked) => set(name, isAsked)}
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
            value={gate?.[name] ?? null}
            isOptional
            onValue={(value: number | null) => set(name, value)}
          />
        );
      })}
    </SettingsForm>
  );
}
