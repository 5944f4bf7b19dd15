/** The line of a rule: its handle, what it does in one sentence, and the menu that moves and removes it. */
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown';
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconDots from '@tabler/icons-react/icons/IconDots';
import IconGripVertical from '@tabler/icons-react/icons/IconGripVertical';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import type { RuleDraft } from './method-kind.ts';

interface RuleHeadProps {
  readonly rule: RuleDraft;
  /** What it does and when. */
  readonly sentence: string;
  readonly index: number;
  readonly count: number;
  readonly isOpen: boolean;
  /** Called with the element of the rule. */
  readonly onToggle: (card: HTMLElement | null) => void;
  readonly onMove: (to: number) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
  readonly onDrag: (isDragged: boolean) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

export function RuleHead({ rule, sentence, index, count, isOpen, ...on }: RuleHeadProps) {
  return (
    <div className="rule-head">
      <span
        className="handle"
        aria-hidden="true"
        draggable
        onDragStart={(event) => {
          const card = event.currentTarget.closest('li');
          if (card !== null) event.dataTransfer?.setDragImage(card, 8, 8);
          on.onDrag(true);
        }}
        onDragEnd={() => on.onDrag(false)}
      >
        <IconGripVertical size={16} />
      </span>
      <UnstyledButton
        className="rule-name"
        aria-expanded={isOpen}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onClick={({ currentTarget }) => on.onToggle(currentTarget.closest('li'))}
        onKeyDown={(event) => {
          const step = event.altKey ? STEPS[event.key] : undefined;
          if (step === undefined) return;
          event.preventDefault();
          on.onMove(index + step);
        }}
      >
        {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        <span>
          <span className="quiet">{index + 1}.</span> <strong>{sentence}</strong>
          {rule.enabled ? null : <span className="badge">off</span>}
          {rule.name === '' ? null : <span className="description">{rule.name}</span>}
        </span>
      </UnstyledButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More of rule ${index + 1}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {index === 0 ? null : (
            <Menu.Item leftSection={<IconArrowUp size={16} />} onClick={() => on.onMove(index - 1)}>
              Move up
            </Menu.Item>
          )}
          {index === count - 1 ? null : (
            <Menu.Item leftSection={<IconArrowDown size={16} />} onClick={() => on.onMove(index + 1)}>
              Move down
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={on.onCopy}>
            Copy
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={on.onRemove}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
