/** When parcels are sent, which determines delivery dates (contract section 11). */
import { CheckField, CountField, TextField } from '../parts/field.tsx';
import { ParsedField } from '../parts/parsed-field.tsx';
import { capitalized } from '../words.ts';
import { SettingsForm, settingsKind } from './settings-form.tsx';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const KIND = settingsKind(
  'Fulfilment',
  ({ fulfilment }) => fulfilment,
  (fulfilment) => ({ fulfilment }),
);

export const FulfilmentForm = () => (
  <SettingsForm
    kind={KIND}
    hint="Delivery dates of methods follow from these, in the time zone of the shop."
    path="/fulfilment"
  >
    {({ workingDays }, field, set) => (
      <>
        <div class="pair">
          <TextField {...field('cutoff')} label="Cutoff (HH:MM; 00:00 for none)" />
          <CountField {...field('handlingDays')} label="Handling (working days)" />
        </div>
        <fieldset>
          <legend>Working days</legend>
          <div class="row wrap">
            {DAYS.map((day) => (
              <CheckField
                key={day}
                label={capitalized(day)}
                value={workingDays.includes(day)}
                onValue={(isWorking) =>
                  set({
                    workingDays: DAYS.filter((each) =>
                      each === day ? isWorking : workingDays.includes(each),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        <ParsedField
          {...field('holidays')}
          label="Holidays (dates as 2026-12-25)"
          lines={3}
          format={(dates) => dates.join('\n')}
          parse={(text) => text.split(/[\s,;]+/).filter((date) => date !== '')}
        />
      </>
    )}
  </SettingsForm>
);
