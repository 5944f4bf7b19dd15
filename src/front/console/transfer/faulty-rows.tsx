/** The rows of a file that the service refuses, each with its errors and a field to correct it in. */
import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { pathText } from '../labels.ts';
import { TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { type ConfigData, type FaultyRow, faultyRows, KINDS, rowName, withRecord } from './config-file.ts';

interface FaultyRowsProps {
  readonly data: ConfigData;
  readonly errors: ReadonlyMap<string, string>;
  readonly onData: (data: ConfigData) => void;
}

const keyOf = ({ kind, index }: FaultyRow): string => `/data/${kind}/${index}`;

export function FaultyRows({ data, errors, onData }: FaultyRowsProps) {
  const { rows, others } = faultyRows(data, errors);
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [bad, setBad] = useState<ReadonlyMap<string, string>>(new Map());
  const checkAgain = (event: FormEvent): void => {
    event.preventDefault();
    const faults = new Map<string, string>();
    let corrected = data;
    for (const row of rows) {
      const text = typed.get(keyOf(row));
      if (text === undefined) continue;
      try {
        corrected = withRecord(corrected, row, JSON.parse(text));
      } catch (error) {
        faults.set(keyOf(row), `This is not JSON: ${error instanceof Error ? error.message : ''}`);
      }
    }
    setBad(faults);
    if (faults.size === 0) onData(corrected);
  };
  return (
    <form className="stack" aria-label="Rows with errors" onSubmit={checkAgain}>
      <Notice kind="bad">
        The file is refused, and nothing was changed. Correct the rows here, or in the file and choose it
        again.
      </Notice>
      {others.map((error) => (
        <p key={error} className="error">
          {error}
        </p>
      ))}
      {rows.map((row) => {
        const key = keyOf(row);
        return (
          <fieldset key={key}>
            <legend>
              {KINDS[row.kind]}, row {row.index + 1}: {rowName(row)}
            </legend>
            <ul className="lines">
              {[...row.errors, ...(bad.has(key) ? [['', bad.get(key)] as const] : [])].map(
                ([path, error]) => (
                  <li key={`${path} ${error}`} className="error">
                    {path === '' ? null : <strong>{pathText(path)}</strong>} {error}
                  </li>
                ),
              )}
            </ul>
            <details>
              <summary>Correct it</summary>
              <TextField
                label={`Row ${row.index + 1} of ${KINDS[row.kind].toLowerCase()} as JSON`}
                lines={8}
                value={typed.get(key) ?? JSON.stringify(row.record, null, 2) ?? ''}
                onValue={(text) => setTyped(new Map([...typed, [key, text]]))}
              />
            </details>
          </fieldset>
        );
      })}
      {rows.length === 0 ? null : (
        <div className="row">
          <Button variant="filled" type="submit">
            Check again
          </Button>
        </div>
      )}
    </form>
  );
}
