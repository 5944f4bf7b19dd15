/** One method while it is edited: its fields and rules, and the cart that tries them. */
import { useMemo } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { listPlace, RecordEditor } from '../parts/record-editor.tsx';
import { NOTHING } from '../parts/record-kind.ts';
import { useAnswer } from '../parts/use-answer.ts';
import { NEW, useRecord } from '../parts/use-record.ts';
import type { Explained } from '../tester/answers.ts';
import { momentOf, readCart } from '../tester/cart.ts';
import { recentCarts } from '../tester/recent-carts.ts';
import type { Vocabulary } from './condition-words.ts';
import { MethodFields } from './method-fields.tsx';
import { METHOD_KIND, type MethodDraft } from './method-kind.ts';
import { RulesEditor } from './rules-editor.tsx';
import { type Config, missingIn, trialErrors, trialOf } from './trial.ts';
import { cartFor } from './trial-cart.ts';
import { TrialPanel } from './trial-panel.tsx';

interface MethodEditorProps {
  readonly config: Config;
  readonly vocabulary: Vocabulary;
  /** `new` for one that is not saved. */
  readonly id: string;
  /** What a new one begins with. */
  readonly first: MethodDraft;
}

/** Milliseconds without typing before an edit is tried. */
const TYPING_PAUSE_MS = 300;

export function MethodEditor({ config, vocabulary, id, first }: MethodEditorProps) {
  const app = useApp();
  const { calls } = useSignedIn();
  const editing = useRecord(METHOD_KIND, id, first);
  const draft = editing.draft ?? first;
  const { isDirty, isNew } = editing;
  const { cart: cartText = '', at = '' } = app.place.value.parameters;
  const cart = useMemo(() => {
    const read = cartText === '' ? '' : readCart(cartText);
    const known = [...recentCarts(), ...config.checks.map(({ request }) => request)];
    return typeof read === 'string' ? cartFor(config, draft, known) : read;
  }, [cartText, draft.zoneId, draft.productGroupId]);
  const isRead = editing.draft !== null;
  const now = useAnswer<Explained>(
    async (signal) => {
      const query = { view: app.view, explain: 'full', ...momentOf(at) } as const;
      return isRead ? calls.simulate(cart, { query, signal, simulationSource: 'test' }) : NOTHING;
    },
    [isRead, JSON.stringify(cart), at, app.view],
    TYPING_PAUSE_MS,
  );
  const missing = missingIn(draft, vocabulary);
  const isTried = isDirty && missing === null && now.value !== null;
  const zoneId = now.value?.zone?.id ?? null;
  const trial = { config, draft, id, zoneId, cart, at };
  const preview = useAnswer<Schemas['PreviewAnswer']>(
    async (signal) => (isTried ? calls.replaceConfig(trialOf(trial).body, { signal }) : NOTHING),
    [isTried, JSON.stringify([draft, cart]), at, zoneId, config.versionId],
    TYPING_PAUSE_MS,
  );
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
      place={listPlace(position, places)}
      errors={tried.byPath}
      goesAlong={draft.rules.length === 0 ? '' : 'its rules'}
      comment={
        isNew && draft.rules.length > 0
          ? `Put the id of the new method, from the first answer, in place of ${NEW}`
          : null
      }
      actions={
        isNew ? null : (
          <button type="button" onClick={() => app.set({ open: NEW, like: id }, false)}>
            Copy
          </button>
        )
      }
      beside={
        <div class="panel stack trial pane">
          <TrialPanel
            {...trial}
            {...{ now, missing }}
            preview={isDirty ? { ...preview, isLoading: isTried && preview.isLoading } : null}
            refusals={tried.sentences}
          />
        </div>
      }
    >
      <MethodFields {...{ draft, isNew, vocabulary, named }} onChange={editing.set} />
      <RulesEditor
        rules={draft.rules}
        vocabulary={vocabulary}
        named={named}
        onRules={(rules) => editing.set({ rules })}
      />
    </RecordEditor>
  );
}
