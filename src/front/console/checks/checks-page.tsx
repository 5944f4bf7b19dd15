/** Checks: carts with an expected answer. All are run when the page is opened and after each write. */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { pathLabel } from '../labels.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { CheckField, FieldErrors, TextField } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { FailureNotice } from '../parts/notice.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import type { RecordEditing } from '../parts/use-record.ts';
import { linkTo } from '../place.ts';
import { type Cart, cartName, starterCart } from '../tester/cart.ts';
import { CartForm } from '../tester/cart-form.tsx';
import { recentCarts } from '../tester/recent-carts.ts';
import { testerLink } from '../tester/tester-link.ts';
import { CHECK_KIND, type CheckDraft } from './check-kind.ts';
import { ExpectationsField } from './expectations-field.tsx';

type Result = Schemas['CheckResult'];

export function ChecksPage() {
  const { view } = useApp();
  const { calls } = useSignedIn();
  const [runs, setRuns] = useState(0);
  const answer = useAnswer((signal) => calls.listChecks({ signal }), []);
  const run = useAnswer(
    (signal) => calls.createOrRunChecks({ action: 'run', view }, { signal }),
    [view, runs],
  );
  const results = run.value;
  const resultOf = new Map<string | null | undefined, Result>(
    results?.results.map((result) => [result.checkId, result]),
  );
  const checks = answer.value?.checks ?? [];
  return (
    <RecordPage
      kind={CHECK_KIND}
      blank={blankCheck()}
      title="Checks"
      answer={answer}
      records={checks}
      detailOf={({ request }) => cartName(request)}
      badgeOf={({ id, enabled }) => (
        <Verdict isEnabled={enabled} isAwaited={isAwaited(run)} result={resultOf.get(id)} />
      )}
      empty={
        <>
          The shop has no check yet. A check is a cart with the rates that it must be offered; “Save as check”
          in the <a href={linkTo('tester')}>rate tester</a> makes one.
        </>
      }
      actions={
        answer.value !== null && checks.length === 0 ? null : (
          <>
            <button type="button" aria-busy={run.isLoading} onClick={() => setRuns(runs + 1)}>
              Run all
            </button>
            <CopyAsCurl
              label="Run all, as curl"
              run={(recorded) => recorded.createOrRunChecks({ action: 'run', view })}
            />
          </>
        )
      }
      summary={
        answer.value !== null && checks.length === 0 ? null : results === null && run.failure !== null ? (
          <FailureNotice failure={run.failure} />
        ) : results === null ? (
          <p role="status">Running the checks…</p>
        ) : (
          <p role="status">
            {results.passed} passed, {results.failed} failed{view === 'staged' ? ' with the changeset' : ''}.
          </p>
        )
      }
      ownActions={({ request, at }) => <a href={testerLink(request, { at: at ?? '' })}>Open in the tester</a>}
      above={({ draft, editing }) => <CartOfCheck draft={draft} editing={editing} />}
    >
      {({ draft, editing, field, at }) => (
        <>
          <TextField {...field('name')} />
          <CheckField
            {...field('enabled')}
            label={`${pathLabel('/enabled')}: run on each preview and before a promotion`}
          />
          <Expectations
            draft={draft}
            onExpectations={(expectations) => editing.set({ expectations })}
            failures={resultOf.get(checks[at]?.id)?.failures ?? []}
          />
        </>
      )}
    </RecordPage>
  );
}

interface VerdictProps {
  readonly isEnabled: boolean;
  readonly isAwaited: boolean;
  readonly result: Result | undefined;
}

function Verdict({ isEnabled, isAwaited, result }: VerdictProps) {
  if (!isEnabled) return <span class="badge">off</span>;
  if (result === undefined) return isAwaited ? <span class="badge verdict">… running</span> : null;
  const [kind, text] = result.passed ? ['good', '✓ passes'] : ['bad', '✕ fails'];
  return <span class={`badge verdict ${kind}`}>{text}</span>;
}

interface ExpectationsProps
  extends Pick<Parameters<typeof ExpectationsField>[0], 'onExpectations' | 'failures'> {
  readonly draft: CheckDraft;
}

function Expectations({ draft: { request, at, expectations }, ...field }: ExpectationsProps) {
  const app = useApp();
  const { calls } = useSignedIn();
  const serviceCodes = useServiceCodes();
  const ratesNow = async () => {
    const query = { fields: 'rates', view: app.view, ...(at === null ? {} : { at }) } as const;
    const outcome = app.seen(await calls.simulate(request, { query, simulationSource: 'test' }));
    if (!outcome.ok) {
      app.message.value = `The cart has no rates: ${outcome.message}`;
      return null;
    }
    return outcome.value.rates.map(({ serviceCode, totalPrice }) => ({ serviceCode, totalPrice }));
  };
  return <ExpectationsField {...{ ...field, expectations, serviceCodes, ratesNow }} />;
}

const blankCheck = (): CheckDraft => ({
  name: '',
  request: recentCarts()[0] ?? starterCart([]),
  at: null,
  expectations: [{ kind: 'some_rate' }],
  enabled: true,
});

/** The service codes of the shop, each once. */
function useServiceCodes(): readonly string[] {
  const { calls } = useSignedIn();
  const methods = useAnswer((signal) => calls.listMethods({ signal }), []).value?.methods ?? [];
  const blends = useAnswer((signal) => calls.listBlendedRates({ signal }), []).value?.blendedRates ?? [];
  return [...new Set([...methods, ...blends].map(({ serviceCode }) => serviceCode))];
}

interface CartOfCheckProps {
  readonly draft: CheckDraft;
  readonly editing: RecordEditing<CheckDraft>;
}

/** The cart stands above the form of the check, because it is a form of its own. */
function CartOfCheck({ draft, editing }: CartOfCheckProps) {
  const { mayWrite } = useSignedIn();
  const errors = [...editing.errors].flatMap(([path, error]) =>
    path.startsWith('/request/') ? [[path.slice('/request'.length), error] as const] : [],
  );
  return (
    <Fold
      path="/request"
      isOpenAtFirst={editing.isNew}
      summary={
        <>
          <strong>Cart</strong> <span class="quiet">{cartName(draft.request)}</span>
        </>
      }
    >
      <FieldErrors.Provider value={new Map(errors)}>
        <fieldset disabled={!mayWrite}>
          <CartForm
            cart={draft.request}
            onCart={(request: Cart) => editing.set({ request })}
            at={draft.at ?? ''}
            onAt={(at) => editing.set({ at: at === '' ? null : at })}
            saved={[]}
          />
        </fieldset>
      </FieldErrors.Provider>
    </Fold>
  );
}
