/** The frame of a page: its title, what it is for in a sentence, and what is done on it most. */
import { ActionIcon, CloseButton, Group, Menu, Stack, Text, Title } from '@mantine/core';
import IconDots from '@tabler/icons-react/icons/IconDots';
import { type ReactNode, useEffect, useRef } from 'react';
import { useApp } from '../app-state.ts';

interface PageProps {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** The button of what is done most, and others before it. */
  readonly action?: ReactNode;
  /** Forms are read best in one column; lists and tables take what there is. */
  readonly width?: 'form' | 'full';
  /** It is read again. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export const Page = ({ title, description, action, width = 'full', isBusy = false, children }: PageProps) => (
  <Stack gap="md" aria-busy={isBusy} maw={width === 'form' ? '52rem' : undefined}>
    <Group justify="space-between" align="end" gap="xs">
      <div>
        <Title order={1}>{title}</Title>
        {description === undefined ? null : (
          <Text c="dimmed" size="md" maw="44rem">
            {description}
          </Text>
        )}
      </div>
      {action === undefined ? null : <Group gap="xs">{action}</Group>}
    </Group>
    {children}
  </Stack>
);

interface DetailHeadingProps {
  readonly title: string;
  /** The parameters of the place that open the detail, each "". */
  readonly closed?: Readonly<Record<string, ''>>;
  /** Of what is done seldom. */
  readonly menu?: ReactNode;
}

/** The heading of a detail beside a list, with its menu and the button that closes it. It is in view once it is opened. */
export function DetailHeading({ title, closed = { open: '' }, menu }: DetailHeadingProps) {
  const app = useApp();
  const heading = useRef<HTMLHeadingElement>(null);
  const { open } = app.place.value.parameters;
  // In a narrow window the detail stands below the list that it was opened from, in a wide one the list scrolls in itself.
  useEffect(() => {
    document.querySelector('[data-row][aria-current=true]')?.scrollIntoView({ block: 'nearest' });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <h2 ref={heading} className="two-lines" title={title}>
        {title}
      </h2>
      <Group wrap="nowrap" gap={4}>
        {menu}
        <CloseButton aria-label="Close the detail" onClick={() => app.set(closed, false)} />
      </Group>
    </Group>
  );
}

/** `children` are `Menu.Item`s; `label` is needed where a page has several menus. */
export const MoreMenu = ({ label = 'More', children }: { label?: string; children: ReactNode }) => (
  <Menu position="bottom-end" width={220}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={label}>
        <IconDots size={18} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
