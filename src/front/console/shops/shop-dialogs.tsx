/** What an operator does to a shop as a whole: its plan, the secret of its callbacks, its end. */
import { Button, List } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { CallOutcome } from '../../client/call-outcome.ts';
import type { CallOptions } from '../../client/call-table.ts';
import { type Operator, useApp } from '../app-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, FieldErrors, TextField } from '../parts/field.tsx';
import { FailureNotice, Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useOnce } from '../parts/use-write.ts';
import { fieldErrors, type OperatedShop } from '../service.ts';
import { withValue } from '../settings/shop-form.tsx';
import { counted } from '../words.ts';

export const SHOP_DIALOGS = { plan: PlanDialog, secret: SecretDialog, delete: DeleteDialog } as const;

interface ShopDialogProps {
  readonly shop: OperatedShop;
  readonly operator: Operator;
  readonly onClose: () => void;
}

interface ShopFormProps<T> extends ShopDialogProps {
  readonly title: string;
  readonly action: string;
  readonly color?: string;
  /** Why it is not sent, by path. */
  readonly refuse?: () => ReadonlyMap<string, string>;
  readonly content: unknown;
  readonly send: (calls: Operator['calls'], options: CallOptions) => Promise<CallOutcome<T>>;
  /** What is said afterwards. */
  readonly done: string;
  readonly others?: ReactNode;
  readonly children: ReactNode;
}

function ShopForm<T>(props: ShopFormProps<T>) {
  const {
    operator,
    title,
    action,
    color = 'accent',
    refuse,
    content,
    send,
    done,
    others,
    onClose,
    children,
  } = props;
  const app = useApp();
  const once = useOnce();
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = refuse?.() ?? new Map();
    setErrors(found);
    if (found.size > 0) return;
    const made = await once.run(content, (idempotencyKey, mayHaveHappened) =>
      send(operator.calls, { idempotencyKey, mayHaveHappened }),
    );
    if (made === null) return;
    app.say(done);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <FieldErrors.Provider value={errors.size > 0 ? errors : fieldErrors(once.failure)}>
        <form className="stack" aria-label={title} noValidate onSubmit={submit}>
          {children}
          <FailureNotice failure={once.failure} />
          <div className="row wrap buttons">
            <Button type="submit" variant="filled" color={color} loading={once.isBusy}>
              {action}
            </Button>
            {others}
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      </FieldErrors.Provider>
    </Dialog>
  );
}

function PlanDialog(props: ShopDialogProps) {
  const { shop, operator } = props;
  const [plan, setPlan] = useState(shop.plan);
  const answer = useAnswer((signal) => operator.calls.getStatus({ signal }), []);
  const plans = answer.value?.plans ?? [];
  return (
    <ShopForm
      {...props}
      title={`Plan of ${shop.name}`}
      action="Change the plan"
      content={['plan', shop.id, plan]}
      send={(calls, options) => calls.setShopPlan(shop.id, { plan }, options)}
      done={`${shop.name} has the plan ${plan}`}
    >
      <ChoiceField
        label="Plan"
        path="/plan"
        value={plan}
        options={withValue(
          plans.map((name) => [name, name] as const),
          plan,
        )}
        onValue={setPlan}
      />
      <FailureNotice failure={answer.failure} />
      <p className="quiet">
        A smaller plan deletes nothing: what is above its limits stays, and no more can be added.
      </p>
    </ShopForm>
  );
}

function SecretDialog(props: ShopDialogProps) {
  const { shop } = props;
  const [secret, setSecret] = useState('');
  const [isRemoved, setRemoved] = useState(false);
  const body = { secret: isRemoved ? null : secret };
  if (isRemoved) {
    return (
      <ShopForm
        {...props}
        title={`Remove the Shopify secret of ${shop.name}?`}
        action="Remove the secret"
        color="red"
        content={['secret', shop.id, body]}
        send={(calls, options) => calls.setShopifySecret(shop.id, body, options)}
        done={`Callbacks of Shopify for ${shop.name} are refused now`}
      >
        <p>Callbacks of Shopify are refused from then on: its checkout shows no rates of this shop.</p>
      </ShopForm>
    );
  }
  return (
    <ShopForm
      {...props}
      title={`Shopify secret of ${shop.name}`}
      action="Set the secret"
      content={['secret', shop.id, body]}
      send={(calls, options) => calls.setShopifySecret(shop.id, body, options)}
      done={`Callbacks of Shopify for ${shop.name} are answered with this secret`}
      others={
        shop.hasShopifySecret ? (
          <Button color="red" onClick={() => setRemoved(true)}>
            Remove it…
          </Button>
        ) : null
      }
    >
      <p>
        Shopify signs its callbacks with the client secret of the app: in the Partner Dashboard under Apps,
        the app, Settings. It is stored sealed and never shown again.
      </p>
      <TextField
        label={shop.hasShopifySecret ? 'New client secret, in place of the one that is set' : 'Client secret'}
        path="/secret"
        type="password"
        value={secret}
        onValue={(text) => setSecret(text.trim())}
      />
    </ShopForm>
  );
}

function DeleteDialog(props: ShopDialogProps) {
  const { shop } = props;
  const app = useApp();
  const [typed, setTyped] = useState('');
  const { id, name, version, keys } = shop;
  return (
    <ShopForm
      {...props}
      title={`Delete ${name}?`}
      action="Delete the shop"
      color="red"
      refuse={() => new Map(typed.trim() === name.trim() ? [] : [['/name', `is not ${name}`]])}
      content={['delete', id]}
      send={async (calls, options) => {
        const deleted = await calls.deleteShop(id, options);
        if (deleted.ok) app.forgetShop(id);
        return deleted;
      }}
      done={`Deleted the shop ${name}`}
    >
      <Notice kind="bad">
        <p>This cannot be undone. Gone at once are:</p>
        <List size="md">
          <List.Item>all its prices: a checkout that asks for them gets an error</List.Item>
          <List.Item>
            {keys === 0 ? 'its access: it has no key' : `${counted(keys, 'key')}, which no longer sign in`}
          </List.Item>
          <List.Item>its history of {counted(version, 'version')}, checks, drafts and audit</List.Item>
        </List>
      </Notice>
      <p className="quiet">
        To keep a copy, open the shop and download its configuration under Import and export first.
      </p>
      <TextField
        label={`Type its name, ${name}, to delete it`}
        path="/name"
        value={typed}
        onValue={setTyped}
      />
    </ShopForm>
  );
}
