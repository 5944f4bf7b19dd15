/** Name, currency and time zone of the shop. */
import { SimpleGrid } from '@mantine/core';
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { ENGLISH } from '../english.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { SettingsForm, settingsKind } from './settings-form.tsx';

const KIND = settingsKind(
  'Shop',
  ({ name, currency, timezone }) => ({ name, currency, timezone }),
  (_, changed) => changed,
);

export function currencies(): (readonly [string, string])[] {
  const names = new Intl.DisplayNames(ENGLISH, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code) => [code, `${code} – ${names.of(code) ?? code}`]);
}

export const timeZones = (): (readonly [string, string])[] =>
  Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')]);

/** The browser may not know a value that the service takes. */
export const withValue = (options: readonly (readonly [string, string])[], value: string) =>
  options.some(([option]) => option === value) ? options : [[value, value] as const, ...options];

export function ShopForm() {
  const { shop } = useSignedIn();
  return (
    <SettingsForm kind={KIND}>
      {({ currency, timezone }, field) => (
        <>
          <TextField {...field('name')} />
          <SimpleGrid cols={2} spacing="xs">
            <ChoiceField {...field('currency')} options={withValue(currencies(), currency)} />
            <ChoiceField {...field('timezone')} options={withValue(timeZones(), timezone)} />
          </SimpleGrid>
          {currency === shop.currency ? null : (
            <p className="quiet">
              Prices keep their numbers: what costs {formatMoney(495, shop.currency)} will cost{' '}
              {formatMoney(495, currency)}.
            </p>
          )}
        </>
      )}
    </SettingsForm>
  );
}
