/** When parcels are sent, which determines delivery dates (contract section 11). */
import { SimpleGrid, TextInput } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { CheckField, TextField, useFrame } from '../parts/field.tsx';
import { CountField } from '../parts/number-field.tsx';
import { capitalized } from '../words.ts';
import { SettingsForm, settingsKind } from './settings-form.tsx';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const KIND = settingsKind(
  'Fulfilment',
  ({ fulfilment }) => fulfilment,
  (fulfilment) => ({ fulfilment }),
);

interface CutoffProps {
  readonly day: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Of one day, in a row that names it. */
function DayCutoff({ day, value, onValue }: CutoffProps) {
  const { label, ...frame } = useFrame({
    label: `Cutoff on ${capitalized(day)}`,
    path: `/fulfilment/cutoffByDay/${day}`,
  });
  return (
    <TextInput
      {...frame}
      aria-label={label}
      type="time"
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}

export const FulfilmentForm = () => (
  <SettingsForm
    kind={KIND}
    hint="Delivery dates of methods follow from these, in the time zone of the shop."
    path="/fulfilment"
  >
    {({ workingDays, cutoffByDay }, field, set) => (
      <>
        <SimpleGrid cols={2} spacing="xs">
          <TextField {...field('cutoff')} label="Cutoff (HH:MM; 00:00 for none)" />
          <CountField {...field('handlingDays')} label="Handling (working days)" />
        </SimpleGrid>
        <table className="days">
          <thead>
            <tr>
              <th scope="col">Working days</th>
              <th scope="col">Another cutoff on it (00:00 for none)</th>
            </tr>
          </thead>
          <tbody>
            {DAYS.map((day) => (
              <tr key={day}>
                <td>
                  <CheckField
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
                </td>
                <td>
                  <DayCutoff
                    day={day}
                    value={cutoffByDay?.[day] ?? ''}
                    onValue={(time) => {
                      const { [day]: _, ...others } = cutoffByDay ?? {};
                      set({ cutoffByDay: time === '' ? others : { ...others, [day]: time } });
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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

interface ParsedFieldProps<T> {
  readonly label?: string;
  readonly path?: string;
  readonly hint?: string;
  readonly lines: number;
  readonly value: T;
  readonly onValue: (value: T) => void;
  readonly format: (value: T) => string;
  readonly parse: (text: string) => T;
}

/** Keeps the text as it was typed; replaces it when something else changes the value. */
function ParsedField<T>({ value, onValue, format, parse, ...frame }: ParsedFieldProps<T>) {
  const [text, setText] = useState(() => format(value));
  // Before the next key, as in `TypedField`.
  useLayoutEffect(() => {
    if (format(parse(text)) !== format(value)) setText(format(value));
  }, [value]);
  return (
    <TextField
      {...frame}
      value={text}
      onValue={(typed) => {
        setText(typed);
        onValue(parse(typed));
      }}
    />
  );
}
