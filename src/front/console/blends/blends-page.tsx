/** Blended rates: one price for a cart of several product groups. */
import { useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { MoneyField } from '../parts/number-field.tsx';
import { recordKind } from '../parts/record-kind.ts';
import { RecordPage } from '../parts/record-list.tsx';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import { zoneOptions } from '../place-names.ts';
import { THRESHOLD_BASES } from '../words.ts';
import { BlendTrial } from './blend-trial.tsx';
import { PreferencesField } from './preferences-field.tsx';

type BlendDraft = Readonly<Omit<Schemas['BlendedRateRecord'], 'id' | 'position'>>;

const BLANK: BlendDraft = {
  name: '',
  subtitle: '',
  serviceCode: '',
  zoneId: '',
  freeShippingThreshold: null,
  thresholdBasis: 'cart_total',
  preferences: [],
  enabled: true,
};

const KIND = recordKind<BlendDraft>({
  page: 'blends',
  noun: 'blended rate',
  read: (calls, id, options) => calls.getBlendedRate(id, options),
  create: (calls, { serviceCode, ...draft }, options) =>
    // Without a code the service makes one of the name.
    calls.createBlendedRate({ ...draft, ...(serviceCode === '' ? {} : { serviceCode }) }, options),
  update: (calls, id, changed, options) => calls.updateBlendedRate(id, changed, options),
  remove: (calls, id, options) => calls.deleteBlendedRate(id, options),
});

export function BlendsPage() {
  const { open = '' } = useApp().place.value.parameters;
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listBlendedRates({ signal }), []);
  const places = useAnswer((signal) => calls.listZones({ signal }), []);
  const zones = places.value?.zones ?? NONE;
  const groups = useAnswer((signal) => calls.listGroups({ signal }), []).value?.groups ?? NONE;
  const methods = useAnswer((signal) => calls.listMethods({ signal }), []).value?.methods ?? NONE;
  const options = useMemo(() => zoneOptions(zones), [zones]);
  const names = useMemo(() => new Map(options), [options]);
  return (
    <RecordPage
      kind={KIND}
      blank={BLANK}
      title="Blended rates"
      description="One price for a cart whose items are in several groups."
      answer={isAwaited(places) ? { ...answer, value: null } : answer}
      records={answer.value?.blendedRates ?? []}
      detailOf={({ zoneId }) => names.get(zoneId) ?? ''}
      below={({ editing, draft: { zoneId } }) =>
        editing.isNew ? null : <BlendTrial id={open} {...{ zoneId, zones, groups, methods }} />
      }
      badgeOf={({ enabled }) => (enabled ? null : <span className="badge">off</span>)}
      empty="The shop has no blended rate: a cart of several product groups is offered the methods of each."
    >
      {({ draft: { zoneId, thresholdBasis, preferences }, editing, field }) => (
        <>
          <TextField {...field('name')} />
          <TextField {...field('subtitle')} />
          <div className="columns two">
            <ChoiceField
              {...field('zoneId')}
              options={zoneId === '' ? [['', 'Choose a zone'], ...options] : options}
            />
            <TextField
              {...field('serviceCode')}
              {...(editing.isNew ? { placeholder: 'made of the name' } : {})}
            />
            <MoneyField {...field('freeShippingThreshold')} isOptional />
            <ChoiceField
              {...field('thresholdBasis')}
              value={thresholdBasis ?? 'cart_total'}
              options={Object.entries(THRESHOLD_BASES)}
            />
          </div>
          <CheckField {...field('enabled')} />
          <PreferencesField
            zoneId={zoneId}
            {...{ zones, groups, methods }}
            preferences={preferences}
            onPreferences={(chosen) => editing.set({ preferences: [...chosen] })}
          />
        </>
      )}
    </RecordPage>
  );
}

const NONE: readonly never[] = [];
