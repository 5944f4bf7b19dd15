/** Name, currency and time zone of the shop. */

import { useSignedIn } from '../app-state.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { SettingsForm, settingsKind } from './settings-form.tsx';

const TITLE = 'Shop';
const KIND = settingsKind(
  TITLE,
  ({ name, currency, timezone }) => ({ name, currency, timezone }),
  (_, changed) => changed,
);

function currencies(): (readonly [string, string])[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code) => [code, `${code} – ${names.of(code) ?? code}`]);
}

const zones = (): (readonly [string, string])[] =>
  Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')]);

/** The browser may not know a value that the service takes. */
const withValue = (options: readonly (readonly [string, string])[], value: string) =>
  options.some(([option]) => option === value) ? options : [[value, value] as const, ...options];

export function ShopForm() {
  const { shop } = useSignedIn();
  return (
    <SettingsForm
      kind={KIND}
      title={TITLE}
      values={({ name, currency, timezone }) => [
        ['Name', name],
        ['Currency', currency],
        ['Time zone', timezone],
      ]}
    >
      {({ name, currency, timezone }, set) => (
        <>
          <TextField path="/name" value={name} onValue={(text) => set({ name: text })} />
          <div class="pair">
            <ChoiceField
              path="/currency"
              value={currency}
              options={withValue(currencies(), currency)}
              onValue={(code) => set({ currency: code })}
            />
            <ChoiceField
              path="/timezone"
              value={timezone}
              options={withValue(zones(), timezone)}
              onValue={(zone) => set({ timezone: zone })}
            />
          </div>
          {currency === shop.currency ? null : (
            <p class="quiet">
              Prices keep their numbers: what costs 4.95 {shop.currency} will cost 4.95 {currency}.
            </p>
          )}
        </>
      )}
    </SettingsForm>
  );
}
