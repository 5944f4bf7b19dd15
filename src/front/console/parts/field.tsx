/**
 * Fields of forms. Each has a label and the JSON path of its value, and shows the error of the API at this path. A field
 * keeps what was typed, even where that is no value yet.
 */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId, useLayoutEffect, useState } from 'preact/hooks';
import { moneyText, parseCount, parseMoney, parsePercent, parseWeight } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { pathLabel, pathText, uncapitalized } from '../labels.ts';

/** Errors by JSON path, for all fields below. */
export const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map());

interface FieldProps {
  /** By default the label of the path. */
  readonly label?: string;
  /** The JSON path of the field in what is sent. */
  readonly path?: string;
  readonly hint?: string | undefined;
  readonly class?: string;
}

/** The props of a field of a draft, by the name of the field in the API. */
export type FieldOf<D extends object> = <K extends keyof D & string>(
  name: K,
) => {
  readonly path: string;
  readonly value: D[K];
  readonly onValue: (value: D[K]) => void;
};

/** `path` is that of the draft in what is sent. */
export const fieldOf =
  <D extends object>(draft: D, set: (fields: Partial<D>) => void, path = ''): FieldOf<D> =>
  (name) => ({
    path: `${path}/${name}`,
    value: draft[name],
    onValue: (value) => set({ [name]: value } as unknown as Partial<D>),
  });

interface FrameProps extends FieldProps {
  readonly typed?: string | null;
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
    readonly 'data-path': string | undefined;
  }) => ComponentChildren;
}

/** The error of a field, or of an entry of the list that it shows. */
function errorAt(errors: ReadonlyMap<string, string>, path: string): string | null {
  const error = errors.get(path);
  if (error !== undefined) return error;
  const entry = [...errors].find(([of]) => of.startsWith(`${path}/`));
  return entry === undefined ? null : `${uncapitalized(pathText(entry[0].slice(path.length)))} ${entry[1]}`;
}

const labelOf = ({ label, path = '' }: Pick<FieldProps, 'label' | 'path'>): string =>
  label ?? pathLabel(path);

/** Label, control, hint and error. `typed` is an error of the text itself. */
function Frame({ hint, typed = null, class: name = '', children, ...field }: FrameProps) {
  const { path } = field;
  const id = useId();
  const errors = useContext(FieldErrors);
  const error = typed ?? (path === undefined ? null : errorAt(errors, path));
  const note = error ?? hint;
  return (
    <div class={`field ${name}`}>
      <label for={id}>{labelOf(field)}</label>
      {children({
        id,
        'aria-invalid': error !== null,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'data-path': path,
      })}
      {note === undefined ? null : (
        <p id={`${id}-note`} class={error === null ? 'hint' : 'error'}>
          {note}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'datetime-local' | 'date' | 'time';
  readonly lines?: number;
  readonly placeholder?: string;
  /** Id of a `datalist`. */
  readonly list?: string;
  /** Enter in a text that is not empty does this, and does not submit the form. */
  readonly onEnter?: () => void;
}

export const TextField = ({
  value,
  onValue,
  type = 'text',
  lines,
  placeholder,
  list,
  onEnter,
  ...frame
}: TextFieldProps) => (
  <Frame {...frame}>
    {(attributes) =>
      lines === undefined ? (
        <input
          {...attributes}
          // Attributes are typed by the type of the input; those of these types are the same.
          type={type as 'text'}
          // An input drops line breaks, which condition values may have and which count as spaces.
          value={value.replace(/[\n\r]+/g, ' ')}
          placeholder={placeholder}
          list={list}
          onKeyDown={(event) => {
            if (onEnter === undefined || event.key !== 'Enter' || value.trim() === '') return;
            event.preventDefault();
            onEnter();
          }}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      ) : (
        <textarea
          {...attributes}
          rows={lines}
          value={value}
          placeholder={placeholder}
          spellcheck={false}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )
    }
  </Frame>
);

interface ChoiceFieldProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onValue: (value: V) => void;
}

export const ChoiceField = <V extends string>({ value, options, onValue, ...frame }: ChoiceFieldProps<V>) => (
  <Frame {...frame}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value as V)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Frame>
);

interface CheckFieldProps extends Pick<FieldProps, 'label' | 'path'> {
  readonly value: boolean;
  readonly onValue: (value: boolean) => void;
}

export const CheckField = ({ value, onValue, ...field }: CheckFieldProps) => (
  <label class="check">
    <input type="checkbox" checked={value} onChange={({ currentTarget }) => onValue(currentTarget.checked)} />
    {labelOf(field)}
  </label>
);

interface NumberFieldProps<T> extends FieldProps {
  readonly value: T;
  readonly onValue: (value: T) => void;
  /** An empty field stands for null. */
  readonly isOptional?: boolean;
}

interface TypedFieldProps extends FieldProps {
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
  readonly isOptional: boolean;
  readonly format: (value: number) => string;
  readonly parse: (text: string) => number | null;
  readonly refusal: string;
}

/** Keeps the text as it was typed; replaces it when something else changes the value. */
function TypedField({ value, onValue, isOptional, format, parse, refusal, ...frame }: TypedFieldProps) {
  const shown = value === null ? '' : format(value);
  const [text, setText] = useState(shown);
  const named = text.trim() === '' && isOptional ? null : parse(text);
  const isBad = named === null && !(text.trim() === '' && isOptional);
  // A layout effect, because it must run before the next key: it would overwrite what that types.
  useLayoutEffect(() => {
    if (named !== value) setText(shown);
  }, [value]);
  return (
    <Frame {...frame} typed={isBad ? refusal : null}>
      {(attributes) => (
        <input
          {...attributes}
          // The browser refuses to submit a form with a text that is no value.
          ref={(input) => input?.setCustomValidity(isBad ? refusal : '')}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          class="number"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            const isEmpty = currentTarget.value.trim() === '' && isOptional;
            const next = isEmpty ? null : parse(currentTarget.value);
            if (isEmpty || next !== null) onValue(next);
          }}
        />
      )}
    </Frame>
  );
}

type AmountProps =
  | NumberFieldProps<number>
  | (NumberFieldProps<number | null> & { readonly isOptional: true });

const typed = ({ value, onValue, isOptional = false, ...frame }: AmountProps) => ({
  ...frame,
  value,
  isOptional,
  // Only an optional field gives null.
  onValue: onValue as (value: number | null) => void,
});

/** The first field below whose text is no value. A save would write the value that it had before. */
export const firstUnreadable = (parent: HTMLElement): HTMLElement | null =>
  parent.querySelector<HTMLInputElement>('input.number:invalid');

/** An amount in the currency of the shop. */
export function MoneyField(props: AmountProps) {
  const { currency } = useSignedIn().shop;
  return (
    <TypedField
      {...typed(props)}
      label={`${labelOf(props)} (${currency})`}
      format={(amount) => moneyText(amount, currency)}
      parse={(text) => parseMoney(text, currency)}
      refusal={`is not an amount of ${currency}, such as ${moneyText(495, currency)}`}
    />
  );
}

export const WeightField = (props: AmountProps) => (
  <TypedField
    {...typed(props)}
    format={(grams) => `${grams} g`}
    parse={parseWeight}
    refusal="is not a weight, such as 750 g or 1.25 kg"
  />
);

export const CountField = (props: AmountProps) => (
  <TypedField {...typed(props)} format={String} parse={parseCount} refusal="is not a whole number" />
);

export const PercentField = (props: AmountProps) => (
  <TypedField
    {...typed(props)}
    format={String}
    parse={parsePercent}
    refusal="is not a percentage, such as 12.5"
  />
);
