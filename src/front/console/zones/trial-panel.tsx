/** Tries a postal code against the patterns of a zone as they are typed. */
import { useMemo, useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { countryName, countryOptions } from '../place-names.ts';
import { postalTrial } from './postal-trial.ts';
import type { ZoneDraft } from './zone-kind.ts';

const KINDS = {
  exact: 'an exact code',
  range: 'a range',
  beginnings: 'a range',
  districts: 'a range of districts',
  prefix: 'a prefix',
} as const;

interface TrialPanelProps {
  readonly zone: ZoneDraft;
  /** The zones of the shop that stand before this one. */
  readonly earlier: readonly Schemas['Zone'][];
}

export function TrialPanel({ zone, earlier }: TrialPanelProps) {
  const { countries, subzones } = zone;
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  const options = useMemo(
    () =>
      countries.includes('*')
        ? countryOptions()
        : countries.map((code) => [code, countryName(code)] as const),
    [countries],
  );
  const country = options.some(([code]) => code === chosen) ? chosen : (options[0]?.[0] ?? '');
  const find = useMemo(() => postalTrial(country, subzones), [country, subzones]);
  const { code, by } = find(typed);
  const other = earlier.find((each) => each.countries.includes(country));
  const subzone = by === null ? undefined : subzones[by.subzone];
  return (
    <section class="stack" aria-label="Try a postal code">
      <h3 class="column-title">Try a postal code</h3>
      {country === '' ? (
        <p class="quiet">Add a country first.</p>
      ) : (
        <>
          <div class="pair">
            <ChoiceField label="Country" value={country} options={options} onValue={setChosen} />
            <TextField label="Postal code" value={typed} onValue={setTyped} />
          </div>
          {other === undefined ? null : (
            <Notice kind="warning">
              {countryName(country)} goes to the zone “{other.name}”, which stands earlier in the list.
            </Notice>
          )}
          <p role="status">
            {code === '' ? (
              <span class="quiet">The patterns above decide, as they are typed.</span>
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
          <p class="hint">
            Exact codes win over ranges, ranges over prefixes, narrow ranges and long prefixes over others;
            then the subzone that is listed first.
          </p>
        </>
      )}
    </section>
  );
}
