/** Signing in with an API key: alone on the page, or over it when the key is no longer accepted. */
import { useState } from 'preact/hooks';
import type { CallFailure } from '../client/call-outcome.ts';
import { useApp } from './app-state.ts';
import { Dialog } from './parts/dialog.tsx';
import { TextField } from './parts/field.tsx';
import { FailureNotice, Notice } from './parts/notice.tsx';

interface SignInProps {
  readonly isAgain?: boolean;
  /** Why the key of the tab did not sign in. */
  readonly failure?: CallFailure | null;
}

export function SignIn({ isAgain = false, failure = null }: SignInProps) {
  const app = useApp();
  if (!isAgain) {
    return (
      <main class="sign-in panel stack">
        <h1>Ratewright console</h1>
        <KeyForm first={failure} />
      </main>
    );
  }
  return (
    <Dialog title="Sign in again" onClose={() => (app.isKeyRefused.value = false)}>
      <Notice kind="warning">The key is no longer accepted. What you typed is still there.</Notice>
      <KeyForm first={null} />
    </Dialog>
  );
}

function KeyForm({ first }: { readonly first: CallFailure | null }) {
  const app = useApp();
  // A key that could not be checked stays in the field for another try.
  const kept = first === null || first.code === 'UNAUTHORIZED' ? null : app.storedKey;
  const [secret, setSecret] = useState(kept ?? '');
  const [failure, setFailure] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    // No key has other characters: a copied text may have spaces or invisible ones, which no header carries.
    setFailure(await app.signIn(secret.replaceAll(/[^!-~]/g, '')));
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <TextField
        label="API key"
        type="password"
        value={secret}
        onValue={setSecret}
        hint="The server prints one at its first start. It stays in this tab and is never part of a link."
      />
      {failure?.code === 'UNAUTHORIZED' ? (
        <Notice kind="bad">This key is not known. Check that all of it was copied.</Notice>
      ) : (
        <FailureNotice failure={failure} />
      )}
      <button type="submit" class="primary" aria-busy={isBusy}>
        Sign in
      </button>
    </form>
  );
}
