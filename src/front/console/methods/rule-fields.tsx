/** The fields of a rule: its action with its amount, and its conditions. */
import { formatMoney } from '../amounts.ts';
import { CheckField, ChoiceField, CountField, fieldOf, MoneyField, TextField } from '../parts/field.tsx';
import { actionText } from '../words.ts';
import { ConditionFields, type Named } from './condition-fields.tsx';
import { firstCondition, type Vocabulary } from './condition-words.ts';
import { isAdjusting, type RuleDraft } from './method-kind.ts';

/** What the rule does, with its amount: `Add $3.00`. */
export function actionSentence(
  { action, adjustmentType, adjustmentValue }: RuleDraft,
  currency: string,
): string {
  const text = actionText(action);
  if (!isAdjusting(action) || adjustmentValue === null) return text;
  return `${text} ${adjustmentType === 'percentage' ? `${adjustmentValue} %` : formatMoney(adjustmentValue, currency)}`;
}

export const ruleTitle = ({ name, action }: RuleDraft): string => (name === '' ? actionText(action) : name);

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  readonly index: number;
  readonly path: string;
  readonly vocabulary: Vocabulary;
  readonly named: Named;
  readonly onRule: (rule: RuleDraft) => void;
}

const AMOUNTS = [
  ['flat', 'an amount'],
  ['percentage', 'a percentage'],
] as const;

export function RuleFields({ rule, index, path, vocabulary, named, onRule }: RuleFieldsProps) {
  const set = (fields: Partial<RuleDraft>): void => onRule({ ...rule, ...fields });
  const field = fieldOf(rule, set, path);
  const { conditions, adjustmentType } = rule;
  const amount = { ...field('adjustmentValue'), isOptional: true } as const;
  const types = vocabulary.actions.find(({ name }) => name === rule.action)?.adjustmentTypes ?? [];
  return (
    <div class="stack rule-body">
      <div class="fields">
        <ChoiceField
          {...field('action')}
          options={vocabulary.actions.map(({ name }) => [name, actionText(name)])}
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
        <TextField {...field('name')} />
      </div>
      <p class="hint">
        {conditions.length === 0
          ? 'Without a condition it always applies.'
          : 'Applies when all of these hold. Commas separate alternatives.'}
      </p>
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
      <div class="row between wrap">
        <button
          type="button"
          onClick={() => set({ conditions: [...conditions, firstCondition(vocabulary)] })}
        >
          Add a condition
        </button>
        <CheckField {...field('enabled')} />
      </div>
    </div>
  );
}
