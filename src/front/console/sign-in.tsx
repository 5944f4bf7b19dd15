/** Signing in with an API key: alone on the page, or over it when the key is no longer accepted. */
import { Button, Code, Container, Group, Paper, Stack, Text, Title } from '@mantine/core';
import IconTruckDelivery from '@tabler/icons-react/icons/IconTruckDelivery';
import { type FormEvent, useState } from 'react';
import type { CallFailure } from '../client/call-outcome.ts';
import { useApp } from './app-state.ts';
import { Dialog } from './parts/dialog.tsx';
import { TextField } from './parts/field.tsx';
import { FailureNotice, Notice } from './parts/notice.tsx';

interface SignInProps {
  readonly isAgain?: boolean;
  /** Why the key that was kept did not sign in. */
  readonly failure?: CallFailure | null;
}

export function SignIn({ isAgain = false, failure = null }: SignInProps) {
  const app = useApp();
  if (!isAgain) {
    return (
      <Container component="main" size="30rem" pt="10vh">
        <Paper withBorder p="xl" shadow="xs">
          <Stack gap="md">
            <Group gap="xs">
              <IconTruckDelivery size={26} color="var(--accent)" aria-hidden="true" />
              <Title order={1}>Ratewright console</Title>
            </Group>
            <KeyForm first={failure} />
            <WhatIsAKey />
          </Stack>
        </Paper>
      </Container>
    );
  }
  return (
    <Dialog title="Sign in again" onClose={() => (app.isKeyRefused.value = false)}>
      <Notice kind="warning">The key is no longer accepted. What you typed is still there.</Notice>
      <KeyForm first={null} />
    </Dialog>
  );
}

/** What is typed above, for who has none. */
const WhatIsAKey = () => (
  <Stack gap="xs" component="section" aria-label="What is a key?">
    <Title order={2} size="h3">
      What is a key?
    </Title>
    <Text size="sm" c="dimmed">
      A key opens one shop, and says what may be done there: read, change prices, or everything. You get one
      from whoever runs Ratewright for you, or from a colleague with an admin key, under Settings, Keys.
    </Text>
    <Text size="sm" c="dimmed">
      You run it yourself? Sign in with the operator’s key, the value of <Code>RATEWRIGHT_OPERATOR_KEY</Code>:
      it opens all shops and makes new ones. For a single shop{' '}
      <Code>ratewright key create --shop SHOP --label NAME</Code> makes a key.
    </Text>
  </Stack>
);

function KeyForm({ first }: { first: CallFailure | null }) {
  const app = useApp();
  // A key that could not be checked stays in the field for another try.
  const kept = first === null || first.code === 'UNAUTHORIZED' ? null : app.storedKey;
  const [secret, setSecret] = useState(kept ?? '');
  const [failure, setFailure] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    // No key has other characters: a copied text may have spaces or invisible ones, which no header carries.
    setFailure(await app.signIn(secret.replaceAll(/[^!-~]/g, '')));
    setBusy(false);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="API key"
        type="password"
        value={secret}
        onValue={setSecret}
        hint="Of a shop, or of the operator. A shop’s key is kept in this browser until you sign out, at most a day; an operator’s in this tab only. Neither is ever part of a link."
      />
      {failure?.code === 'UNAUTHORIZED' ? (
        <Notice kind="bad">This key is not known. Check that all of it was copied.</Notice>
      ) : failure?.code === 'FORBIDDEN' ? (
        <Notice kind="bad">
          This key may only ask for rates, as a checkout does. The console needs a key that may read.
        </Notice>
      ) : (
        <FailureNotice failure={failure} />
      )}
      <Button variant="filled" type="submit" aria-busy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
