/** The fields of a rule: its action with its amount, and its conditions. */
import { Button } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { CheckField, ChoiceField, fieldOf, TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { CountField, MoneyField } from '../parts/number-field.tsx';
import { actionText } from '../rule-words.ts';
import { ConditionFields, type Named } from './condition-fields.tsx';
import { firstCondition, type Vocabulary } from './condition-words.ts';
import type { RuleDraft } from './method-kind.ts';

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  readonly index: number;
  readonly path: string;
  /** A later rule shows what this one hides. */
  readonly isShownLater: boolean;
  readonly vocabulary: Vocabulary;
  readonly named: Named;
  readonly onRule: (rule: RuleDraft) => void;
}

const AMOUNTS = [
  ['flat', 'an amount'],
  ['percentage', 'a percentage'],
] as const;

export function RuleFields(props: RuleFieldsProps) {
  const { rule, index, path, isShownLater, vocabulary, named, onRule } = props;
  const set = (fields: Partial<RuleDraft>): void => onRule({ ...rule, ...fields });
  const field = fieldOf(rule, set, path);
  const { conditions, adjustmentType } = rule;
  const amount = { ...field('adjustmentValue'), isOptional: true, isRequired: true } as const;
  const types = vocabulary.actions.find(({ name }) => name === rule.action)?.adjustmentTypes ?? [];
  return (
    <div className="stack rule-body">
      <div className="fields">
        <ChoiceField
          {...field('action')}
          isRequired
          options={[
            ...(rule.action === '' ? [['', 'Choose what it does'] as const] : []),
            ...vocabulary.actions.map(({ name }) => [name, actionText(name)] as const),
          ]}
        />
        {types.length === 0 ? null : (
          <>
            <ChoiceField
              path={`${path}/adjustmentType`}
              value={adjustmentType ?? 'flat'}
              options={AMOUNTS.filter(([name]) => types.includes(name))}
              onValue={(type) => set({ adjustmentType: type, adjustmentValue: null })}
            />
            {adjustmentType === 'percentage' ? (
              <CountField key="percentage" {...amount} label="Percentage (%)" />
            ) : (
              <MoneyField key="flat" {...amount} />
            )}
          </>
        )}
      </div>
      {rule.action === 'hide' && rule.enabled && conditions.length === 0 ? (
        <Notice kind="warning">
          Without a condition it hides the method from every customer
          {isShownLater ? ' whom no later rule shows it to' : ''}.
        </Notice>
      ) : (
        <p className="hint">
          {conditions.length === 0
            ? 'Without a condition it applies to every cart.'
            : 'Applies when all of these hold.'}
        </p>
      )}
      {conditions.map((condition, at) => (
        <ConditionFields
          // Conditions have no identity but their place.
          key={at}
          title={`Rule ${index + 1}, condition ${at + 1}`}
          path={`${path}/conditions/${at}`}
          condition={condition}
          vocabulary={vocabulary}
          named={named}
          onCondition={(changed) => set({ conditions: conditions.with(at, changed) })}
          onRemove={() => set({ conditions: conditions.toSpliced(at, 1) })}
        />
      ))}
      <div className="row between wrap">
        <Button
          leftSection={<IconPlus size={16} />}
          onClick={() => set({ conditions: [...conditions, firstCondition(vocabulary)] })}
        >
          Add a condition
        </Button>
        <CheckField {...field('enabled')} />
      </div>
      <TextField {...field('name')} placeholder="Why this rule exists" />
    </div>
  );
}
