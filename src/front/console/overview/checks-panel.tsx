/** The results of all checks: which fail, why, and a link to the tester with the cart of each. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { reasonText } from '../checks/check-words.ts';
import { checksText } from '../parts/checks-sentence.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Answered, Notice } from '../parts/notice.tsx';
import { LongList } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRateNames } from '../parts/use-rate-names.ts';
import { linkTo, testerLink } from '../place.ts';

interface ChecksPanelProps {
  readonly checks: readonly Schemas['Check'][] | null;
}

export function ChecksPanel({ checks }: ChecksPanelProps) {
  const { calls } = useSignedIn();
  const [run, setRun] = useState(0);
  const answer = useAnswer((signal) => calls.createOrRunChecks({ action: 'run' }, { signal }), [run]);
  return (
    <section className="panel stack" aria-label="Checks" aria-busy={answer.isLoading}>
      <div className="row between">
        <h2>Checks</h2>
        {checks?.length === 0 ? null : (
          <div className="row wrap">
            <Button onClick={() => setRun(run + 1)}>Run again</Button>
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
  const nameOf = useRateNames(failed > 0);
  if (passed + failed === 0) {
    return (
      <p>
        There are no checks. The <a href={linkTo('tester')}>rate tester</a> saves a cart as one, which then
        runs before each draft is published.
      </p>
    );
  }
  if (failed === 0) return <Notice kind="good">{checksText({ passed, failed })}.</Notice>;
  return (
    <>
      <Notice kind="bad">{checksText({ passed, failed })}.</Notice>
      <LongList rows={results.filter((result) => !result.passed)} step={10}>
        {({ checkId, name, failures }) => {
          const check = checks?.find(({ id }) => id === checkId);
          return (
            <>
              {checkId === null ? name : <a href={linkTo('checks', { open: checkId })}>{name}</a>}
              <ul className="lines">
                {failures.map(({ reason }, index) => (
                  <li key={index}>{reasonText(reason, nameOf)}</li>
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
