/** A part of the shop's settings as a form. */
import type { ReactNode } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { FieldErrors, type FieldOf, fieldOf } from '../parts/field.tsx';
import { changedFields } from '../parts/merged-draft.ts';
import { Loading } from '../parts/notice.tsx';
import { EditForm } from '../parts/record-editor.tsx';
import type { RecordKind } from '../parts/record-kind.ts';
import { useRecord } from '../parts/use-record.ts';
import type { Shop } from '../service.ts';

/** No version guards settings, so that only changed fields are sent. */
export const settingsKind = <D extends object>(
  title: string,
  fieldsOf: (shop: Shop) => D,
  updateOf: (draft: D, changed: Partial<D>) => Schemas['ShopUpdate'],
): RecordKind<D> => ({
  page: 'settings',
  noun: 'part of the settings',
  titleOf: () => title,
  read: async (calls, _, options) => {
    const read = await calls.getShop(options);
    return read.ok ? { ...read, value: fieldsOf(read.value.shop) } : read;
  },
  next: (saved, draft) => {
    const changed = changedFields(saved ?? draft, draft);
    if (Object.keys(changed).length === 0) return null;
    const content = updateOf(draft, changed);
    return {
      content,
      send: (calls, _, options) => calls.updateShop(content, options),
      take: (answer) => {
        const fields = answer === null ? draft : fieldsOf((answer as { readonly shop: Shop }).shop);
        return { saved: fields, draft: fields };
      },
    };
  },
});

interface FormProps<D extends object> {
  readonly kind: RecordKind<D>;
  readonly hint?: string;
  /** The JSON path of the draft in what is sent. */
  readonly path?: string;
  readonly children: (draft: D, field: FieldOf<D>, set: (fields: Partial<D>) => void) => ReactNode;
}

export function SettingsForm<D extends object>({ kind, hint, path = '', children }: FormProps<D>) {
  const mayWrite = useSignedIn().key.permission === 'admin';
  const title = kind.titleOf({} as D);
  const editing = useRecord(kind, title, {} as D);
  const { draft, failure, errors, set } = editing;
  return (
    <section className="panel stack" aria-label={title}>
      <h2>{title}</h2>
      {hint === undefined ? null : <p className="quiet">{hint}</p>}
      {draft === null ? (
        <Loading what="the settings" failure={failure} />
      ) : (
        <FieldErrors.Provider value={errors}>
          <EditForm {...{ editing, mayWrite }} saveText="Save">
            {children(draft, fieldOf(draft, set, path), set)}
          </EditForm>
        </FieldErrors.Provider>
      )}
    </section>
  );
}
