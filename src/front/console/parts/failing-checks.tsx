/** Checks that fail, each with why. */
import type { Schemas } from '../../client/call-table.ts';
import { reasonText } from '../checks/check-words.ts';
import { linkTo } from '../place.ts';
import { LongList } from './rows.tsx';
import { useRateNames } from './use-rate-names.ts';

type Result = Pick<Schemas['CheckResult'], 'checkId' | 'name' | 'failures'>;

export function FailingChecks({ results }: { results: readonly Result[] }) {
  const nameOf = useRateNames(results.length > 0);
  return (
    <LongList rows={results} step={5} className="lines">
      {({ checkId, name, failures }) => (
        <>
          {checkId === null ? name : <a href={linkTo('checks', { open: checkId })}>{name}</a>}:{' '}
          {failures.map(({ reason }) => reasonText(reason, nameOf)).join(' ')}
        </>
      )}
    </LongList>
  );
}
