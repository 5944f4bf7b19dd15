/** Blended rates: one price for a cart of several product groups. */
import { useMemo } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { CheckField, ChoiceField, MoneyField, TextField } from '../parts/field.tsx';
import { RecordEditor } from '../parts/record-editor.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRecord } from '../parts/use-record.ts';
import { zoneOptions } from '../place-names.ts';
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
      editor={(id) => <BlendEditor key={id} id={id} blends={blends} zones={zones ?? []} places={places} />}
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
    <RecordEditor
      editing={editing}
      noun="blended rate"
      title={blends[at]?.name ?? 'New blended rate'}
      place={at < 0 ? null : [at, blends.length]}
    >
      {(draft) => (
        <>
          <TextField label="Name" path="/name" value={draft.name} onValue={(name) => editing.set({ name })} />
          <TextField
            label="Subtitle"
            path="/subtitle"
            value={draft.subtitle}
            onValue={(subtitle) => editing.set({ subtitle })}
          />
          <div class="columns two">
            <ChoiceField
              label="Zone or subzone"
              path="/zoneId"
              value={draft.zoneId}
              options={draft.zoneId === '' ? [['', 'Choose a zone'], ...places] : places}
              onValue={(zoneId) => editing.set({ zoneId })}
            />
            <TextField
              label="Service code"
              path="/serviceCode"
              value={draft.serviceCode}
              onValue={(serviceCode) => editing.set({ serviceCode })}
              {...(editing.isNew ? { placeholder: 'made of the name' } : {})}
            />
            <MoneyField
              label="Free from"
              path="/freeShippingThreshold"
              isOptional
              value={draft.freeShippingThreshold}
              onValue={(freeShippingThreshold: number | null) => editing.set({ freeShippingThreshold })}
            />
            <ChoiceField
              label="“Free from” is compared with"
              path="/thresholdBasis"
              value={draft.thresholdBasis ?? 'cart_total'}
              options={[
                ['cart_total', 'Total of the cart'],
                ['order_total', 'Total of the order after discounts'],
              ]}
              onValue={(basis) => editing.set({ thresholdBasis: basis as 'cart_total' | 'order_total' })}
            />
          </div>
          <CheckField
            label="Offered"
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
