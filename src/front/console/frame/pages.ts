/** The pages of the console, in the order of work. A further page is a row here and a folder beside `tester/`. */
import IconArrowMerge from '@tabler/icons-react/icons/IconArrowMerge';
import IconBox from '@tabler/icons-react/icons/IconBox';
import IconChecks from '@tabler/icons-react/icons/IconChecks';
import IconFileImport from '@tabler/icons-react/icons/IconFileImport';
import IconHistory from '@tabler/icons-react/icons/IconHistory';
import IconLayoutDashboard from '@tabler/icons-react/icons/IconLayoutDashboard';
import IconMap2 from '@tabler/icons-react/icons/IconMap2';
import IconRocket from '@tabler/icons-react/icons/IconRocket';
import IconSettings from '@tabler/icons-react/icons/IconSettings';
import IconShoppingCartSearch from '@tabler/icons-react/icons/IconShoppingCartSearch';
import IconTruckDelivery from '@tabler/icons-react/icons/IconTruckDelivery';
import IconWorld from '@tabler/icons-react/icons/IconWorld';
import type { ComponentType } from 'react';
import { BlendsPage } from '../blends/blends-page.tsx';
import { ChangesetPage } from '../changeset/changeset-page.tsx';
import { ChecksPage } from '../checks/checks-page.tsx';
import { GroupsPage } from '../groups/groups-page.tsx';
import { HistoryPage } from '../history/history-page.tsx';
import { PriceMapPage } from '../map/price-map-page.tsx';
import { MethodsPage } from '../methods/methods-page.tsx';
import { OverviewPage } from '../overview/overview-page.tsx';
import { FIRST_PAGE } from '../place.ts';
import { SettingsPage } from '../settings/settings-page.tsx';
import { TesterPage } from '../tester/tester-page.tsx';
import { ImportPage } from '../transfer/import-page.tsx';
import { ZonesPage } from '../zones/zones-page.tsx';

export interface Page {
  readonly name: string;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  readonly component: ComponentType;
}

const FIRST: Page = {
  name: FIRST_PAGE,
  title: 'Overview',
  icon: IconLayoutDashboard,
  component: OverviewPage,
};

export const PAGE_GROUPS: readonly (readonly [title: string, pages: readonly Page[]])[] = [
  ['Watch', [FIRST, { name: 'map', title: 'Price map', icon: IconWorld, component: PriceMapPage }]],
  [
    'Test',
    [
      { name: 'tester', title: 'Rate tester', icon: IconShoppingCartSearch, component: TesterPage },
      { name: 'checks', title: 'Checks', icon: IconChecks, component: ChecksPage },
    ],
  ],
  [
    'Configure',
    [
      { name: 'methods', title: 'Methods', icon: IconTruckDelivery, component: MethodsPage },
      { name: 'zones', title: 'Zones', icon: IconMap2, component: ZonesPage },
      { name: 'groups', title: 'Product groups', icon: IconBox, component: GroupsPage },
      { name: 'blends', title: 'Blended rates', icon: IconArrowMerge, component: BlendsPage },
    ],
  ],
  [
    'Publish',
    [
      { name: 'changeset', title: 'Draft', icon: IconRocket, component: ChangesetPage },
      { name: 'history', title: 'History', icon: IconHistory, component: HistoryPage },
    ],
  ],
  [
    'Shop',
    [
      { name: 'import', title: 'Import and export', icon: IconFileImport, component: ImportPage },
      { name: 'settings', title: 'Settings', icon: IconSettings, component: SettingsPage },
    ],
  ],
];
export const PAGES = PAGE_GROUPS.flatMap(([, pages]) => pages);

/** The page of a place; the first where it names none. */
export const pageOf = (name: string): Page => PAGES.find((page) => page.name === name) ?? FIRST;
