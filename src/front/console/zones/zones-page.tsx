/** Zones: where a shop ships, by country, and the subzones of each, by postal code. */
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { TextField } from '../parts/field.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { countryName } from '../place-names.ts';
import { counted } from '../words.ts';
import { CountryField } from './country-field.tsx';
import { SubzonesField } from './subzones-field.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { BLANK_ZONE, ZONE_KIND } from './zone-kind.ts';

type Zone = Schemas['Zone'];

const NAMED_MAX = 4;

function detailOf({ countries, subzones }: Zone): string {
  const named = countries.slice(0, NAMED_MAX).map(countryName).join(', ');
  const more = countries.length > NAMED_MAX ? ` and ${countries.length - NAMED_MAX} more` : '';
  const parts = subzones.length === 0 ? '' : ` · ${counted(subzones.length, 'subzone')}`;
  return `${named || 'No country'}${more}${parts}`;
}

export function ZonesPage() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listZones({ signal }), []);
  const zones = answer.value?.zones ?? [];
  return (
    <RecordPage
      kind={ZONE_KIND}
      blank={BLANK_ZONE}
      title="Zones"
      answer={answer}
      records={zones}
      detailOf={detailOf}
      empty="The shop has no zone yet, so no cart is offered a rate. A zone says which countries have the same prices."
      below={({ draft, at }) => <TrialPanel zone={draft} earlier={at < 0 ? zones : zones.slice(0, at)} />}
    >
      {({ draft: { countries, subzones }, editing, field }) => (
        <>
          <TextField {...field('name')} />
          <CountryField countries={countries} onCountries={(list) => editing.set({ countries: list })} />
          <SubzonesField subzones={subzones} onSubzones={(list) => editing.set({ subzones: list })} />
        </>
      )}
    </RecordPage>
  );
}
