/** One method while it is edited: its fields and rules, the cart that tries them, and saving. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { DetailHeading } from '../parts/detail-heading.tsx';
import { FieldErrors, firstUnreadable } from '../parts/field.tsx';
import { isSame } from '../parts/merged-draft.ts';
import { Notice } from '../parts/notice.tsx';
import { fieldErrors } from '../service.ts';
import { readCart } from '../tester/cart.ts';
import { recentCarts } from '../tester/recent-carts.ts';
import type { Vocabulary } from './condition-words.ts';
import { EditActions, type Neighbours } from './edit-actions.tsx';
import { draftOf, type Edit, editName, type Method, type MethodDraft, mergeDraft } from './method-draft.ts';
import { MethodFields } from './method-fields.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { SaveState } from './save-state.tsx';
import { type Config, missingIn, trialErrors, trialOf } from './trial.ts';
import { cartFor } from './trial-cart.ts';
import { AskNow, AskTrial, type Now, type Preview, TrialPanel } from './trial-panel.tsx';
import { useSaveMethod } from './use-save-method.ts';

interface MethodEditorProps {
  readonly config: Config;
  readonly vocabulary: Vocabulary;
  /** `new` for one that is not saved. */
  readonly id: string;
  /** As it is saved; null for a new one, and for one that was deleted since. */
  readonly method: Method | null;
  /** What a new one begins with. */
  readonly first: MethodDraft;
  readonly onCreated: (id: string) => void;
}

/** The edit after a save, with what was typed while the save was under way. */
const afterSave = (sent: Edit, saved: Edit, last: Edit): Edit =>
  isSame(last.draft, sent.draft)
    ? saved
    : { base: saved.base, draft: mergeDraft(sent.draft, saved.draft, last.draft).draft };

/** Methods of one zone and group stand below each other in the list, in the order of the shop. */
function neighboursOf({ methods }: Config, id: string): Neighbours {
  const shown = methods.find((method) => method.id === id);
  const places = methods.flatMap(({ zoneId, productGroupId }, position) =>
    zoneId === shown?.zoneId && productGroupId === shown.productGroupId ? [position] : [],
  );
  const at = places.findIndex((position) => methods[position] === shown);
  return { before: places[at - 1] ?? null, after: places[at + 1] ?? null };
}

const UNASKED = { value: null, versionId: null, failure: null, isLoading: true };

export function MethodEditor({ config, vocabulary, id, method, first, onCreated }: MethodEditorProps) {
  const app = useApp();
  const { key } = useSignedIn();
  const mayWrite = key.permission !== 'read';
  const form = useRef<HTMLFormElement>(null);
  const [kept, setKept] = useState(() => (app.drafts.get(editName(id)) as Edit | undefined) ?? null);
  const [edit, setEdit] = useState<Edit>(
    () =>
      kept ?? {
        base: method === null ? null : draftOf(method),
        draft: method === null ? first : draftOf(method),
      },
  );
  const { base, draft } = edit;
  const isChanged = base === null ? !isSame(draft, first) : !isSame(base, draft);
  const saving = useSaveMethod((created) => {
    app.drafts.delete(editName(id));
    onCreated(created);
  });
  useEffect(() => {
    const name = editName(draft.id ?? id);
    if (isChanged) app.drafts.set(name, edit);
    else app.drafts.delete(name);
  }, [edit]);
  useEffect(() => {
    // Written elsewhere, or read anew: without an edit there is nothing to join with.
    if (method !== null && !isChanged && !saving.isBusy)
      setEdit({ base: draftOf(method), draft: draftOf(method) });
  }, [method]);
  const change = (fields: Partial<MethodDraft>): void =>
    setEdit(({ base: saved, draft: last }) => ({ base: saved, draft: { ...last, ...fields } }));

  const { cart: cartText = '', at = '' } = app.place.value.parameters;
  const cart = useMemo(() => {
    const read = cartText === '' ? '' : readCart(cartText);
    const known = [...recentCarts(), ...config.checks.map(({ request }) => request)];
    return typeof read === 'string' ? cartFor(config, draft, known) : read;
  }, [cartText, draft.zoneId, draft.productGroupId]);
  const [now, setNow] = useState<Now>(UNASKED);
  const [preview, setPreview] = useState<Preview>(UNASKED);
  const zoneId = now.value?.zone?.id ?? null;
  const missing = missingIn(draft, vocabulary);
  const tried = useMemo(
    () =>
      trialErrors(
        isChanged && missing === null ? preview.failure : null,
        trialOf(config, draft, zoneId, cart, at),
        draft,
      ),
    [preview, isChanged, missing],
  );
  const errors = useMemo(() => {
    const { problem } = saving;
    const refused = [...fieldErrors(problem?.failure ?? null)].map(
      ([path, text]) => [`${problem?.prefix}${path}`, text] as const,
    );
    return new Map([...tried.byPath, ...refused]);
  }, [tried, saving.problem]);

  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (saving.isBusy) return;
    const bad = form.current === null ? null : firstUnreadable(form.current);
    if (bad !== null) {
      bad.focus();
      app.message.value = 'Not saved: this field cannot be read';
      return;
    }
    if (base !== null && !isChanged) {
      app.message.value = 'There is nothing to save';
      return;
    }
    const saved = await saving.save(edit);
    setEdit((last) => afterSave(edit, saved.edit, last));
    if (!saved.isDone) return;
    setKept(null);
    app.message.value = `Saved ${saved.edit.draft.name}`;
  };
  const discard = (): void => {
    saving.forget();
    setKept(null);
    setEdit({ base, draft: base ?? first });
    app.message.value = 'Discarded what was not saved';
  };
  const title = draft.name || base?.name || 'New method';
  return (
    <FieldErrors.Provider value={errors}>
      <AskNow cart={cart} at={at} onAnswer={setNow} />
      {isChanged && missing === null && now.value !== null ? (
        <AskTrial {...{ config, draft, zoneId, cart, at }} onAnswer={setPreview} />
      ) : null}
      <form class="panel stack editor" aria-label={title} ref={form} noValidate onSubmit={save}>
        <DetailHeading title={title} />
        {kept === null ? null : (
          <Notice kind="info">
            This is an edit that you did not save before. Nothing of it is saved yet.
          </Notice>
        )}
        <SaveState saving={saving} />
        {mayWrite ? null : <Notice kind="info">This key may read methods, not change them.</Notice>}
        <fieldset class="stack whole" disabled={!mayWrite}>
          <MethodFields
            draft={draft}
            vocabulary={vocabulary}
            named={{ groups: config.productGroups, zones: config.zones }}
            onChange={change}
          />
          <RulesEditor
            rules={draft.rules}
            vocabulary={vocabulary}
            named={{ groups: config.productGroups, zones: config.zones }}
            onRules={(rules) => change({ rules })}
          />
        </fieldset>
        {mayWrite ? (
          <EditActions
            {...{ base, draft, isChanged, saving }}
            neighbours={neighboursOf(config, id)}
            onDiscard={discard}
          />
        ) : null}
      </form>
      <div class="panel stack trial">
        <TrialPanel
          {...{ config, draft, cart, at, now, missing }}
          preview={isChanged ? preview : null}
          refusals={tried.sentences}
        />
      </div>
    </FieldErrors.Provider>
  );
}
