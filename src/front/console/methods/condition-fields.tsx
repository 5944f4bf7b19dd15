/** One condition: what it looks at, how it compares, with which values, over which items; by the vocabulary. */
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../client/call-table.ts';
import { pathLabel, uncapitalized } from '../labels.ts';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { capitalized, kindOfNumber, words } from '../words.ts';
import { typeWord, type Vocabulary, valueCount, valuesOf, withType } from './condition-words.ts';
import type { Condition } from './method-kind.ts';
import { NumberField } from './number-field.tsx';

/** Names behind the ids that values of conditions hold. */
export interface Named {
  readonly groups: readonly Schemas['ProductGroup'][];
  readonly zones: readonly Schemas['Zone'][];
}

interface ConditionFieldsProps {
  /** Names it in labels: `Rule 2, condition 1`. */
  readonly title: string;
  readonly path: string;
  readonly condition: Condition;
  readonly vocabulary: Vocabulary;
  readonly named: Named;
  readonly onCondition: (condition: Condition) => void;
  readonly onRemove: () => void;
}

export function ConditionFields(props: ConditionFieldsProps) {
  const { title, path, condition, vocabulary, onCondition, onRemove } = props;
  const word = typeWord(vocabulary, condition.conditionType);
  const choice = <K extends 'conditionType' | 'operator' | 'scope'>(
    field: K,
    names: readonly string[],
    onValue = (name: Condition[K]): void => onCondition({ ...condition, [field]: name }),
  ) => (
    <ChoiceField<Condition[K]>
      class="cell"
      label={`${title}, ${uncapitalized(pathLabel(`/${field}`))}`}
      path={`${path}/${field}`}
      value={condition[field]}
      options={names.map((name) => [name, words(name)])}
      onValue={onValue}
    />
  );
  const types = vocabulary.conditionTypes.map(({ name }) => name);
  return (
    <div class="condition">
      <div class="condition-parts">
        {choice('conditionType', types, (name) => onCondition(withType(vocabulary, condition, name)))}
        {choice('operator', word?.operators ?? [])}
        <ValueFields {...props} kind={word?.kind ?? 'text'} />
        {word === null || word.scopes.length === 0 ? null : choice('scope', word.scopes)}
      </div>
      <button type="button" class="plain" aria-label={`Remove ${title.toLowerCase()}`} onClick={onRemove}>
        ✕
      </button>
    </div>
  );
}

interface ValueFieldsProps extends Omit<ConditionFieldsProps, 'onRemove'> {
  readonly kind: string;
}

/** The fields of the value, by its kind; none for an operator that ignores it. */
function ValueFields({ title, path, condition, vocabulary, named, onCondition, kind }: ValueFieldsProps) {
  const { conditionType, operator, value } = condition;
  const [least, most] = valueCount(vocabulary, operator);
  const set = (values: readonly string[]): void => onCondition({ ...condition, value: values.join(', ') });
  const label = `${title}, value`;
  if (least === 0) return null;
  const isEquality = /^(?:not_)?equals$/.test(operator);
  const options =
    kind === 'day'
      ? vocabulary.weekdays.map((day) => [day, capitalized(day)] as const)
      : idsOf(conditionType, named);
  if (isEquality && options !== null) {
    return <CheckList label={label} options={options} chosen={valuesOf(value)} onChosen={set} />;
  }
  if (kind !== 'number' && kind !== 'time' && kind !== 'date') {
    return (
      <TextField
        class="cell"
        label={label}
        path={`${path}/value`}
        value={value}
        onValue={(text) => onCondition({ ...condition, value: text })}
        placeholder="value, or several with commas"
      />
    );
  }
  const values = valuesOf(value);
  const shown = Array.from({ length: Math.max(least, values.length) }, (_, index) => values[index] ?? '');
  const setOne = (index: number, text: string): void =>
    set(shown.map((other, at) => (at === index ? text : other)));
  return (
    <div class={`values ${shown.length > 1 ? 'several' : ''}`}>
      {shown.map((text, index) => {
        const field = {
          class: 'cell',
          label: shown.length === 1 ? label : `${label} ${index + 1}`,
          path: `${path}/value`,
        };
        return (
          // Values have no identity but their place.
          <ValueField key={index} between={index === 0 ? '' : operator === 'between' ? 'and' : 'or'}>
            {kind === 'number' ? (
              <NumberField
                {...field}
                kind={kindOfNumber(conditionType)}
                value={text === '' ? null : Number(text)}
                onValue={(typed) => setOne(index, typed === null ? '' : String(typed))}
              />
            ) : (
              <TextField {...field} type={kind} value={text} onValue={(typed) => setOne(index, typed)} />
            )}
          </ValueField>
        );
      })}
      {most === null ? (
        <button type="button" class="plain" onClick={() => set([...shown, ''])}>
          or…
        </button>
      ) : null}
    </div>
  );
}

const ValueField = ({ between, children }: { between: string; children: ComponentChildren }) => (
  <>
    {between === '' ? null : <span class="quiet">{between}</span>}
    {children}
  </>
);

/** Ids that a value of this type can hold, with their names; null where it holds other texts. */
function idsOf(
  conditionType: string,
  { groups, zones }: Named,
): readonly (readonly [string, string])[] | null {
  if (conditionType === 'product_group') return groups.map(({ id, name }) => [id, name]);
  if (conditionType !== 'destination_subzone') return null;
  return zones.flatMap((zone) =>
    zone.subzones.map(({ id, name }) => [id, `${zone.name} › ${name}`] as const),
  );
}

interface CheckListProps {
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

/** Options to check. A chosen value that is no option, such as a pattern, is listed as well. */
function CheckList({ label, options, chosen, onChosen }: CheckListProps) {
  const others = chosen.filter((value) => value !== '' && !options.some(([option]) => option === value));
  return (
    <fieldset class="check-list">
      <legend class="only-read">{label}</legend>
      {[...options, ...others.map((value) => [value, value] as const)].map(([value, text]) => (
        <CheckField
          key={value}
          label={text}
          value={chosen.includes(value)}
          onValue={(isChosen) =>
            onChosen(isChosen ? [...chosen, value] : chosen.filter((other) => other !== value))
          }
        />
      ))}
    </fieldset>
  );
}
