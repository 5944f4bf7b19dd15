/** The line of a rule: its handle, what it does in one sentence, and the buttons that move and remove it. */
import { useSignedIn } from '../app-state.ts';
import { conditionText } from '../words.ts';
import type { RuleDraft } from './method-kind.ts';
import { actionSentence } from './rule-fields.tsx';

interface RuleHeadProps {
  readonly rule: RuleDraft;
  readonly index: number;
  readonly count: number;
  readonly isOpen: boolean;
  /** Called with the element of the rule. */
  readonly onToggle: (card: HTMLElement | null) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  readonly onDrag: (isDragged: boolean) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

export function RuleHead({ rule, index, count, isOpen, onToggle, onMove, onRemove, onDrag }: RuleHeadProps) {
  const { currency } = useSignedIn().shop;
  const conditions = rule.conditions.map((condition) => conditionText(condition, currency));
  const button = (sign: string, label: string, act: () => void) => (
    <button type="button" class="plain" aria-label={`${label} rule ${index + 1}`} onClick={act}>
      {sign}
    </button>
  );
  return (
    <div class="rule-head">
      <span
        class="handle"
        aria-hidden="true"
        draggable
        onDragStart={(event) => {
          const card = event.currentTarget.closest('li');
          if (card !== null) event.dataTransfer?.setDragImage(card, 8, 8);
          onDrag(true);
        }}
        onDragEnd={() => onDrag(false)}
      >
        ⠿
      </span>
      <button
        type="button"
        class="plain rule-name"
        aria-expanded={isOpen}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onClick={({ currentTarget }) => onToggle(currentTarget.closest('li'))}
        onKeyDown={(event) => {
          const step = event.altKey ? STEPS[event.key] : undefined;
          if (step === undefined) return;
          event.preventDefault();
          onMove(index + step);
        }}
      >
        <span>
          {index + 1}. <strong>{actionSentence(rule, currency)}</strong> {rule.name}
          {rule.enabled ? null : <span class="badge">off</span>}
        </span>
        <span class="description">
          {conditions.length === 0 ? 'always' : `if ${conditions.join(' and ')}`}
        </span>
      </button>
      <div class="row tight">
        {index === 0 ? null : button('↑', 'Move up', () => onMove(index - 1))}
        {index === count - 1 ? null : button('↓', 'Move down', () => onMove(index + 1))}
        {button('✕', 'Remove', onRemove)}
      </div>
    </div>
  );
}
