/** The menu of the reader: the key, how the console looks, the developer view, keys, and signing out. */
import { Button, Menu, Text, useMantineColorScheme } from '@mantine/core';
import IconBook from '@tabler/icons-react/icons/IconBook';
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconCode from '@tabler/icons-react/icons/IconCode';
import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop';
import IconKeyboard from '@tabler/icons-react/icons/IconKeyboard';
import IconLogout from '@tabler/icons-react/icons/IconLogout';
import IconMoon from '@tabler/icons-react/icons/IconMoon';
import IconSun from '@tabler/icons-react/icons/IconSun';
import IconUserCircle from '@tabler/icons-react/icons/IconUserCircle';
import { useState } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { PERMISSIONS } from '../labels.ts';
import { Question } from '../parts/dialog.tsx';
import { basePath } from '../service.ts';
import { counted } from '../words.ts';

const THEMES = [
  ['auto', 'Theme of the system', IconDeviceDesktop],
  ['light', 'Light theme', IconSun],
  ['dark', 'Dark theme', IconMoon],
] as const;

export function UserMenu({ onKeys }: { onKeys: () => void }) {
  const app = useApp();
  const { key } = useSignedIn();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const chosen = <IconCheck size={16} />;
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            aria-label={`Account: ${key.label}`}
            leftSection={<IconUserCircle size={20} stroke={1.6} />}
          >
            <Text span visibleFrom="sm">
              {key.label}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {app.operator.value === null
              ? `Key “${key.label}”, ${PERMISSIONS[key.permission]}`
              : 'Operator, may do everything'}
          </Menu.Label>
          {app.operator.value === null ? null : (
            <Menu.Item leftSection={<IconBuildingStore size={16} />} onClick={() => app.leaveShop()}>
              Other shops
            </Menu.Item>
          )}
          <Menu.Divider />
          {THEMES.map(([scheme, text, Icon]) => (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={16} />}
              rightSection={colorScheme === scheme ? chosen : null}
              aria-current={colorScheme === scheme}
              closeMenuOnClick={false}
              onClick={() => setColorScheme(scheme)}
            >
              {text}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconCode size={16} />}
            rightSection={app.isDeveloper.value ? chosen : null}
            aria-current={app.isDeveloper.value}
            onClick={() => app.toggleDeveloper()}
          >
            Developer view
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onKeys}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item leftSection={<IconBook size={16} />} component="a" href={`${basePath()}/docs`}>
            API reference
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() => (app.drafts.size > 0 ? setAsked(true) : app.signOut())}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsked ? (
        <Question
          title="Sign out?"
          action="Sign out"
          keep="Stay"
          isBusy={false}
          onAction={() => app.signOut()}
          onClose={() => setAsked(false)}
        >
          <p>
            {counted(app.drafts.size, 'unsaved edit')}: kept in this tab until you sign in to this shop again,
            lost when the page is loaded again.
          </p>
        </Question>
      ) : null}
    </>
  );
}
