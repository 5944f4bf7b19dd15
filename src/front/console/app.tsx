/** The frame of all pages: navigation, the banner of a changeset, and signing in. */
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import type { CallFailure } from '../client/call-outcome.ts';
import { type SignedIn, useApp } from './app-state.ts';
import { BlendsPage } from './blends/blends-page.tsx';
import { ChangesetPage } from './changeset/changeset-page.tsx';
import { ChecksPage } from './checks/checks-page.tsx';
import { GroupsPage } from './groups/groups-page.tsx';
import { HistoryPage } from './history/history-page.tsx';
import { MethodsPage } from './methods/methods-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { changeCounts } from './parts/change-counts.ts';
import { Notice } from './parts/notice.tsx';
import { Toast } from './parts/toast.tsx';
import { FIRST_PAGE, linkTo } from './place.ts';
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

const FIRST: Page = { name: FIRST_PAGE, title: 'Rate tester', component: TesterPage };
/** In the order of work: inspect, edit, publish. */
const GROUPS: readonly (readonly [title: string, pages: readonly Page[]])[] = [
  ['Inspect', [FIRST, { name: 'overview', title: 'Overview', component: OverviewPage }]],
  [
    'Prices',
    [
      { name: 'methods', title: 'Methods', component: MethodsPage },
      { name: 'zones', title: 'Zones', component: ZonesPage },
      { name: 'groups', title: 'Product groups', component: GroupsPage },
      { name: 'blends', title: 'Blended rates', component: BlendsPage },
      { name: 'checks', title: 'Checks', component: ChecksPage },
    ],
  ],
  [
    'Publish',
    [
      { name: 'changeset', title: 'Changeset', component: ChangesetPage },
      { name: 'history', title: 'History', component: HistoryPage },
    ],
  ],
  [
    'Shop',
    [
      { name: 'import', title: 'Import and export', component: ImportPage },
      { name: 'settings', title: 'Settings', component: SettingsPage },
    ],
  ],
];
const PAGES = GROUPS.flatMap(([, pages]) => pages);

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
  useShortcuts();
  if (isStarting) return <p class="starting quiet">Loading the console…</p>;
  const signedIn = app.signedIn.value;
  if (signedIn === null) return <SignIn failure={stored === null ? null : failure} />;
  const page = PAGES.find(({ name }) => name === app.place.value.page) ?? FIRST;
  return (
    <>
      {/* By shop, so that nothing of one shop stays when the key of another is given. */}
      <div class="frame" key={signedIn.shop.id}>
        <Header current={page} signedIn={signedIn} />
        <Navigation current={page} />
        <div class="content">
          <Banner />
          <main id="main" tabIndex={-1}>
            <ShownPage key={page.name} page={page} />
          </main>
        </div>
      </div>
      <Toast />
      {app.isKeyRefused.value ? <SignIn isAgain /> : null}
    </>
  );
}

/** A page that fails, such as on an answer that it does not know, leaves the others usable. */
function ShownPage({ page }: { readonly page: Page }) {
  const [error] = useErrorBoundary((failure) => reportError(failure));
  if (error === undefined) return <page.component />;
  return (
    <Notice kind="bad">This page cannot be shown: {String(error)}. Load it again, or open another.</Notice>
  );
}

interface HeaderProps {
  readonly current: Page;
  readonly signedIn: SignedIn;
}

function Header({ current, signedIn: { key, shop } }: HeaderProps) {
  const app = useApp();
  useEffect(() => {
    document.title = `${current.title} – ${shop.name} – Ratewright`;
  }, [current, shop]);
  return (
    <header class="top">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <strong class="brand">Ratewright</strong>
      <div class="row account">
        <span class="shop" title={shop.name}>
          {shop.name}
        </span>
        <span class="badge" title="What this key may do">
          {key.permission}
        </span>
        <button type="button" class="plain" onClick={() => app.signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}

/** A bar at the side; in a narrow window one row that scrolls. */
function Navigation({ current }: { readonly current: Page }) {
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    navigation.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav class="pages" aria-label="Pages" ref={navigation}>
      {GROUPS.map(([title, pages]) => (
        <div key={title} class="group">
          <span id={`pages-${title}`} class="group-title">
            {title}
          </span>
          <ul aria-labelledby={`pages-${title}`}>
            {pages.map((page) => (
              <li key={page.name}>
                <a href={linkTo(page.name)} aria-current={page === current ? 'page' : undefined}>
                  {page.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Banner() {
  const { changeset } = useApp();
  if (changeset.value === null) return null;
  return (
    <div class="banner" role="status">
      A changeset is active: what you save goes to it and is not live. So far{' '}
      {changeCounts(changeset.value.changes)}.
    </div>
  );
}
