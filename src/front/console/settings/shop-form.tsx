/** Name, currency and time zone of the shop. */
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { SettingsForm, settingsKind } from './settings-form.tsx';

const KIND = settingsKind(
  'Shop',
  ({ name, currency, timezone, directWrites }) => ({ name, currency, timezone, directWrites }),
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
    <SettingsForm kind={KIND}>
      {({ currency, timezone, directWrites }, field) => (
        <>
          <TextField {...field('name')} />
          <div class="pair">
            <ChoiceField {...field('currency')} options={withValue(currencies(), currency)} />
            <ChoiceField {...field('timezone')} options={withValue(zones(), timezone)} />
          </div>
          <CheckField {...field('directWrites')} value={directWrites} />
          {currency === shop.currency ? null : (
            <p class="quiet">
              Prices keep their numbers: what costs {formatMoney(495, shop.currency)} will cost{' '}
              {formatMoney(495, currency)}.
            </p>
          )}
        </>
      )}
    </SettingsForm>
  );
}
