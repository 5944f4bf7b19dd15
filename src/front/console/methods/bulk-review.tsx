/**
 * An edit of several methods before it is saved: its fields, each value that it changes, and what that does to carts, checks
 * and findings. It is saved as one replacement, which is one version.
 */
import { useRef, useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { watchChecks } from '../parts/checks-sentence.ts';
import { isNothing } from '../parts/consequences.tsx';
import { Question } from '../parts/dialog.tsx';
import { CheckField, ChoiceField } from '../parts/field.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { firstUnreadable, MoneyField, PercentField } from '../parts/number-field.tsx';
import { Unreadable, useUnreadable } from '../parts/unreadable.ts';
import { useReplacement } from '../parts/use-replacement.ts';
import { RefusedWrite } from '../parts/versions.tsx';
import { linkTo } from '../place.ts';
import { zoneOptions } from '../place-names.ts';
import { counted } from '../words.ts';
import {
  type BulkEdit,
  blendsOf,
  changesPrices,
  editedMethods,
  isPriced,
  methodsData,
  withoutPreferred,
} from './bulk-edits.ts';
import { Review, ReviewFailure } from './bulk-effects.tsx';
import type { Config } from './trial.ts';

export type BulkKind = BulkEdit['kind'];

export const BULK_TITLES: Readonly<Record<BulkKind, string>> = {
  percent: 'Change by %…',
  add: 'Change by an amount…',
  round: 'Round prices…',
  enable: 'Switch on…',
  disable: 'Switch off…',
  copy: 'Copy to zones…',
  delete: 'Delete…',
  prices: 'New prices…',
};

const TYPING_PAUSE_MS = 300;

interface BulkReviewProps {
  readonly kind: BulkKind;
  readonly config: Config;
  readonly ids: ReadonlySet<string>;
  readonly prices: ReadonlyMap<string, number>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** What deleted methods are to the blended rates that prefer them. */
type BlendFate = 'lowest' | 'delete';

export function BulkReview({ kind, config, ids, prices, onClose, onDone }: BulkReviewProps) {
  const app = useApp();
  const { calls } = useSignedIn();
  const [way, setWay] = useState<'up' | 'down'>('up');
  const [percent, setPercent] = useState<number | null>(kind === 'percent' ? 5 : null);
  const [amount, setAmount] = useState<number | null>(null);
  const [ending, setEnding] = useState('90');
  const [zoneIds, setZoneIds] = useState<readonly string[]>([]);
  const [fate, setFate] = useState<BlendFate>('lowest');
  const typed = useUnreadable();
  const isTooLow = kind === 'percent' && way === 'down' && percent !== null && percent > 100;
  const edit =
    typed.isAny || isTooLow ? null : editOf({ kind, way, percent, amount, ending, zoneIds, prices });
  const touched = kind === 'prices' ? new Set(prices.keys()) : ids;
  const { answer, shown, refused, write, execute } = useReplacement(
    edit &&
      (({ methods, blendedRates }) => {
        const edited = editedMethods(methods, touched, edit);
        const bound = edit.kind === 'delete' ? blendsOf(blendedRates, touched) : [];
        const kept =
          fate === 'delete' ? blendedRates.filter((blend) => !bound.includes(blend)) : blendedRates;
        const blends = bound.length === 0 ? {} : { blendedRates: withoutPreferred(kept, touched) };
        return { edited, data: { methods: methodsData(edited), ...blends } as Schemas['ConfigData'] };
      }),
    [JSON.stringify([edit, [...prices]]), fate],
    TYPING_PAUSE_MS,
  );
  const fields = useRef<HTMLDivElement>(null);
  // Of what stands in the fields now, and of nothing before.
  const reviewed = edit === null || answer.isLoading || answer.failure !== null ? null : answer.value;
  const preview = reviewed?.preview ?? null;
  const unpriced =
    edit !== null && changesPrices(edit)
      ? config.methods.filter((method) => ids.has(method.id) && !isPriced(method))
      : [];
  const bound = kind === 'delete' ? blendsOf(config.blendedRates, ids) : [];
  const save = async (): Promise<void> => {
    const unreadable = fields.current === null ? null : firstUnreadable(fields.current);
    unreadable?.focus();
    if (unreadable !== null || preview === null) return;
    const { added, modified, removed } = preview.summary;
    const count = counted(added + modified + removed, 'change');
    const checksAfter = await watchChecks(calls, app.view);
    await execute(count, (undo) => {
      app.say(`Saved ${count}`, undo, checksAfter(shown));
      onDone();
    });
  };
  return (
    <Question
      title={titleOf(kind, config, touched)}
      action={
        kind === 'delete' ? 'Delete' : app.view === 'live' ? 'Save as one version' : 'Save to the draft'
      }
      color={kind === 'delete' ? 'red' : 'accent'}
      isBusy={write.isBusy}
      isDisabled={preview === null || shown === null || answer.failure !== null || isNothing(preview)}
      onAction={save}
      onClose={onClose}
    >
      <Unreadable.Provider value={typed}>
        <div className="fields" ref={fields}>
          {kind === 'percent' || kind === 'add' ? (
            <ChoiceField
              label="Prices are"
              value={way}
              options={[
                ['up', 'raised'],
                ['down', 'lowered'],
              ]}
              onValue={setWay}
            />
          ) : null}
          {kind === 'percent' ? (
            <PercentField label="By (%)" value={percent} onValue={setPercent} isOptional isRequired />
          ) : null}
          {kind === 'add' ? (
            <MoneyField label="By" value={amount} onValue={setAmount} isOptional isRequired />
          ) : null}
          {kind === 'round' ? (
            <ChoiceField
              label="Each price ends in"
              value={ending}
              options={['90', '95', '99', '50', '00'].map((end) => [end, `.${end}`] as const)}
              onValue={setEnding}
            />
          ) : null}
        </div>
      </Unreadable.Provider>
      {kind === 'copy' ? <ZoneChoice config={config} chosen={zoneIds} onChosen={setZoneIds} /> : null}
      {bound.length === 0 ? null : <BoundBlends blends={bound} fate={fate} onFate={setFate} />}
      {edit === null ? (
        <p className="quiet">
          {typed.isAny
            ? 'A field cannot be read yet.'
            : isTooLow
              ? 'Prices cannot be lowered by more than 100 %.'
              : MISSING[kind]}
        </p>
      ) : (
        <div className="stack" aria-busy={answer.isLoading}>
          <ReviewFailure answer={answer.failure} methods={config.methods} />
          <RefusedWrite failure={write.failure} seen={refused} current={shown}>
            and nothing was saved. What you see now is for the configuration as it is now.
          </RefusedWrite>
          {reviewed === null || preview === null ? (
            answer.failure === null && <Loading what="what this changes" />
          ) : (
            <Review {...reviewed} unpriced={unpriced} preview={preview} />
          )}
        </div>
      )}
    </Question>
  );
}

const MISSING: Readonly<Partial<Record<BulkKind, string>>> = {
  percent: 'By how many percent?',
  add: 'By which amount?',
  copy: 'Choose the zones that get copies.',
};

function titleOf(kind: BulkKind, config: Config, ids: ReadonlySet<string>): string {
  const [only] = config.methods.filter(({ id }) => ids.has(id));
  const methods = ids.size === 1 && only !== undefined ? only.name : counted(ids.size, 'method');
  switch (kind) {
    case 'enable':
      return `Switch ${methods} on`;
    case 'disable':
      return `Switch ${methods} off`;
    case 'copy':
      return `Copy ${methods} to other zones`;
    case 'delete':
      return `Delete ${methods}`;
    case 'round':
      return `Round the prices of ${methods}`;
    default:
      return `Change the prices of ${methods}`;
  }
}

interface EditFields {
  readonly kind: BulkKind;
  readonly way: 'up' | 'down';
  readonly percent: number | null;
  readonly amount: number | null;
  readonly ending: string;
  readonly zoneIds: readonly string[];
  readonly prices: ReadonlyMap<string, number>;
}

/** Null while a field lacks. */
function editOf({ kind, way, percent, amount, ending, zoneIds, prices }: EditFields): BulkEdit | null {
  const sign = way === 'up' ? 1 : -1;
  switch (kind) {
    case 'percent':
      return percent === null ? null : { kind, percent: sign * percent };
    case 'add':
      return amount === null ? null : { kind, amount: sign * amount };
    case 'round':
      return { kind, ending: Number(ending) };
    case 'copy':
      return zoneIds.length === 0 ? null : { kind, zoneIds };
    case 'prices':
      return { kind, prices };
    default:
      return { kind };
  }
}

interface ZoneChoiceProps {
  readonly config: Config;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

const ZoneChoice = ({ config, chosen, onChosen }: ZoneChoiceProps) => (
  <fieldset className="check-list">
    <legend className="only-read">Zones that get copies</legend>
    {zoneOptions(config.zones).map(([id, name]) => (
      <CheckField
        key={id}
        label={name}
        value={chosen.includes(id)}
        onValue={(isChosen) => onChosen(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))}
      />
    ))}
  </fieldset>
);

interface BoundBlendsProps {
  readonly blends: readonly Schemas['BlendedRate'][];
  readonly fate: BlendFate;
  readonly onFate: (fate: BlendFate) => void;
}

/** Blended rates that prefer a method which is deleted. */
const BoundBlends = ({ blends, fate, onFate }: BoundBlendsProps) => (
  <Notice kind="warning">
    <div className="stack">
      <p>
        {blends.length === 1 ? 'A blended rate prefers' : `${blends.length} blended rates prefer`} what is
        deleted:
      </p>
      <ul className="lines">
        {blends.map(({ id, name }) => (
          <li key={id}>
            <a href={linkTo('blends', { open: id })}>{name}</a>
          </li>
        ))}
      </ul>
      <ChoiceField
        label="With the deletion"
        value={fate}
        options={[
          ['lowest', 'their group takes the lowest price'],
          ['delete', 'they are deleted too'],
        ]}
        onValue={onFate}
      />
    </div>
  </Notice>
);
