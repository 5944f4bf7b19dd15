/** A part of the shop's settings as a form. What a reader without the permission sees is the same, without the fields. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { FieldErrors } from '../parts/field.tsx';
import { FailureNotice } from '../parts/notice.tsx';
import { useWrite } from '../parts/use-write.ts';
import { fieldErrors, type Shop } from '../service.ts';

export interface SettingsFormProps {
  readonly shop: Shop;
  readonly isAdmin: boolean;
}

interface FormProps {
  readonly title: string;
  readonly hint?: string;
  readonly isAdmin: boolean;
  /** What is set, for a reader who may not change it. */
  readonly values: readonly (readonly [label: string, value: ComponentChildren])[];
  /** What is sent; null while nothing was changed. */
  readonly update: Schemas['ShopUpdate'] | null;
  readonly onSaved: () => void;
  readonly children: ComponentChildren;
}

export function SettingsForm({ isAdmin, values, ...form }: FormProps) {
  return isAdmin ? <Form {...form} /> : <SettingsList {...form} values={values} />;
}

function Form({ title, hint, update, onSaved, children }: Omit<FormProps, 'isAdmin' | 'values'>) {
  const app = useApp();
  const { calls } = useSignedIn();
  const write = useWrite();
  const [isUnchanged, setUnchanged] = useState(false);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setUnchanged(update === null);
    if (update === null) return;
    const saved = await write.run(update, (options) => calls.updateShop(update, options));
    if (saved === null) return;
    const { signedIn } = app;
    if (signedIn.value !== null) signedIn.value = { ...signedIn.value, shop: saved.shop };
    app.message.value = `Saved: ${title}`;
    onSaved();
  };
  return (
    <FieldErrors.Provider value={fieldErrors(write.failure)}>
      <form class="panel stack" aria-label={title} onSubmit={save}>
        <h2>{title}</h2>
        {hint === undefined ? null : <p class="quiet">{hint}</p>}
        {children}
        <FailureNotice failure={write.failure} />
        <div class="row">
          <button type="submit" class="primary" aria-busy={write.isBusy}>
            Save
          </button>
          {isUnchanged && update === null ? <p class="quiet">Nothing was changed.</p> : null}
        </div>
      </form>
    </FieldErrors.Provider>
  );
}

const SettingsList = ({ title, hint, values }: Pick<FormProps, 'title' | 'hint' | 'values'>) => (
  <section class="panel stack" aria-label={title}>
    <h2>{title}</h2>
    {hint === undefined ? null : <p class="quiet">{hint}</p>}
    <dl class="values">
      {values.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </section>
);
