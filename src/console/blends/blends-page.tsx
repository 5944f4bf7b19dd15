/** Blended rates: one price for a cart of several product groups. */
import { useMemo } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { pathLabel } from '../labels.ts';
import { CheckField, ChoiceField, MoneyField, TextField } from '../parts/field.tsx';
import { neighboursAt, RecordEditor } from '../parts/record-editor.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRecord } from '../parts/use-record.ts';
import { zoneOptions } from '../place-names.ts';
import { THRESHOLD_BASES } from '../words.ts';
import { BLANK_BLEND, BLEND_KIND } from './blend-kind.ts';
import { PreferencesField } from './preferences-field.tsx';

type Blend = Schemas['BlendedRateRecord'];
type Zone = Schemas['Zone'];

export function BlendsPage() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listBlendedRates({ signal }), []);
  const zones = useAnswer((signal) => calls.listZones({ signal }), []).value?.zones;
  const places = useMemo(() => zoneOptions(zones ?? []), [zones]);
  const names = useMemo(() => new Map(places), [places]);
  const blends = answer.value?.blendedRates ?? [];
  return (
    <RecordPage
      page="blends"
      noun="blended rate"
      title="Blended rates"
      answer={answer}
      rows={blends.map(({ id, name, zoneId, enabled }) => ({
        id,
        name,
        detail: names.get(zoneId) ?? '',
        badge: enabled ? null : <span class="badge">off</span>,
      }))}
      empty="The shop has no blended rate: a cart of several product groups is offered the methods of each."
      editor={(id) => <BlendEditor id={id} blends={blends} zones={zones ?? []} places={places} />}
    />
  );
}

interface BlendEditorProps {
  readonly id: string;
  readonly blends: readonly Blend[];
  readonly zones: readonly Zone[];
  readonly places: readonly (readonly [id: string, name: string])[];
}

function BlendEditor({ id, blends, zones, places }: BlendEditorProps) {
  const editing = useRecord(BLEND_KIND, id, BLANK_BLEND);
  const at = blends.findIndex((blend) => blend.id === id);
  return (
    <RecordEditor editing={editing} neighbours={neighboursAt(at, [...blends.keys()])}>
      {(draft) => (
        <>
          <TextField path="/name" value={draft.name} onValue={(name) => editing.set({ name })} />
          <TextField
            path="/subtitle"
            value={draft.subtitle}
            onValue={(subtitle) => editing.set({ subtitle })}
          />
          <div class="columns two">
            <ChoiceField
              path="/zoneId"
              value={draft.zoneId}
              options={draft.zoneId === '' ? [['', 'Choose a zone'], ...places] : places}
              onValue={(zoneId) => editing.set({ zoneId })}
            />
            <TextField
              path="/serviceCode"
              value={draft.serviceCode}
              onValue={(serviceCode) => editing.set({ serviceCode })}
              {...(editing.isNew ? { placeholder: 'made of the name' } : {})}
            />
            <MoneyField
              path="/freeShippingThreshold"
              isOptional
              value={draft.freeShippingThreshold}
              onValue={(freeShippingThreshold: number | null) => editing.set({ freeShippingThreshold })}
            />
            <ChoiceField
              path="/thresholdBasis"
              value={draft.thresholdBasis ?? 'cart_total'}
              options={Object.entries(THRESHOLD_BASES)}
              onValue={(basis) => editing.set({ thresholdBasis: basis as 'cart_total' | 'order_total' })}
            />
          </div>
          <CheckField
            label={pathLabel('/enabled')}
            checked={draft.enabled}
            onValue={(enabled) => editing.set({ enabled })}
          />
          <PreferencesField
            zoneId={draft.zoneId}
            zones={zones}
            preferences={draft.preferences}
            onPreferences={(preferences) => editing.set({ preferences: [...preferences] })}
          />
        </>
      )}
    </RecordEditor>
  );
}
