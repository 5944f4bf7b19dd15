/** The fields of a method in tabs: what it costs and for which carts, its delivery, and its rules. */
import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useContext } from 'react';
import { useApp } from '../app-state.ts';
import { CheckField, ChoiceField, FieldErrors, fieldOf, TextField } from '../parts/field.tsx';
import { CountField, MoneyField } from '../parts/number-field.tsx';
import { zoneOptions } from '../place-names.ts';
import { THRESHOLD_BASES } from '../words.ts';
import type { Named } from './condition-fields.tsx';
import type { Vocabulary } from './condition-words.ts';
import type { MethodDraft } from './method-kind.ts';
import { RateFields } from './rate-fields.tsx';
import { RulesEditor } from './rules-editor.tsx';

interface MethodFieldsProps {
  readonly draft: MethodDraft;
  readonly isNew: boolean;
  readonly vocabulary: Vocabulary;
  readonly named: Named;
  readonly onChange: (fields: Partial<MethodDraft>) => void;
}

const TABS = { price: 'Price', delivery: 'Delivery', rules: 'Rules', try: 'Try it' } as const;
type Tab = keyof typeof TABS;

/** The tab that has the field of a path. */
const tabOf = (path: string): Tab =>
  path.startsWith('/rules') ? 'rules' : /^\/(?:delivery|phoneRequired)/.test(path) ? 'delivery' : 'price';

/** The trial stands beside the fields where there is room, and is a tab where there is none. */
const TRIAL_BESIDE = '(min-width: 64rem)';

export function useMethodTab(): Tab {
  const { tab = '' } = useApp().place.value.parameters;
  const isBeside = useMediaQuery(TRIAL_BESIDE, true, { getInitialValueInEffect: false }) === true;
  return tab in TABS && !(tab === 'try' && isBeside) ? (tab as Tab) : 'price';
}

const TABS_ID = 'method';

/** Not within the form, so that a reader who may not change the method can go from tab to tab. */
export function MethodTabs({ ruleCount }: { ruleCount: number }) {
  const app = useApp();
  const errors = useContext(FieldErrors);
  const faulty = new Set([...errors.keys()].map(tabOf));
  return (
    <Tabs
      id={TABS_ID}
      value={useMethodTab()}
      onChange={(tab) => app.set({ tab: tab === 'price' || tab === null ? '' : tab })}
      className="method-tabs"
    >
      <Tabs.List>
        {(Object.entries(TABS) as [Tab, string][]).map(([tab, title]) => (
          <Tabs.Tab key={tab} value={tab} className={`tab-${tab}`}>
            {title}
            {tab === 'rules' ? <span className="count">{ruleCount}</span> : null}
            {faulty.has(tab) ? <span className="badge bad">!</span> : null}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

/** Hidden fields still tell whether they can be read. */
const Panel = ({ tab, children }: { tab: Tab; children: ReactNode }) => (
  <div
    role="tabpanel"
    aria-labelledby={`${TABS_ID}-tab-${tab}`}
    className="stack method-panel"
    hidden={useMethodTab() !== tab}
  >
    {children}
  </div>
);

export function MethodFields(props: MethodFieldsProps) {
  const { draft, vocabulary, named, onChange } = props;
  return (
    <>
      <Panel tab="price">
        <PriceFields {...props} />
      </Panel>
      <Panel tab="delivery">
        <DeliveryFields {...{ draft, onChange }} />
      </Panel>
      <Panel tab="rules">
        <RulesEditor
          rules={draft.rules}
          vocabulary={vocabulary}
          named={named}
          onRules={(rules) => onChange({ rules })}
        />
      </Panel>
    </>
  );
}

function PriceFields({ draft, isNew, vocabulary, named, onChange }: MethodFieldsProps) {
  const field = fieldOf(draft, onChange);
  return (
    <>
      <div className="fields">
        <TextField {...field('name')} />
        <TextField {...field('subtitle')} hint="Customers see it below the name." />
      </div>
      <div className="fields">
        <ChoiceField {...field('zoneId')} options={zoneOptions(named.zones)} />
        <ChoiceField {...field('productGroupId')} options={named.groups.map(({ id, name }) => [id, name])} />
      </div>
      <CheckField {...field('enabled')} />
      <fieldset>
        <legend className="only-read">Price</legend>
        <RateFields draft={draft} rateTypes={vocabulary.rateTypes} onChange={onChange} />
        <div className="fields">
          <MoneyField {...field('freeShippingThreshold')} hint="Empty: never free by this." isOptional />
          {draft.freeShippingThreshold === null ? null : (
            <ChoiceField {...field('thresholdBasis')} options={Object.entries(THRESHOLD_BASES)} />
          )}
        </div>
      </fieldset>
      <fieldset>
        <legend className="only-read">For programs</legend>
        <TextField
          {...field('serviceCode')}
          hint={isNew ? 'What programs know it by. Empty: made of the name.' : 'What programs know it by.'}
        />
      </fieldset>
    </>
  );
}

function DeliveryFields({ draft, onChange }: Pick<MethodFieldsProps, 'draft' | 'onChange'>) {
  const { delivery } = draft;
  return (
    <>
      <CheckField
        label="Tell customers when it arrives"
        value={delivery !== null}
        onValue={(isTold) => onChange({ delivery: isTold ? { minDays: 1, maxDays: 3 } : null })}
      />
      {delivery === null ? null : <DaysFields delivery={delivery} onChange={onChange} />}
      <CheckField {...fieldOf(draft, onChange)('phoneRequired')} />
    </>
  );
}

interface DaysFieldsProps extends Pick<MethodFieldsProps, 'onChange'> {
  readonly delivery: NonNullable<MethodDraft['delivery']>;
}

function DaysFields({ delivery, onChange }: DaysFieldsProps) {
  const field = fieldOf(
    delivery,
    (fields) => onChange({ delivery: { ...delivery, ...fields } }),
    '/delivery',
  );
  return (
    <div className="fields">
      <CountField {...field('minDays')} />
      <CountField {...field('maxDays')} />
    </div>
  );
}
