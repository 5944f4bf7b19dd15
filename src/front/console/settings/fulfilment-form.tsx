/** When parcels are sent, which determines delivery dates (contract section 11). */
import type { Schemas } from '../../client/call-table.ts';
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

/** From lines of a day and a time; the API refuses what is neither. */
function cutoffsOf(text: string): Schemas['CutoffByDay'] {
  const lines = text.split(/[\n,;]+/).map((line) => line.trim().toLowerCase());
  const entries = lines.filter((line) => line !== '').map((line) => line.split(/\s+/, 2));
  return Object.fromEntries(entries.map(([day = '', time = '']) => [day, time]));
}

export const FulfilmentForm = () => (
  <SettingsForm
    kind={KIND}
    hint="Delivery dates of methods follow from these, in the time zone of the shop."
    path="/fulfilment"
  >
    {({ workingDays, cutoffByDay }, field, set) => (
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
          path="/fulfilment/cutoffByDay"
          label="Other cutoffs (a day on each line, as friday 12:00)"
          lines={2}
          value={cutoffByDay ?? {}}
          onValue={(cutoffs) => set({ cutoffByDay: cutoffs })}
          format={(cutoffs) =>
            Object.entries(cutoffs)
              .map((entry) => entry.join(' '))
              .join('\n')
          }
          parse={cutoffsOf}
        />
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
