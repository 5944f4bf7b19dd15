/** One method while it is edited: its fields and rules, and the cart that tries them. */
import { Menu } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { listPlace, RecordEditor } from '../parts/record-editor.tsx';
import { NOTHING } from '../parts/record-kind.ts';
import { Unreadable, useUnreadable } from '../parts/unreadable.ts';
import { useAnswer } from '../parts/use-answer.ts';
import { NEW, useRecord } from '../parts/use-record.ts';
import { changedRules } from '../rule-words.ts';
import type { Explained } from '../tester/answers.ts';
import { applyChange, momentOf, readCart } from '../tester/cart.ts';
import { recentCarts } from '../tester/recent-carts.ts';
import { counted } from '../words.ts';
import { blendsOf } from './bulk-edits.ts';
import { BulkReview } from './bulk-review.tsx';
import { namesIn } from './condition-fields.tsx';
import type { Vocabulary } from './condition-words.ts';
import { MethodFields, MethodTabs, useMethodTab } from './method-fields.tsx';
import { METHOD_KIND, type MethodDraft } from './method-kind.ts';
import { type Config, missingIn, trialErrors, trialOf } from './trial.ts';
import { cartFor } from './trial-cart.ts';
import { TrialPanel } from './trial-panel.tsx';

interface MethodEditorProps {
  readonly config: Config;
  /** It is read again: what is moved by the order of before does not move. */
  readonly isOld: boolean;
  readonly vocabulary: Vocabulary;
  /** `new` for one that is not saved. */
  readonly id: string;
  /** What a new one begins with. */
  readonly first: MethodDraft;
}

/** Milliseconds without typing before an edit is tried. */
const TYPING_PAUSE_MS = 300;

/** Changed rules that the message after a save tells of. */
const RULES_TOLD = 2;

const NO_PRICES: ReadonlyMap<string, number> = new Map();

export function MethodEditor({ config, isOld, vocabulary, id, first }: MethodEditorProps) {
  const app = useApp();
  const { calls, mayWrite, shop } = useSignedIn();
  const tab = useMethodTab();
  const named = { groups: config.productGroups, zones: config.zones };
  const editing = useRecord(METHOD_KIND, id, first, (before, after) => {
    const context = { currency: shop.currency, nameOf: namesIn(named) };
    const sentences = changedRules(before?.rules ?? [], after.rules, context);
    const told = sentences.slice(0, RULES_TOLD).map((sentence) => `Rule: ${sentence}`);
    const more = sentences.length - told.length;
    return [...told, ...(more > 0 ? [`And ${counted(more, 'rule')} more`] : [])].join('. ');
  });
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
      return isRead ? calls.simulate(cart, { query, signal }) : NOTHING;
    },
    [isRead, JSON.stringify(cart), at, app.view],
    TYPING_PAUSE_MS,
  );
  // The first cart of a method is one that it is offered for, where a single change makes it so.
  useEffect(() => {
    const whyNot = now.value?.methodEvaluations.find(({ methodId }) => methodId === id)?.whyNot;
    if (cartText === '' && whyNot != null && !isDirty)
      app.set({ cart: JSON.stringify(applyChange(cart, whyNot.change)) });
  }, [now.value]);
  const fields = useUnreadable();
  const missing = fields.isAny ? 'a field cannot be read yet' : missingIn(draft, vocabulary);
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
  // Methods of one zone and group stand below each other in the list, in the order of the shop.
  const shown = config.methods.find((method) => method.id === id);
  const places = config.methods.flatMap(({ zoneId, productGroupId }, place) =>
    zoneId === shown?.zoneId && productGroupId === shown.productGroupId ? [place] : [],
  );
  const position = places.findIndex((place) => config.methods[place] === shown);
  return (
    <Unreadable.Provider value={fields}>
      <RecordEditor
        editing={editing}
        place={listPlace(isOld ? -1 : position, places)}
        errors={tried.byPath}
        above={<MethodTabs ruleCount={draft.rules.length} />}
        deletion={
          blendsOf(config.blendedRates, new Set([id])).length === 0
            ? undefined
            : (onClose) => (
                <BulkReview
                  kind="delete"
                  config={config}
                  ids={new Set([id])}
                  prices={NO_PRICES}
                  onClose={onClose}
                  onDone={() => {
                    app.drafts.delete(`methods ${id}`);
                    app.setOf('methods', id, { open: '' });
                  }}
                />
              )
        }
        goesAlong={draft.rules.length === 0 ? '' : 'its rules'}
        comment={
          isNew && draft.rules.length > 0
            ? `Put the id of the new method, from the first answer, in place of ${NEW}`
            : null
        }
        actions={
          isNew || !mayWrite ? null : (
            <Menu.Item onClick={() => app.set({ open: NEW, like: id }, false)}>Copy</Menu.Item>
          )
        }
        beside={
          <div className={`panel stack trial pane ${tab === 'try' ? 'is-tab' : ''}`}>
            <TrialPanel
              {...trial}
              {...{ now, missing }}
              preview={
                isDirty || fields.isAny ? { ...preview, isLoading: isTried && preview.isLoading } : null
              }
              refusals={tried.sentences}
            />
          </div>
        }
      >
        <MethodFields {...{ draft, isNew, vocabulary, named }} onChange={editing.set} />
      </RecordEditor>
    </Unreadable.Provider>
  );
}
