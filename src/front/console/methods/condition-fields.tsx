/** One condition: what it looks at, how it compares, with which values, over which items; by the vocabulary. */
import { Button, CloseButton, Select } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { pathLabel, uncapitalized } from '../labels.ts';
import { CheckField, ChoiceField, TextField, useFrame } from '../parts/field.tsx';
import { TextsField } from '../parts/texts-field.tsx';
import { ANY_COUNTRY, countryChoices, countryName, countryReader, unknownCountries } from '../place-names.ts';
import { operatorText, SUBJECT_GROUPS, scopeText, subjectText, typeText } from '../rule-words.ts';
import { capitalized, kindOfNumber } from '../words.ts';
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
  const choice = <K extends 'operator' | 'scope'>(
    field: K,
    names: readonly string[],
    textOf: (name: string) => string,
  ) => (
    <ChoiceField<Condition[K]>
      className="cell"
      label={`${title}, ${uncapitalized(pathLabel(`/${field}`))}`}
      path={`${path}/${field}`}
      value={condition[field]}
      options={names.map((name) => [name, textOf(name)])}
      onValue={(name) => onCondition({ ...condition, [field]: name })}
    />
  );
  return (
    <div className="condition">
      <div className="condition-parts">
        <TypeField {...props} />
        {choice('operator', word?.operators ?? [], (name) => operatorText(condition.conditionType, name))}
        <ValueFields {...props} kind={word?.kind ?? 'text'} />
        {word === null || word.scopes.length === 0 ? null : choice('scope', word.scopes, scopeText)}
      </div>
      <CloseButton aria-label={`Remove ${title.toLowerCase()}`} onClick={onRemove} />
    </div>
  );
}

/** What the condition looks at: a list with search, by what has the value. */
function TypeField({
  title,
  path,
  condition,
  vocabulary,
  onCondition,
}: Omit<ConditionFieldsProps, 'onRemove'>) {
  const frame = useFrame({
    className: 'cell',
    label: `${title}, ${uncapitalized(pathLabel('/conditionType'))}`,
    path: `${path}/conditionType`,
  });
  const data = SUBJECT_GROUPS.map((group) => ({
    group,
    items: vocabulary.conditionTypes
      .filter(({ subject }) => subjectText(subject) === group)
      .map(({ name }) => ({ value: name as string, label: typeText(name) })),
  })).filter(({ items }) => items.length > 0);
  return (
    <Select
      {...frame}
      data={data}
      value={condition.conditionType}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      nothingFoundMessage="Nothing is called so"
      onChange={(name) => {
        if (name !== null) onCondition(withType(vocabulary, condition, name));
      }}
    />
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
    const isCountry = conditionType === 'destination_country' && isEquality;
    const hint = textHint(condition, kind === 'postal' && isEquality);
    return <TextValues {...{ label, path, isCountry, hint }} value={valuesOf(value)} onValue={set} />;
  }
  const values = valuesOf(value);
  const shown = Array.from({ length: Math.max(least, values.length) }, (_, index) => values[index] ?? '');
  const setOne = (index: number, text: string): void =>
    set(shown.map((other, at) => (at === index ? text : other)));
  return (
    <div className={`values ${shown.length > 1 ? 'several' : ''}`}>
      {shown.map((text, index) => {
        const field = {
          className: 'cell',
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
        <Button variant="subtle" size="compact-sm" onClick={() => set([...shown, ''])}>
          or…
        </Button>
      ) : null}
    </div>
  );
}

/** What people expect of a text and is not so: nothing says later that the rule never applies. */
function textHint({ conditionType, value }: Condition, hasPatterns: boolean): string | undefined {
  if (!hasPatterns && valuesOf(value).some((text) => text.endsWith('*')))
    return 'The * is compared as it stands. For beginnings leave it out and choose “starts with”.';
  return conditionType === 'destination_state' ? 'As the checkout sends it: a code such as CA.' : undefined;
}

interface TextValuesProps {
  readonly label: string;
  readonly path: string;
  readonly hint: string | undefined;
  readonly isCountry: boolean;
  readonly value: readonly string[];
  readonly onValue: (values: readonly string[]) => void;
}

/** Texts as chips; countries by their names. */
function TextValues({ label, path, hint, isCountry, value, onValue }: TextValuesProps) {
  // A cart has one country: the rest of the world is no value here.
  const countries = useMemo(() => (isCountry ? countryChoices().slice(1) : []), [isCountry]);
  const codeOf = useMemo(() => {
    const read = countryReader();
    return (text: string) => (isCountry && read(text) !== ANY_COUNTRY ? read(text) : null);
  }, [isCountry]);
  return (
    <TextsField
      className="cell"
      label={label}
      path={`${path}/value`}
      value={value}
      onValue={onValue}
      hint={hint}
      options={countries}
      read={isCountry ? codeOf : (text) => text}
      {...(isCountry ? { refusalOf: unknownCountries } : {})}
      textOf={(entry) => {
        const code = codeOf(entry);
        return code === null ? entry : countryName(code);
      }}
      placeholder="a value, or several"
    />
  );
}

const ValueField = ({ between, children }: { between: string; children: ReactNode }) => (
  <>
    {between === '' ? null : <span className="quiet">{between}</span>}
    {children}
  </>
);

/** The name behind an id of a group or subzone. */
export function namesIn({ groups, zones }: Named): (id: string) => string | undefined {
  const names = new Map([
    ...groups.map(({ id, name }) => [id, name] as const),
    ...zones.flatMap(({ subzones }) => subzones.map(({ id, name }) => [id, name] as const)),
  ]);
  return (id) => names.get(id);
}

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
    <fieldset className="check-list">
      <legend className="only-read">{label}</legend>
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
