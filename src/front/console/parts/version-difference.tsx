/** What turns one version into another, each named by its id, its number, or `live`. */
import { useSignedIn } from '../app-state.ts';
import { Difference } from './difference.tsx';
import { FailureNotice, Loading } from './notice.tsx';
import { useAnswer } from './use-answer.ts';

export function VersionDifference({ from, to }: { readonly from: string; readonly to: string }) {
  const { calls } = useSignedIn();
  const { value, failure, isLoading } = useAnswer(
    (signal) => calls.changeVersion({ action: 'compare', versionA: from, versionB: to }, { signal }),
    [from, to],
  );
  if (failure !== null) return <FailureNotice failure={failure} />;
  if (value === null) return <Loading what="the difference" />;
  return (
    <div aria-busy={isLoading}>
      <Difference difference={value} />
    </div>
  );
}
