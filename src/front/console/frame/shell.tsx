/** What stands around every page: the bar with shop, search and menu, and the navigation. */
import {
  Anchor,
  AppShell,
  Badge,
  Box,
  Burger,
  Group,
  Kbd,
  NavLink,
  ScrollArea,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import IconTruckDelivery from '@tabler/icons-react/icons/IconTruckDelivery';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FIRST_PAGE, linkTo } from '../place.ts';
import { waitText } from '../service.ts';
import { useShortcuts } from '../use-shortcuts.ts';
import { changeCounts, counted } from '../words.ts';
import { PAGE_GROUPS, type Page } from './pages.ts';
import { Search } from './search.tsx';
import { UserMenu } from './user-menu.tsx';

export function Shell({ current, children }: { current: Page; children: ReactNode }) {
  const { shop } = useSignedIn();
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isHelp, setHelp] = useState(false);
  useShortcuts(() => setHelp(true));
  useEffect(() => {
    document.title = `${current.title} – ${shop.name} – Ratewright`;
    close();
  }, [current, shop]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      transitionDuration={0}
    >
      <Group component={AppShell.Header} className="top-bar" wrap="nowrap" gap="sm" px="md">
        <UnstyledButton className="skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to the content
        </UnstyledButton>
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label="Navigation" />
        <Anchor href={linkTo(FIRST_PAGE)} underline="never" flex="none" aria-label="Ratewright">
          <Brand />
        </Anchor>
        <ShopState />
        <Unsaved />
        <Search />
        <UserMenu onKeys={() => setHelp(true)} />
      </Group>
      <AppShell.Navbar aria-label="Pages" p="xs">
        <AppShell.Section grow component={ScrollArea} type="auto">
          {PAGE_GROUPS.map(([title, pages]) => (
            <div key={title}>
              <Text size="xs" c="dimmed" fw={500} px="sm" pt="sm" pb={4}>
                {title}
              </Text>
              {pages.map((page) => (
                <NavLink
                  key={page.name}
                  bdrs="sm"
                  py={4}
                  href={linkTo(page.name)}
                  label={page.title}
                  leftSection={<page.icon size={18} stroke={1.6} />}
                  active={page === current}
                  aria-current={page === current ? 'page' : undefined}
                />
              ))}
            </div>
          ))}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Banner />
        <Waiting />
        <div className="page">{children}</div>
      </AppShell.Main>
      {isHelp ? <KeysDialog onClose={() => setHelp(false)} /> : null}
    </AppShell>
  );
}

/** The shop, and whether what is saved is live. */
function ShopState() {
  const { changeset } = useApp();
  const { shop } = useSignedIn();
  return (
    <Group gap="xs" wrap="nowrap" className="shop" miw={0}>
      <Text span fw={500} truncate title={shop.name}>
        {shop.name}
      </Text>
      {changeset.value === null ? (
        <Badge variant="light" tt="none" fw={500} flex="none">
          Live
        </Badge>
      ) : (
        <Badge tt="none" fw={500} flex="none" bg="var(--warning-ground)" c="var(--warning)">
          Draft
        </Badge>
      )}
    </Group>
  );
}

/** Leads back to an edit that this page does not show. */
function Unsaved() {
  const app = useApp();
  const links = app.drafts.linksElsewhere(app.place.value);
  if (links.length === 0) return null;
  const text = counted(links.length, 'unsaved edit');
  return (
    <Anchor href={links[0]} className="unsaved" aria-label={text} title={text}>
      <IconPencil size={16} aria-hidden="true" />
      <span>{text}</span>
    </Anchor>
  );
}

function Banner() {
  const { changeset } = useApp();
  if (changeset.value === null) return null;
  return (
    <Box role="status" px="md" py="xs" bg="var(--warning-ground)" c="var(--warning)">
      A draft is open: what you save goes to it and is not live. So far{' '}
      {changeCounts(changeset.value.changes)}.{' '}
      <Anchor href={linkTo('changeset')} underline="always" c="inherit" inherit>
        Review and publish
      </Anchor>
    </Box>
  );
}

function Waiting() {
  const { value } = useApp().waiting;
  if (value === null) return null;
  return (
    <Box role="status" px="md" py="xs" bg="var(--warning-ground)" c="var(--warning)">
      {waitText(value)}
    </Box>
  );
}

/** The sign and the name of the product; the sign alone in a narrow window. */
export const Brand = () => (
  <Group gap="xs" wrap="nowrap">
    <IconTruckDelivery size={22} aria-hidden="true" />
    <Text span fw={700} visibleFrom="sm">
      Ratewright
    </Text>
  </Group>
);

const KEYS = [
  ['Ctrl K', 'Find a page, method, rule, zone, check or version'],
  ['/', 'Go to the search field of the page'],
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['Enter', 'Open the row, or save the form'],
  ['Alt ↑', 'Move the rule up, Alt ↓ down'],
  ['Escape', 'Leave a field, then close what is open'],
  ['?', 'These keys'],
] as const;

/** What the keys of the keyboard do. */
const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <Table>
      <Table.Tbody>
        {KEYS.map(([key, text]) => (
          <Table.Tr key={key}>
            <Table.Td w="6rem">
              <Kbd>{key}</Kbd>
            </Table.Td>
            <Table.Td>{text}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Dialog>
);
