/** Name, currency and time zone of the shop. */
import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../parts/field.tsx';
import type { Shop } from '../service.ts';
import { SettingsForm, type SettingsFormProps } from './settings-form.tsx';

type Draft = Partial<Pick<Shop, 'name' | 'currency' | 'timezone'>>;

function currencies(): (readonly [string, string])[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code) => [code, `${code} – ${names.of(code) ?? code}`]);
}

const zones = (): (readonly [string, string])[] =>
  Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')]);

/** The browser may not know a value that the service takes. */
const withValue = (options: readonly (readonly [string, string])[], value: string) =>
  options.some(([option]) => option === value) ? options : [[value, value] as const, ...options];

export function ShopForm({ shop, isAdmin }: SettingsFormProps) {
  const [draft, setDraft] = useState<Draft>({});
  const { name, currency, timezone } = { ...shop, ...draft };
  const set = (changed: Draft): void => setDraft({ ...draft, ...changed });
  return (
    <SettingsForm
      title="Shop"
      isAdmin={isAdmin}
      values={[
        ['Name', name],
        ['Currency', currency],
        ['Time zone', timezone],
      ]}
      update={Object.keys(draft).length === 0 ? null : draft}
      onSaved={() => setDraft({})}
    >
      <TextField label="Name" path="/name" value={name} onValue={(text) => set({ name: text })} />
      <div class="pair">
        <ChoiceField
          label="Currency"
          path="/currency"
          value={currency}
          options={withValue(currencies(), currency)}
          onValue={(code) => set({ currency: code })}
        />
        <ChoiceField
          label="Time zone"
          path="/timezone"
          value={timezone}
          options={withValue(zones(), timezone)}
          onValue={(zone) => set({ timezone: zone })}
        />
      </div>
      {draft.currency === undefined ? null : (
        <p class="quiet">
          Prices keep their numbers: what costs 4.95 {shop.currency} will cost 4.95 {draft.currency}.
        </p>
      )}
    </SettingsForm>
  );
}
