/** Checks: carts with an expected answer. All are run when the page is opened and after each write. */
import { Button, Group, Menu, SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { pathLabel } from '../labels.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { CheckField, FieldErrors, TextField } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { FailureNotice } from '../parts/notice.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import { useServiceNames } from '../parts/use-rate-names.ts';
import type { RecordEditing } from '../parts/use-record.ts';
import { linkTo, testerLink } from '../place.ts';
import { type Cart, cartName, starterCart } from '../tester/cart.ts';
import { CartForm } from '../tester/cart-form.tsx';
import { recentCarts } from '../tester/recent-carts.ts';
import { BreakageList } from './breakage-list.tsx';
import { readBreakages } from './breakages.ts';
import { CHECK_KIND, type CheckDraft, type Expectation } from './check-kind.ts';
import { expectationText, type NameOf, reasonText } from './check-words.ts';
import { ExpectationsField } from './expectations-field.tsx';

type Result = Schemas['CheckResult'];

/** Failing checks for which the page names what broke them, beside the open one. */
const EXPLAINED_MAX = 10;

export function ChecksPage() {
  const app = useApp();
  const { view } = app;
  const { only = '', open = '' } = app.place.value.parameters;
  const { calls, shop } = useSignedIn();
  const [runs, setRuns] = useState(0);
  const answer = useAnswer((signal) => calls.listChecks({ signal }), []);
  const run = useAnswer(
    (signal) => calls.createOrRunChecks({ action: 'run', view }, { signal }),
    [view, runs],
  );
  const names = useServiceNames();
  const nameOf = (code: string): string => names.get(code) ?? code;
  const resultOf = new Map<string | null | undefined, Result>(
    run.value?.results.map((result) => [result.checkId, result]),
  );
  const checks = answer.value?.checks ?? [];
  const failing = checks.filter(({ id }) => resultOf.get(id)?.passed === false);
  const explained = failing.filter(({ id }, at) => at < EXPLAINED_MAX || id === open);
  const breakages = useAnswer(
    (signal) => readBreakages(calls, view, explained, signal),
    [view, run.value, JSON.stringify(explained)],
  );
  const brokenBy = (shown: readonly Schemas['Check'][]): ReactNode =>
    breakages.isLoading || breakages.value === null ? null : (
      <BreakageList breakages={breakages.value} liveId={breakages.versionId} checks={shown} />
    );
  const isNone = answer.value !== null && checks.length === 0;
  const isFailingOnly = only === 'failing' && failing.length > 0;
  return (
    <RecordPage
      kind={CHECK_KIND}
      blank={blankCheck()}
      title="Checks"
      description="Carts with the answer that you expect. They run on each preview and before a draft is published."
      answer={answer}
      records={checks}
      isListed={({ id }) => !isFailingOnly || id === open || resultOf.get(id)?.passed === false}
      detailOf={({ request }) => cartName(request)}
      badgeOf={({ id, enabled }) => (
        <Verdict isEnabled={enabled} isAwaited={isAwaited(run)} result={resultOf.get(id)} />
      )}
      noteOf={({ id, expectations }) => (
        <Note {...{ expectations, nameOf }} result={resultOf.get(id)} currency={shop.currency} />
      )}
      empty={
        <>
          The shop has no check yet. A check is a cart with the rates that it must be offered; “Save as check”
          in the <a href={linkTo('tester')}>rate tester</a> makes one.
        </>
      }
      actions={
        isNone ? null : (
          <>
            <Button aria-busy={run.isLoading} onClick={() => setRuns(runs + 1)}>
              Run all
            </Button>
            <CopyAsCurl
              label="Run all, as curl"
              run={(recorded) => recorded.createOrRunChecks({ action: 'run', view })}
            />
          </>
        )
      }
      summary={
        isNone ? null : run.value === null ? (
          run.failure === null ? (
            <p role="status">Running the checks…</p>
          ) : (
            <FailureNotice failure={run.failure} />
          )
        ) : (
          <>
            <Group justify="space-between" gap="xs">
              <p role="status">
                <strong>{run.value.passed}</strong> passed, <strong>{run.value.failed}</strong> failed
                {view === 'staged' ? ' with the draft' : ''}
              </p>
              {failing.length === 0 ? null : (
                <SegmentedControl
                  aria-label="Checks that are listed"
                  // In between, the texts have too little contrast.
                  transitionDuration={0}
                  value={isFailingOnly ? 'failing' : ''}
                  data={[
                    { value: '', label: `All ${checks.length}` },
                    { value: 'failing', label: `Failing ${failing.length}` },
                  ]}
                  onChange={(value) => app.set({ only: value })}
                />
              )}
            </Group>
            {open === '' ? brokenBy(explained) : null}
            <FailureNotice failure={breakages.failure} />
          </>
        )
      }
      ownActions={({ request, at }) => (
        <Menu.Item component="a" href={testerLink(request, { at: at ?? '' })}>
          Open in the tester
        </Menu.Item>
      )}
      above={({ draft, editing, at }) => (
        <>
          {brokenBy(checks.slice(at, at + 1))}
          <CartOfCheck draft={draft} editing={editing} />
        </>
      )}
    >
      {({ draft, editing, field, at }) => (
        <>
          <TextField {...field('name')} />
          <CheckField
            {...field('enabled')}
            label={`${pathLabel('/enabled')}: run on each preview and before a draft is published`}
          />
          <Expectations
            draft={draft}
            names={names}
            onExpectations={(expectations) => editing.set({ expectations })}
            failures={resultOf.get(checks[at]?.id)?.failures ?? []}
          />
        </>
      )}
    </RecordPage>
  );
}

interface NoteProps {
  readonly expectations: readonly Expectation[];
  readonly result: Result | undefined;
  readonly nameOf: NameOf;
  readonly currency: string;
}

/** What is expected; of a check that fails, why. */
function Note({ expectations, result, nameOf, currency }: NoteProps) {
  const [failure] = result?.failures ?? [];
  const expected = expectations.map((each) => expectationText(each, nameOf, currency)).join('; ');
  return failure === undefined ? (
    <>Expects {expected}</>
  ) : (
    <>
      <strong className="wrong">{reasonText(failure.reason, nameOf)}</strong> Expects {expected}
    </>
  );
}

interface VerdictProps {
  readonly isEnabled: boolean;
  readonly isAwaited: boolean;
  readonly result: Result | undefined;
}

function Verdict({ isEnabled, isAwaited, result }: VerdictProps) {
  if (!isEnabled) return <span className="badge">off</span>;
  if (result === undefined) return isAwaited ? <span className="badge verdict">… running</span> : null;
  const [kind, text] = result.passed ? ['good', '✓ passes'] : ['bad', '✕ fails'];
  return <span className={`badge verdict ${kind}`}>{text}</span>;
}

interface ExpectationsProps
  extends Pick<Parameters<typeof ExpectationsField>[0], 'onExpectations' | 'failures' | 'names'> {
  readonly draft: CheckDraft;
}

function Expectations({ draft: { request, at, expectations }, ...field }: ExpectationsProps) {
  const app = useApp();
  const { calls } = useSignedIn();
  const ratesNow = async () => {
    const query = { fields: 'rates', view: app.view, ...(at === null ? {} : { at }) } as const;
    const outcome = app.seen(await calls.simulate(request, { query }));
    if (!outcome.ok) {
      app.refuse(`The cart has no rates: ${outcome.message}`);
      return null;
    }
    return outcome.value.rates.map(({ serviceCode, totalPrice }) => ({ serviceCode, totalPrice }));
  };
  return <ExpectationsField {...{ ...field, expectations, ratesNow }} />;
}

const blankCheck = (): CheckDraft => ({
  name: '',
  request: recentCarts()[0] ?? starterCart([]),
  at: null,
  expectations: [{ kind: 'some_rate' }],
  enabled: true,
});

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
          <strong>Cart</strong> <span className="quiet">{cartName(draft.request)}</span>
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
