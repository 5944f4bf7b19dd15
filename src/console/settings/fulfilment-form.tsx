/** When parcels leave, from which delivery dates follow (contract section 11). */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { CheckField, CountField, TextField } from '../parts/field.tsx';
import { capitalized } from '../words.ts';
import { SettingsForm, type SettingsFormProps } from './settings-form.tsx';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

type Fulfilment = Schemas['Fulfilment'];

export function FulfilmentForm({ shop, isAdmin }: SettingsFormProps) {
  const [draft, setDraft] = useState<Fulfilment | null>(null);
  const [holidayText, setHolidayText] = useState<string | null>(null);
  const fulfilment = draft ?? shop.fulfilment;
  const { cutoff, handlingDays, workingDays, holidays } = fulfilment;
  const set = (changed: Partial<Fulfilment>): void => setDraft({ ...fulfilment, ...changed });
  return (
    <SettingsForm
      title="Fulfilment"
      hint="Delivery dates of methods follow from these, in the time zone of the shop."
      isAdmin={isAdmin}
      values={[
        ['Cutoff', cutoff],
        ['Handling days', handlingDays],
        ['Working days', workingDays.map(capitalized).join(', ')],
        ['Holidays', holidays.join(', ') || 'None'],
      ]}
      update={draft === null ? null : { fulfilment: draft }}
      onSaved={() => {
        setDraft(null);
        setHolidayText(null);
      }}
    >
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
                  workingDays: DAYS.filter((each) => (each === day ? isWorking : workingDays.includes(each))),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <TextField
        label="Holidays (dates as 2026-12-25)"
        path="/fulfilment/holidays"
        lines={3}
        value={holidayText ?? holidays.join('\n')}
        onValue={(text) => {
          setHolidayText(text);
          set({ holidays: text.split(/[\s,;]+/).filter((date) => date !== '') });
        }}
      />
    </SettingsForm>
  );
}
