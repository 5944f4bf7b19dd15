/** The results of all checks: which fail, why, and a link to the tester with the cart of each. */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { LongList } from '../parts/long-list.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { linkTo } from '../place.ts';
import { testerLink } from '../tester/tester-link.ts';

interface ChecksPanelProps {
  readonly checks: readonly Schemas['Check'][] | null;
}

export function ChecksPanel({ checks }: ChecksPanelProps) {
  const { calls } = useSignedIn();
  const [run, setRun] = useState(0);
  const answer = useAnswer((signal) => calls.createOrRunChecks({ action: 'run' }, { signal }), [run]);
  return (
    <section class="panel stack" aria-label="Checks" aria-busy={answer.isLoading}>
      <div class="row between">
        <h2>Checks</h2>
        {checks?.length === 0 ? null : (
          <div class="row wrap">
            <button type="button" onClick={() => setRun(run + 1)}>
              Run again
            </button>
            <CopyAsCurl run={(recorded) => recorded.createOrRunChecks({ action: 'run' })} />
          </div>
        )}
      </div>
      <Answered answer={answer} what="the checks">
        {(results) => <Results results={results} checks={checks} />}
      </Answered>
    </section>
  );
}

function Results({
  results: { passed, failed, results },
  checks,
}: ChecksPanelProps & {
  readonly results: Schemas['CheckResults'];
}) {
  if (passed + failed === 0) {
    return (
      <p>
        There are no checks. The <a href={linkTo('tester')}>rate tester</a> saves a cart as one, which then
        guards every promotion.
      </p>
    );
  }
  if (failed === 0) return <Notice kind="good">All {passed} checks pass.</Notice>;
  return (
    <>
      <Notice kind="bad">
        {failed} of {passed + failed} checks fail.
      </Notice>
      <LongList rows={results.filter((result) => !result.passed)} step={10}>
        {({ checkId, name, failures }) => {
          const check = checks?.find(({ id }) => id === checkId);
          return (
            <>
              <strong>{name}</strong>
              <ul class="lines">
                {failures.map(({ reason }, index) => (
                  <li key={index}>{reason}</li>
                ))}
              </ul>
              {check === undefined ? null : (
                <a data-row href={testerLink(check.request, { at: check.at ?? '', columns: 'live' })}>
                  Open its cart in the tester
                </a>
              )}
            </>
          );
        }}
      </LongList>
    </>
  );
}
