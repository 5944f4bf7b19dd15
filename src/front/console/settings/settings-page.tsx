/**
 * The shop, its plan and what is used of it, the gate before a promotion, and the keys. None of it is part of a version, so
 * that `If-Match` guards no setting: a form sends the fields that were changed in it and no others.
 */
import { useEffect } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { numberText } from '../english.ts';
import { GATE_LABELS } from '../labels.ts';
import { CheckField } from '../parts/field.tsx';
import { FailureNotice, Loading } from '../parts/notice.tsx';
import { CountField, PercentField } from '../parts/number-field.tsx';
import { Page } from '../parts/page.tsx';
import { DataTable } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import type { Shop } from '../service.ts';
import { FulfilmentForm } from './fulfilment-form.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { SettingsForm, settingsKind } from './settings-form.tsx';
import { ShopForm } from './shop-form.tsx';

export function SettingsPage() {
  const { signedIn } = useApp();
  const { calls, key } = useSignedIn();
  const { value, failure, isLoading } = useAnswer((signal) => calls.getShop({ signal }), []);
  // Other pages use what was saved here, such as the currency.
  useEffect(() => {
    if (value !== null && signedIn.value !== null) signedIn.value = { ...signedIn.value, shop: value.shop };
  }, [value]);
  if (value === null) return <Loading what="the settings" failure={failure} />;
  const { shop } = value;
  const isAdmin = key.permission === 'admin';
  return (
    <Page title="Settings" description="The shop itself; none of it is part of a version." isBusy={isLoading}>
      <FailureNotice failure={failure} />
      <div className="split with-detail">
        <div className="stack in-order">
          <ShopForm />
          <GateForm />
          <FulfilmentForm />
        </div>
        <div className="stack in-order">
          {isAdmin ? <KeysPanel /> : null}
          <PlanTable shop={shop} />
        </div>
      </div>
    </Page>
  );
}

type Limit = keyof Schemas['PlanLimits'];

const LIMITS: Readonly<Record<Limit, string>> = {
  methods: 'Methods',
  groups: 'Product groups',
  zones: 'Zones',
  blendedRates: 'Blended rates',
  rulesPerMethod: 'Rules of one method',
  checks: 'Checks',
  keys: 'Keys',
  requestsPerMinute: 'Requests per minute, this key',
  simulationsPerSecond: 'Carts per second',
  historyDays: 'Days of history',
};

const shown = (number: number | null | undefined, none: string): string =>
  number == null ? none : numberText(number);

/** The plan of the shop: each limit and how much of it is used. */
export function PlanTable({ shop: { plan, limits, usage } }: { shop: Shop }) {
  const used = { ...usage, ...usage.staged };
  // History grows up to its limit and then loses its oldest versions: that is not a full plan.
  const isFull = (name: Limit): boolean =>
    name !== 'historyDays' && (used[name] ?? 0) >= (limits?.[name] ?? Number.POSITIVE_INFINITY);
  return (
    <section className="panel stack" aria-label="Plan">
      <h2>
        Plan <span className="badge">{plan}</span>
      </h2>
      {limits === null ? <p>The operator has removed this plan.</p> : null}
      <DataTable
        label="Limits"
        rows={Object.keys(LIMITS) as Limit[]}
        columns={[
          [
            'Limit',
            (name) => (
              <>
                {LIMITS[name]} {isFull(name) ? <span className="badge warning">full</span> : null}
              </>
            ),
          ],
          ['Used', (name) => shown(used[name], 'not counted'), 'amount'],
          ['Of', (name) => shown(limits?.[name], 'unlimited'), 'amount'],
        ]}
      />
      {usage.staged === undefined ? null : (
        <p className="quiet">Records are counted as the draft has them.</p>
      )}
    </section>
  );
}

type Gate = Schemas['PromotionGate'];

/** Side by side, so that what two editors change of them is merged. */
type PublishingRules = Gate & { readonly directWrites: boolean };

/** A gate without criteria is saved as null. */
const KIND = settingsKind<PublishingRules>(
  'Rules for publishing',
  ({ directWrites, promotionGate }) => ({ directWrites, ...promotionGate }),
  ({ directWrites, ...gate }, { directWrites: isChanged, ...criteria }) => {
    const isGate = Object.values(gate).some((limit) => limit !== undefined);
    return {
      ...(isChanged === undefined ? {} : { directWrites }),
      ...(Object.keys(criteria).length === 0 ? {} : { promotionGate: isGate ? gate : null }),
    };
  },
);

/** What must hold before a draft is published, and whether anything may go live without one (contract section 10.2). */
const GateForm = () => (
  <SettingsForm
    kind={KIND}
    hint="A draft is published when each of these holds. Without any, nothing guards publishing."
  >
    {(rules, field, set) => (
      <>
        {(Object.keys(GATE_LABELS) as (keyof Gate)[]).map((name) => {
          const setting = rules[name];
          const path = `/promotionGate/${name}`;
          const put = (limit: boolean | number | undefined) => set({ [name]: limit });
          // Names of criteria with a number end so; the others are true or false.
          if (!/(?:Min|Max)$/.test(name))
            return (
              <CheckField
                key={name}
                path={path}
                value={setting === true}
                onValue={(isAsked) => put(isAsked || undefined)}
              />
            );
          const Field = name.includes('Percent') ? PercentField : CountField;
          return (
            <Field
              key={name}
              className="limit"
              path={path}
              value={typeof setting === 'number' ? setting : null}
              isOptional
              onValue={(value: number | null) => put(value ?? undefined)}
            />
          );
        })}
        <CheckField {...field('directWrites')} value={rules.directWrites} />
      </>
    )}
  </SettingsForm>
);
