/**
 * The rules of a method in their order: each opens into its fields, and moves by drag, by its buttons, or with Alt and an
 * arrow key.
 */
import { Button } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { FieldErrors } from '../parts/field.tsx';
import { newId } from '../parts/merged-draft.ts';
import { firstUnreadable, refusedText } from '../parts/number-field.tsx';
import { ruleSentence } from '../rule-words.ts';
import { type Named, namesIn } from './condition-fields.tsx';
import type { Vocabulary } from './condition-words.ts';
import type { RuleDraft } from './method-kind.ts';
import { RuleFields } from './rule-fields.tsx';
import { RuleHead } from './rule-head.tsx';

interface RulesEditorProps {
  readonly rules: readonly RuleDraft[];
  readonly vocabulary: Vocabulary;
  readonly named: Named;
  readonly onRules: (rules: readonly RuleDraft[]) => void;
}

const newRule = (): RuleDraft => ({
  id: newId(),
  name: '',
  action: '',
  conditions: [],
  adjustmentValue: null,
  adjustmentType: 'flat',
  enabled: true,
});

export function RulesEditor({ rules, vocabulary, named, onRules }: RulesEditorProps) {
  const app = useApp();
  const { mayWrite, shop } = useSignedIn();
  const context = useMemo(() => ({ currency: shop.currency, nameOf: namesIn(named) }), [shop, named]);
  const errors = useContext(FieldErrors);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [dragged, setDragged] = useState<string | null>(null);
  const toggle = (id: string, card: HTMLElement | null): void => {
    // A closed rule has no fields: a text that is no value would be lost.
    const unreadable = card === null ? null : firstUnreadable(card);
    if (unreadable !== null) {
      unreadable.focus();
      app.refuse(refusedText('closed', unreadable));
      return;
    }
    setOpen(new Set(open.has(id) ? [...open].filter((other) => other !== id) : [...open, id]));
  };
  const moving = useRef<Element | null>(null);
  // An element that is moved in the page loses the focus; it gets it back before the next key.
  useLayoutEffect(() => {
    if (moving.current instanceof HTMLElement) moving.current.focus();
    moving.current = null;
  }, [rules]);
  const move = (id: string, to: number): void => {
    const rule = rules.find((each) => each.id === id);
    if (rule === undefined || to < 0 || to >= rules.length || rules[to] === rule) return;
    moving.current = document.activeElement;
    onRules(rules.filter((each) => each !== rule).toSpliced(to, 0, rule));
    app.say(`Rule ${rules.indexOf(rule) + 1} is now ${to + 1} of ${rules.length}`);
  };
  const add = (rule = newRule(), place = rules.length): void => {
    onRules(rules.toSpliced(place, 0, rule));
    setOpen(new Set([...open, rule.id]));
  };
  return (
    <fieldset>
      <legend className="only-read">Rules</legend>
      <p className="hint">
        From first to last, each on the price that the one before left.
        {mayWrite ? ' Drag a rule, or move it with Alt and an arrow key.' : ''}
      </p>
      {rules.length === 0 ? (
        <p className="quiet">No rules: the method is always shown, at its own price.</p>
      ) : null}
      <ol className="lines stack rules">
        {rules.map((rule, index) => {
          const path = `/rules/${rule.id}`;
          const isOpen =
            // A key that may only read has no buttons, so that all rules are open.
            !mayWrite ||
            open.has(rule.id) ||
            rule.action === '' ||
            [...errors.keys()].some((error) => error.startsWith(`${path}/`));
          return (
            <li
              key={rule.id}
              className={rule.id === dragged ? 'dragged' : ''}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                move(dragged, index);
              }}
              onDrop={(event) => event.preventDefault()}
            >
              <RuleHead
                rule={rule}
                sentence={ruleSentence(rule, context)}
                index={index}
                count={rules.length}
                isOpen={isOpen}
                onToggle={(card) => toggle(rule.id, card)}
                onMove={(to) => move(rule.id, to)}
                onCopy={() => add({ ...rule, id: newId() }, index + 1)}
                onRemove={() => onRules(rules.filter((other) => other !== rule))}
                onDrag={(isDragged) => setDragged(isDragged ? rule.id : null)}
              />
              {isOpen ? (
                <RuleFields
                  rule={rule}
                  index={index}
                  path={path}
                  isShownLater={rules
                    .slice(index + 1)
                    .some(({ action, enabled }) => action === 'show' && enabled)}
                  vocabulary={vocabulary}
                  named={named}
                  onRule={(changed) => onRules(rules.map((other) => (other === rule ? changed : other)))}
                />
              ) : null}
            </li>
          );
        })}
      </ol>
      <div className="row">
        <Button leftSection={<IconPlus size={16} />} onClick={() => add()}>
          Add a rule
        </Button>
      </div>
    </fieldset>
  );
}
