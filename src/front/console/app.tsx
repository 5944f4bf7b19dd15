/** Signing in, then the frame with the page of the place. */
import { Center } from '@mantine/core';
import { Component, type ReactNode, useEffect, useState } from 'react';
import type { CallFailure } from '../client/call-outcome.ts';
import { useApp } from './app-state.ts';
import { type Page, pageOf } from './frame/pages.ts';
import { Shell } from './frame/shell.tsx';
import { Notice } from './parts/notice.tsx';
import { waitText } from './service.ts';
import { ShopsPage } from './shops/shops-page.tsx';
import { SignIn } from './sign-in.tsx';

export function App() {
  const app = useApp();
  const stored = app.storedKey;
  const [isStarting, setStarting] = useState(stored !== null);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  useEffect(() => {
    if (stored !== null)
      app
        .signIn(stored)
        .then(setFailure)
        .finally(() => setStarting(false));
  }, []);
  const signedIn = app.signedIn.value;
  // Why a kept key did not sign in is no news after another one did.
  useEffect(() => {
    if (signedIn !== null) setFailure(null);
  }, [signedIn]);
  const waiting = app.waiting.value;
  if (isStarting)
    return (
      <Center h="60vh" p="md">
        {waiting === null ? 'Loading the console…' : waitText(waiting)}
      </Center>
    );
  if (signedIn === null && app.operator.value === null) return <SignIn failure={failure} />;
  const again = app.isKeyRefused.value ? <SignIn isAgain /> : null;
  if (signedIn === null)
    return (
      <>
        <ShopsPage />
        {again}
      </>
    );
  const page = pageOf(app.place.value.page);
  return (
    <>
      {/* By shop, so that nothing of one shop stays when the key of another is given. */}
      <Shell key={signedIn.shop.id} current={page}>
        <ShownPage key={page.name} page={page} />
      </Shell>
      {again}
    </>
  );
}

/** A page that fails, such as on an answer that it does not know, leaves the others usable. */
class ShownPage extends Component<{ readonly page: Page }, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return <this.props.page.component />;
    return (
      <Notice kind="bad">This page cannot be shown: {String(error)}. Load it again, or open another.</Notice>
    );
  }
}
