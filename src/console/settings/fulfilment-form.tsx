/** When parcels leave, from which delivery dates follow (contract section 11). */
import { CheckField, CountField, TextField } from '../parts/field.tsx';
import { ParsedField } from '../parts/parsed-field.tsx';
import { capitalized } from '../words.ts';
import { SettingsForm, settingsKind } from './settings-form.tsx';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const TITLE = 'Fulfilment';
const KIND = settingsKind(
  TITLE,
  ({ fulfilment }) => fulfilment,
  (fulfilment) => ({ fulfilment }),
);

export const FulfilmentForm = () => (
  <SettingsForm
    kind={KIND}
    title={TITLE}
    hint="Delivery dates of methods follow from these, in the time zone of the shop."
    values={({ cutoff, handlingDays, workingDays, holidays }) => [
      ['Cutoff', cutoff],
      ['Handling days', handlingDays],
      ['Working days', workingDays.map(capitalized).join(', ')],
      ['Holidays', holidays.join(', ') || 'None'],
    ]}
  >
    {({ cutoff, handlingDays, workingDays, holidays }, set) => (
      <>
        <div class="pair">
          <TextField
            label="Cutoff (HH:MM; 00:00 for none)"
            path="/fulfilment/cutoff"
            value={cutoff}
            onValue={(text) => set({ cutoff: text })}
          />
          <CountField
            label="Handling (working days)"
            path="/fulfilment/handlingDays"
            value={handlingDays}
            onValue={(days) => set({ handlingDays: days })}
          />
        </div>
        <fieldset>
          <legend>Working days</legend>
          <div class="row wrap">
            {DAYS.map((day) => (
              <CheckField
                key={day}
                label={capitalized(day)}
                checked={workingDays.includes(day)}
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
          label="Holidays (dates as 2026-12-25)"
          path="/fulfilment/holidays"
          lines={3}
          value={holidays}
          format={(dates) => dates.join('\n')}
          parse={(text) => text.split(/[\s,;]+/).filter((date) => date !== '')}
          onValue={(dates) => set({ holidays: dates })}
        />
      </>
    )}
  </SettingsForm>
);
