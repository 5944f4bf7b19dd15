/** Makes a shop, empty or with the sample of its country, and opens it. */
import { Button, Radio, SimpleGrid, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CallFailure } from '../../client/call-outcome.ts';
import { type Operator, useApp } from '../app-state.ts';
import { newKey } from '../new-key.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, FieldErrors, TextField } from '../parts/field.tsx';
import { FailureNotice } from '../parts/notice.tsx';
import { useOnce } from '../parts/use-write.ts';
import { countryOptions } from '../place-names.ts';
import { failureText, fieldErrors } from '../service.ts';
import { currencies, timeZones, withValue } from '../settings/shop-form.tsx';
import { currencyOf, sampleOf, timeZonesOf } from './sample.ts';

/** The country of the reader, as far as the browser says. */
const ownCountry = (): string =>
  new Intl.Locale(Intl.DateTimeFormat().resolvedOptions().locale).maximize().region ?? 'US';

/** Why the new shop has no sample; null when it has. Its first version is the one that the sample replaces. */
async function addSample(
  operator: Operator,
  shopId: string,
  data: ReturnType<typeof sampleOf>,
): Promise<CallFailure | null> {
  const { reads, writesWith } = operator.callsOf(shopId);
  const read = await reads.listVersions({ query: { limit: 1 } });
  if (!read.ok) return read;
  const guards = {
    ifMatch: read.value.versions[0]?.id ?? '',
    idempotencyKey: newKey(),
    mayHaveHappened: false,
  };
  const written = await writesWith(guards).replaceConfig({ action: 'execute', data });
  return written.ok ? null : written;
}

export function NewShop({ onClose }: { readonly onClose: () => void }) {
  const app = useApp();
  const [name, setName] = useState('');
  const [country, setCountry] = useState(ownCountry);
  const [currency, setCurrency] = useState(currencyOf(country) || 'USD');
  const [timezone, setTimezone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [start, setStart] = useState('sample');
  const once = useOnce();
  const [unopened, setUnopened] = useState<CallFailure | null>(null);
  const failure = once.failure ?? unopened;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { value: operator } = app.operator;
    if (operator === null) return;
    const body = { name, currency, timezone };
    await once.run(body, async (idempotencyKey, mayHaveHappened) => {
      const made = await operator.calls.createShop(body, { idempotencyKey, mayHaveHappened });
      if (!made.ok) return made;
      const { id } = made.value.shop;
      const lacking = start === 'sample' ? await addSample(operator, id, sampleOf(country, currency)) : null;
      setUnopened(await app.openShop(id));
      if (lacking === null) app.say(`Made the shop ${name}`);
      else app.refuse(`Made the shop ${name}, but not its sample: ${failureText(lacking)}`);
      return made;
    });
  };

  return (
    <Dialog title="New shop" onClose={onClose}>
      <FieldErrors.Provider value={fieldErrors(failure)}>
        <form className="stack" aria-label="New shop" onSubmit={submit}>
          <TextField label="Name" path="/name" value={name} onValue={setName} />
          <ChoiceField
            label="Country that parcels are sent from"
            value={country}
            options={withValue(countryOptions(), country)}
            onValue={(code) => {
              setCountry(code);
              setCurrency(currencyOf(code) || currency);
              const [first = timezone, ...others] = timeZonesOf(code);
              // Of a country with many, the reader says which.
              if (others.length < 2) setTimezone(first);
            }}
          />
          <SimpleGrid cols={2} spacing="xs">
            <ChoiceField
              label="Currency"
              path="/currency"
              value={currency}
              options={withValue(currencies(), currency)}
              onValue={setCurrency}
            />
            <ChoiceField
              label="Time zone"
              path="/timezone"
              value={timezone}
              options={withValue(timeZones(), timezone)}
              onValue={setTimezone}
            />
          </SimpleGrid>
          <Radio.Group label="It begins" value={start} onChange={setStart}>
            <Stack gap="xs" mt="xs">
              <Radio
                value="sample"
                label="with a sample of this country"
                description="One price at home and one for the rest of the world, for all products. Change them before you sell."
              />
              <Radio
                value="empty"
                label="empty"
                description="No cart gets a rate before you make a zone and a method."
              />
            </Stack>
          </Radio.Group>
          <FailureNotice failure={failure} />
          <div className="row wrap">
            <Button variant="filled" type="submit" loading={once.isBusy}>
              Make the shop
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </form>
      </FieldErrors.Provider>
    </Dialog>
  );
}
