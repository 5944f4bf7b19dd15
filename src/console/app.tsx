/** The frame of all pages: navigation, the banner of a changeset, and signing in. */
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from './app-state.ts';
import { BlendsPage } from './blends/blends-page.tsx';
import { ChangesetPage } from './changeset/changeset-page.tsx';
import { ChecksPage } from './checks/checks-page.tsx';
import { GroupsPage } from './groups/groups-page.tsx';
import { HistoryPage } from './history/history-page.tsx';
import { MethodsPage } from './methods/methods-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { formatPlace } from './place.ts';
import { SettingsPage } from './settings/settings-page.tsx';
import { SignIn } from './sign-in.tsx';
import { TesterPage } from './tester/tester-page.tsx';
import { ImportPage } from './transfer/import-page.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { ZonesPage } from './zones/zones-page.tsx';

interface Page {
  readonly name: string;
  readonly title: string;
  readonly component: ComponentType;
}

/** The first is shown where the address names none. */
const PAGES: readonly [Page, ...Page[]] = [
  { name: 'tester', title: 'Rate tester', component: TesterPage },
  { name: 'overview', title: 'Overview', component: OverviewPage },
  { name: 'methods', title: 'Methods', component: MethodsPage },
  { name: 'zones', title: 'Zones', component: ZonesPage },
  { name: 'groups', title: 'Product groups', component: GroupsPage },
  { name: 'blends', title: 'Blended rates', component: BlendsPage },
  { name: 'checks', title: 'Checks', component: ChecksPage },
  { name: 'changeset', title: 'Changeset', component: ChangesetPage },
  { name: 'history', title: 'History', component: HistoryPage },
  { name: 'import', title: 'Import and export', component: ImportPage },
  { name: 'settings', title: 'Settings', component: SettingsPage },
];

export function App() {
  const app = useApp();
  const [isStarting, setStarting] = useState(app.storedKey !== null);
  useEffect(() => {
    const stored = app.storedKey;
    if (stored !== null) app.signIn(stored).finally(() => setStarting(false));
  }, []);
  useShortcuts();
  if (isStarting) return <p class="starting quiet">Loading the console…</p>;
  if (app.signedIn.value === null) return <SignIn />;
  const page = PAGES.find(({ name }) => name === app.place.value.page) ?? PAGES[0];
  return (
    <>
      <Header current={page} />
      <Banner />
      <main id="main" tabIndex={-1}>
        <page.component key={page.name} />
      </main>
      <p class="toast" role="status">
        {app.message.value}
      </p>
      {app.isKeyRefused.value ? <SignIn isAgain /> : null}
    </>
  );
}

function Header({ current }: { readonly current: Page }) {
  const app = useApp();
  const signedIn = app.signedIn.value;
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow window the pages are one row that scrolls.
    navigation.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
    document.title = `${current.title} – ${signedIn?.shop.name ?? ''} – Ratewright`;
  }, [current, signedIn]);
  return (
    <header class="top">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <strong class="brand">Ratewright</strong>
      <nav aria-label="Pages" ref={navigation}>
        {PAGES.map((page) => (
          <a
            key={page.name}
            href={formatPlace({ page: page.name, parameters: {} })}
            aria-current={page === current ? 'page' : undefined}
          >
            {page.title}
          </a>
        ))}
      </nav>
      <div class="account">
        <span>{signedIn?.shop.name}</span>
        <span class="badge" title="What this key may do">
          {signedIn?.key.permission}
        </span>
        <button type="button" class="plain" onClick={() => app.signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}

function Banner() {
  const { changeset } = useApp();
  if (changeset.value === null) return null;
  const { added, modified, removed } = changeset.value.changes;
  return (
    <div class="banner" role="status">
      A changeset is active: what you save goes to it and is not live. So far {added} added, {modified}{' '}
      changed, {removed} removed.
    </div>
  );
}
