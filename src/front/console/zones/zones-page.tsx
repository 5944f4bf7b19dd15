/** Zones: where a shop ships, by country, and the subzones of each, by postal code. */
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { dayText } from '../english.ts';
import { BoundDelete } from '../parts/bound-delete.tsx';
import { TextField } from '../parts/field.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { NEW } from '../parts/use-record.ts';
import { ANY_COUNTRY, countryName } from '../place-names.ts';
import { counted, countedBy, listed } from '../words.ts';
import { CountryField } from './country-field.tsx';
import { takenEarlier, unreachedCountries } from './country-presets.ts';
import { SubzonesField } from './subzones-field.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { BLANK_ZONE, ZONE_KIND } from './zone-kind.ts';

type Zone = Schemas['Zone'];

const NAMED_MAX = 4;

function detailOf({ countries, subzones }: Zone): string {
  const named = listed(countries.map(countryName), NAMED_MAX);
  const parts = subzones.length === 0 ? '' : ` · ${counted(subzones.length, 'subzone')}`;
  return `${named || 'No country'}${parts}`;
}

/** Methods and carts of a zone, its subzones included. */
function figuresOf(methods: readonly Schemas['MethodRecord'][] | null, coverage: Schemas['Coverage'] | null) {
  const bound = countedBy(methods ?? [], ({ zoneId }) => zoneId);
  const carts = countedBy(
    coverage?.zones ?? [],
    ({ zoneId }) => zoneId,
    ({ count }) => count,
  );
  return ({ id, subzones }: Zone): readonly string[] => {
    const places = [id, ...subzones.map((subzone) => subzone.id)];
    const count = places.reduce((sum, place) => sum + (bound.get(place) ?? 0), 0);
    return [
      methods === null ? '' : counted(count, 'method'),
      coverage === null ? '' : counted(carts.get(id) ?? 0, 'cart'),
    ];
  };
}

export function ZonesPage() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listZones({ signal }), []);
  const methods = useAnswer((signal) => calls.listMethods({ signal }), []);
  const coverage = useAnswer((signal) => calls.getCoverage({ signal }), []);
  const zones = answer.value?.zones ?? [];
  const figures = useMemo(
    () => figuresOf(methods.value?.methods ?? null, coverage.value),
    [methods.value, coverage.value],
  );
  const lost = useMemo(
    () => new Map(zones.map((zone, at) => [zone.id, takenEarlier(zone.countries, zones.slice(0, at))])),
    [answer.value],
  );
  const badgeOf = ({ id, countries }: Zone) => {
    const count = (lost.get(id) ?? []).flatMap((taken) => taken.countries).length;
    if (count === 0) return null;
    const all = count === countries.length;
    return (
      <span className="badge warning">
        {all
          ? 'never reached'
          : `${count === 1 ? '1 country is' : `${count} countries are`} in an earlier zone`}
      </span>
    );
  };
  return (
    <RecordPage
      kind={ZONE_KIND}
      blank={BLANK_ZONE}
      title="Zones"
      description="Where you ship to: a cart reaches the first zone that lists its country."
      answer={answer}
      records={zones}
      detailOf={detailOf}
      badgeOf={badgeOf}
      figuresOf={figures}
      empty="The shop has no zone yet, so no cart is offered a rate. A zone says which countries have the same prices."
      summary={zones.length === 0 ? null : <Unreached zones={zones} since={coverage.value?.since ?? null} />}
      deletion={({ editing, at }, onClose) => (
        <BoundDelete id={zones[at]?.id ?? ''} page="zones" editing={editing} onClose={onClose} />
      )}
      below={({ draft, editing }) => (
        <TrialPanel zone={draft} onSubzones={(list) => editing.set({ subzones: list })} />
      )}
    >
      {({ draft: { countries, subzones }, editing, field, at }) => (
        <>
          <TextField {...field('name')} />
          <CountryField
            countries={countries}
            onCountries={(list) => editing.set({ countries: list })}
            zones={zones}
            earlier={editing.isNew || at < 0 ? zones : zones.slice(0, at)}
          />
          <SubzonesField
            countries={countries}
            subzones={subzones}
            onSubzones={(list) => editing.set({ subzones: list })}
          />
        </>
      )}
    </RecordPage>
  );
}

/** The countries that no zone has, and since when carts are counted. */
function Unreached({ zones, since }: { zones: readonly Zone[]; since: string | null }) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const countries = useMemo(() => unreachedCountries(zones), [zones]);
  const makeRest = (): void => {
    const draft = { ...BLANK_ZONE, name: 'Rest of the world', countries: [ANY_COUNTRY] };
    const name = `${ZONE_KIND.page} ${NEW}`;
    if (!app.drafts.has(name)) app.drafts.set(name, { base: BLANK_ZONE, draft, foreign: null });
    app.set({ open: NEW }, false);
  };
  return (
    <div className="row wrap between">
      <p className="quiet">
        {countries.length === 0
          ? 'Every country is in a zone.'
          : `${listed(countries.map(countryName), 2)} ${countries.length === 1 ? 'is' : 'are'} in no zone: carts to them are offered nothing.`}
        {since === null ? '' : ` Carts are counted since ${dayText(since)}.`}
      </p>
      {countries.length > 0 && mayWrite ? (
        <Button size="compact-sm" onClick={makeRest}>
          Make a zone for the rest of the world
        </Button>
      ) : null}
    </div>
  );
}
