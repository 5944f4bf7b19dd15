/** The method that a blended rate prefers for each product group; the lowest price where it prefers none. */
import { useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { ChoiceField } from '../parts/field.tsx';
import { LongList } from '../parts/rows.tsx';

type Preference = Schemas['Preference'];
type Zone = Schemas['Zone'];
type Method = Schemas['MethodRecord'];

interface PreferencesFieldProps {
  readonly zoneId: string;
  readonly zones: readonly Zone[];
  readonly groups: readonly Schemas['ProductGroup'][];
  readonly methods: readonly Method[];
  readonly preferences: readonly Preference[];
  readonly onPreferences: (preferences: readonly Preference[]) => void;
}

export function PreferencesField(props: PreferencesFieldProps) {
  const { zoneId, zones, groups, methods, preferences, onPreferences } = props;
  const options = useMemo(() => optionsByGroup(zoneId, zones, methods), [zoneId, zones, methods]);
  const prefer = (index: number, productGroupId: string, preferredMethodId: string): void => {
    const preference = { productGroupId, preferredMethodId };
    if (preferredMethodId === '') onPreferences(preferences.toSpliced(index, 1));
    else if (index < 0) onPreferences([...preferences, preference]);
    else onPreferences(preferences.with(index, preference));
  };
  return (
    <fieldset>
      <legend>Method of each product group</legend>
      <p className="hint">
        The price is the sum over the groups of a cart. Where a preferred method is hidden, the blended rate
        is not offered.
      </p>
      <LongList rows={groups} className="lines columns two">
        {({ id, name }) => {
          const index = preferences.findIndex(({ productGroupId }) => productGroupId === id);
          const preferred = preferences[index]?.preferredMethodId ?? '';
          const offered = options.get(id) ?? [];
          const isOffered = preferred === '' || offered.some(([method]) => method === preferred);
          return (
            <ChoiceField
              label={name}
              path={`/preferences/${index}`}
              value={preferred}
              options={[
                ['', 'The lowest price'],
                ...offered,
                ...(isOffered ? [] : [[preferred, outsideText(methods, preferred)] as const]),
              ]}
              onValue={(method) => prefer(index, id, method)}
            />
          );
        }}
      </LongList>
    </fieldset>
  );
}

const outsideText = (methods: readonly Method[], id: string): string =>
  `${methods.find((method) => method.id === id)?.name ?? id} (not of this zone)`;

/** Methods that apply where the blended rate does, by product group, each with the subzone that it is bound to. */
function optionsByGroup(zoneId: string, zones: readonly Zone[], methods: readonly Method[]) {
  const zone = zones.find(({ id, subzones }) => id === zoneId || subzones.some((each) => each.id === zoneId));
  const places = new Map(
    zone?.subzones
      .filter(({ id }) => zone.id === zoneId || id === zoneId)
      .map(({ id, name }) => [id, ` – ${name}`]),
  );
  if (zone !== undefined) places.set(zone.id, '');
  const options = new Map<string, (readonly [id: string, name: string])[]>();
  for (const method of methods) {
    const place = places.get(method.zoneId);
    if (place === undefined) continue;
    const ofGroup = options.get(method.productGroupId) ?? [];
    ofGroup.push([method.id, `${method.name}${place}`]);
    options.set(method.productGroupId, ofGroup);
  }
  return options;
}
