/** Tries a postal code against the patterns of a zone as they are typed. */
import { Button, SimpleGrid } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSignedIn } from '../app-state.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ANY_COUNTRY, countryName, countryOptions } from '../place-names.ts';
import { postalTrial } from './postal-trial.ts';
import type { ZoneDraft } from './zone-kind.ts';

const KINDS = {
  exact: 'an exact code',
  range: 'a range',
  beginnings: 'a range',
  districts: 'a range of districts',
  prefix: 'a prefix',
} as const;

/** Subzones that are offered to a code that is in none. */
const OFFERED_MAX = 4;

interface TrialPanelProps {
  readonly zone: ZoneDraft;
  readonly onSubzones: (subzones: ZoneDraft['subzones']) => void;
}

export function TrialPanel({ zone, onSubzones }: TrialPanelProps) {
  const { mayWrite } = useSignedIn();
  const { countries, subzones } = zone;
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  const options = useMemo(
    () =>
      countries.includes(ANY_COUNTRY)
        ? countryOptions()
        : countries.map((code) => [code, countryName(code)] as const),
    [countries],
  );
  const country = options.some(([code]) => code === chosen) ? chosen : (options[0]?.[0] ?? '');
  const find = useMemo(() => postalTrial(country, subzones), [country, subzones]);
  const { code, by } = find(typed);
  const subzone = by === null ? undefined : subzones[by.subzone];
  const offered = mayWrite && code !== '' && by === null ? subzones.slice(0, OFFERED_MAX) : [];
  return (
    <section className="stack" aria-label="Try a postal code">
      <h3 className="section-title">Try a postal code</h3>
      {country === '' ? (
        <p className="quiet">Add a country first.</p>
      ) : (
        <>
          <SimpleGrid cols={2} spacing="xs">
            <ChoiceField label="Country" value={country} options={options} onValue={setChosen} />
            <TextField label="Postal code" value={typed} onValue={setTyped} />
          </SimpleGrid>
          <p role="status">
            {code === '' ? (
              <span className="quiet">The patterns above decide, as they are typed.</span>
            ) : by === null ? (
              <>
                <strong>{code}</strong> is in no subzone: it has the prices of the zone.
              </>
            ) : (
              <>
                <strong>{code}</strong> reaches <strong>{subzone?.name || 'the new subzone'}</strong> by{' '}
                {by.text === '*' ? 'the pattern for every code' : KINDS[by.kind]}, <code>{by.text}</code>.
              </>
            )}
          </p>
          {offered.length === 0 ? null : (
            <div className="row wrap">
              {offered.map((each, at) => (
                <Button
                  key={each.id}
                  size="compact-sm"
                  onClick={() => {
                    const patterns = [each.postalCodes, code.trim()].filter((text) => text !== '');
                    onSubzones(subzones.with(at, { ...each, postalCodes: patterns.join(', ') }));
                  }}
                >
                  Add it to {each.name || 'the new subzone'}
                </Button>
              ))}
            </div>
          )}
          <p className="hint">
            Exact codes win over ranges, ranges over prefixes, narrow ranges and long prefixes over others;
            then the subzone that is listed first.
          </p>
        </>
      )}
    </section>
  );
}
