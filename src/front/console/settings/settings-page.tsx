/**
 * The shop, its plan and what is used of it, the gate before a promotion, and the keys. None of it is part of a version, so
 * that `If-Match` guards no setting: a form sends the fields that were changed in it and no others.
 */
import { useEffect } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { FailureNotice, Loading } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { FulfilmentForm } from './fulfilment-form.tsx';
import { GateForm } from './gate-form.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { PlanTable } from './plan-table.tsx';
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
    <div class="stack" aria-busy={isLoading}>
      <h1 class="only-read">Settings</h1>
      <FailureNotice failure={failure} />
      <div class="split with-detail">
        <div class="stack in-order">
          <ShopForm />
          <GateForm />
          <FulfilmentForm />
        </div>
        <div class="stack in-order">
          {isAdmin ? <KeysPanel /> : null}
          <PlanTable shop={shop} />
        </div>
      </div>
    </div>
  );
}
