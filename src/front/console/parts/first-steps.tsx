/** What a shop without zones lacks before a cart gets a rate, with the way to make it. */
import { useSignedIn } from '../app-state.ts';
import { linkTo } from '../place.ts';
import { NEW } from './use-record.ts';

export function FirstSteps() {
  const { mayWrite } = useSignedIn();
  return (
    <p>
      The shop has no zone yet, so no cart gets a rate.
      {mayWrite ? (
        <>
          {' '}
          <a href={linkTo('zones', { open: NEW })}>Make the first zone</a> or{' '}
          <a href={linkTo('import')}>import a configuration</a>.
        </>
      ) : null}
    </p>
  );
}
