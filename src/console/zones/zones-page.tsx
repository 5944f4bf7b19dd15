/** Zones: where a shop ships, by country, and the subzones of each, by postal code. */
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { TextField } from '../parts/field.tsx';
import { neighboursAt, RecordEditor } from '../parts/record-editor.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRecord } from '../parts/use-record.ts';
import { countryName } from '../place-names.ts';
import { CountryField } from './country-field.tsx';
import { SubzonesField } from './subzones-field.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { BLANK_ZONE, ZONE_KIND } from './zone-kind.ts';

type Zone = Schemas['Zone'];

const NAMED_MAX = 4;

function detailOf({ countries, subzones }: Zone): string {
  const named = countries.slice(0, NAMED_MAX).map(countryName).join(', ');
  const more = countries.length > NAMED_MAX ? ` and ${countries.length - NAMED_MAX} more` : '';
  const parts =
    subzones.length === 0 ? '' : ` · ${subzones.length} subzone${subzones.length === 1 ? '' : 's'}`;
  return `${named || 'No country'}${more}${parts}`;
}

export function ZonesPage() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listZones({ signal }), []);
  const zones = answer.value?.zones ?? [];
  return (
    <RecordPage
      page="zones"
      noun="zone"
      title="Zones"
      answer={answer}
      rows={zones.map((zone) => ({ id: zone.id, name: zone.name, detail: detailOf(zone) }))}
      empty="The shop has no zone yet, so no cart is offered a rate. A zone says which countries have the same prices."
      editor={(id) => <ZoneEditor id={id} zones={zones} />}
    />
  );
}

function ZoneEditor({ id, zones }: { readonly id: string; readonly zones: readonly Zone[] }) {
  const editing = useRecord(ZONE_KIND, id, BLANK_ZONE);
  const at = zones.findIndex((zone) => zone.id === id);
  return (
    <RecordEditor
      editing={editing}
      neighbours={neighboursAt(at, [...zones.keys()])}
      below={(draft) => <TrialPanel zone={draft} earlier={at < 0 ? zones : zones.slice(0, at)} />}
    >
      {({ name, countries, subzones }) => (
        <>
          <TextField path="/name" value={name} onValue={(text) => editing.set({ name: text })} />
          <CountryField countries={countries} onCountries={(list) => editing.set({ countries: list })} />
          <SubzonesField subzones={subzones} onSubzones={(list) => editing.set({ subzones: list })} />
        </>
      )}
    </RecordEditor>
  );
}
