/** One method while it is edited: its fields and rules, and the cart that tries them. */
import { useMemo, useState } from 'preact/hooks';
import { useApp } from '../app-state.ts';
import { neighboursAt, RecordEditor } from '../parts/record-editor.tsx';
import { NEW, useRecord } from '../parts/use-record.ts';
import { readCart } from '../tester/cart.ts';
import { recentCarts } from '../tester/recent-carts.ts';
import type { Vocabulary } from './condition-words.ts';
import { MethodFields } from './method-fields.tsx';
import { METHOD_KIND, type MethodDraft } from './method-kind.ts';
import { RulesEditor } from './rules-editor.tsx';
import { type Config, missingIn, trialErrors, trialOf } from './trial.ts';
import { cartFor } from './trial-cart.ts';
import { AskNow, AskTrial, type Now, type Preview, TrialPanel } from './trial-panel.tsx';

interface MethodEditorProps {
  readonly config: Config;
  readonly vocabulary: Vocabulary;
  /** `new` for one that is not saved. */
  readonly id: string;
  /** What a new one begins with. */
  readonly first: MethodDraft;
}

const UNASKED = { value: null, versionId: null, failure: null, isLoading: true };

export function MethodEditor({ config, vocabulary, id, first }: MethodEditorProps) {
  const app = useApp();
  const editing = useRecord(METHOD_KIND, id, first);
  const draft = editing.draft ?? first;
  const { isDirty, isNew } = editing;
  const { cart: cartText = '', at = '' } = app.place.value.parameters;
  const cart = useMemo(() => {
    const read = cartText === '' ? '' : readCart(cartText);
    const known = [...recentCarts(), ...config.checks.map(({ request }) => request)];
    return typeof read === 'string' ? cartFor(config, draft, known) : read;
  }, [cartText, draft.zoneId, draft.productGroupId]);
  const [now, setNow] = useState<Now>(UNASKED);
  const [preview, setPreview] = useState<Preview>(UNASKED);
  const missing = missingIn(draft, vocabulary);
  const isTried = isDirty && missing === null && now.value !== null;
  const trial = { config, draft, id, zoneId: now.value?.zone?.id ?? null, cart, at };
  const tried = useMemo(
    () => trialErrors(isTried ? preview.failure : null, trialOf(trial), draft),
    [preview, isTried],
  );
  const named = { groups: config.productGroups, zones: config.zones };
  // Methods of one zone and group stand below each other in the list, in the order of the shop.
  const shown = config.methods.find((method) => method.id === id);
  const places = config.methods.flatMap(({ zoneId, productGroupId }, place) =>
    zoneId === shown?.zoneId && productGroupId === shown.productGroupId ? [place] : [],
  );
  const position = places.findIndex((place) => config.methods[place] === shown);
  return (
    <RecordEditor
      editing={editing}
      neighbours={neighboursAt(position, places)}
      errors={tried.byPath}
      goesAlong={draft.rules.length === 0 ? '' : 'its rules'}
      comment={
        isNew && draft.rules.length > 0
          ? `Put the id of the new method, from the first answer, in place of ${NEW}`
          : null
      }
      actions={() =>
        isNew ? null : (
          <button type="button" onClick={() => app.set({ open: NEW, like: id }, false)}>
            Copy
          </button>
        )
      }
      beside={() => (
        <div class="panel stack trial pane">
          <AskNow cart={cart} at={at} onAnswer={setNow} />
          {isTried ? <AskTrial {...trial} onAnswer={setPreview} /> : null}
          <TrialPanel
            {...trial}
            {...{ now, missing }}
            preview={isDirty ? { ...preview, isLoading: isTried && preview.isLoading } : null}
            refusals={tried.sentences}
          />
        </div>
      )}
    >
      {(_, field) => (
        <>
          <MethodFields {...{ draft, field, isNew, vocabulary, named }} onChange={editing.set} />
          <RulesEditor
            rules={draft.rules}
            vocabulary={vocabulary}
            named={named}
            onRules={(rules) => editing.set({ rules })}
          />
        </>
      )}
    </RecordEditor>
  );
}
