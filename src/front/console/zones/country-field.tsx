/** The countries of a zone as chips: names in English or in the language of the browser, codes, and regions at once. */
import { Button, Menu } from '@mantine/core';
import IconWorld from '@tabler/icons-react/icons/IconWorld';
import { useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { Notice } from '../parts/notice.tsx';
import { TextsField } from '../parts/texts-field.tsx';
import { countryChoices, countryName, countryReader, unknownCountries } from '../place-names.ts';
import { listed } from '../words.ts';
import { type CountryPreset, countryPresets, homeCountry, takenEarlier } from './country-presets.ts';

/** Names have spaces, so these separate codes alone. */
const COUNTRY_SEPARATORS = /[,;\n\r\t]+|(?<=\b[A-Z]{2})\s+(?=[A-Z]{2}\b)/;

interface CountryFieldProps {
  readonly countries: readonly string[];
  readonly onCountries: (countries: readonly string[]) => void;
  readonly zones: readonly Schemas['Zone'][];
  /** The zones that stand before this one. */
  readonly earlier: readonly Schemas['Zone'][];
}

export function CountryField({ countries, onCountries, zones, earlier }: CountryFieldProps) {
  const { mayWrite } = useSignedIn();
  const read = useMemo(countryReader, []);
  const choices = useMemo(countryChoices, []);
  const presets = countryPresets(homeCountry(countries, zones, navigator.language), countryName);
  return (
    <div className="stack">
      <TextsField
        path="/countries"
        value={countries}
        onValue={onCountries}
        separators={COUNTRY_SEPARATORS}
        read={read}
        refusalOf={unknownCountries}
        textOf={countryName}
        options={choices}
        placeholder="Austria, DE, Rest of world"
        hint="Names or codes; a zone without a country is reached by no cart."
      />
      {mayWrite ? (
        <div className="row wrap">
          <PresetMenu
            presets={presets}
            onPreset={(added) => onCountries([...new Set([...countries, ...added.countries])])}
          />
          {countries.length > 1 ? (
            <Button variant="subtle" color="gray" onClick={() => onCountries([])}>
              Remove all {countries.length}
            </Button>
          ) : null}
        </div>
      ) : null}
      <TakenNotice {...{ countries, onCountries, earlier }} />
    </div>
  );
}

interface PresetMenuProps {
  readonly presets: readonly CountryPreset[];
  readonly onPreset: (preset: CountryPreset) => void;
}

const PresetMenu = ({ presets, onPreset }: PresetMenuProps) => (
  <Menu position="bottom-start" width={300}>
    <Menu.Target>
      <Button leftSection={<IconWorld size={16} />}>Add a region</Button>
    </Menu.Target>
    <Menu.Dropdown>
      {presets.map((preset) => (
        <Menu.Item
          key={preset.name}
          rightSection={
            preset.countries.length > 1 ? <span className="quiet">{preset.countries.length}</span> : null
          }
          onClick={() => onPreset(preset)}
        >
          {preset.name}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

/** Countries that an earlier zone has, so that this one never gets them. */
function TakenNotice({ countries, onCountries, earlier }: Omit<CountryFieldProps, 'zones'>) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const taken = useMemo(() => takenEarlier(countries, earlier), [countries, earlier]);
  if (taken.length === 0) return null;
  return (
    <Notice kind="warning">
      <div className="stack" role="status">
        {taken.map(({ zone, countries: lost }) => (
          <div key={zone.id} className="row wrap">
            <p>
              {listed(lost.map(countryName))} {lost.length === 1 ? 'goes' : 'go'} to the zone “{zone.name}”,
              which stands earlier in the list.
            </p>
            <Button size="compact-sm" onClick={() => app.set({ open: zone.id }, false)}>
              Open {zone.name}
            </Button>
            {mayWrite ? (
              <Button
                size="compact-sm"
                onClick={() => onCountries(countries.filter((code) => !lost.includes(code)))}
              >
                Take {lost.length === 1 ? 'it' : 'them'} out here
              </Button>
            ) : null}
          </div>
        ))}
      </div>
    </Notice>
  );
}
