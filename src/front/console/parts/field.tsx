/**
 * Fields of forms. Each has a label and the JSON path of its value, and shows the error of the API at this path. Numbers
 * are in `number-field.tsx`, lists of texts in `texts-field.tsx`.
 */
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { createContext, useContext } from 'react';
import { pathLabel, pathText, uncapitalized } from '../labels.ts';

/** Errors by JSON path, for all fields below. */
export const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map());

export interface FieldProps {
  /** By default the label of the path. */
  readonly label?: string;
  /** The JSON path of the field in what is sent. */
  readonly path?: string;
  readonly hint?: string | undefined;
  readonly className?: string;
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

/** The error of a field, or of an entry of the list that it shows. */
function errorAt(errors: ReadonlyMap<string, string>, path: string): string | null {
  const error = errors.get(path);
  if (error !== undefined) return error;
  const entry = [...errors].find(([of]) => of.startsWith(`${path}/`));
  return entry === undefined ? null : `${uncapitalized(pathText(entry[0].slice(path.length)))} ${entry[1]}`;
}

export const labelOf = ({ label, path = '' }: Pick<FieldProps, 'label' | 'path'>): string =>
  label ?? pathLabel(path);

/** What a field of the library gets: label, hint or error, and the path by which a refusal leads to it. */
export function useFrame({ hint, path, className = '', ...field }: FieldProps) {
  const errors = useContext(FieldErrors);
  const error = path === undefined ? null : errorAt(errors, path);
  return {
    className: `field ${className}`,
    label: labelOf({ path: path ?? '', ...field }),
    description: error === null ? hint : undefined,
    error,
    'data-path': path,
  };
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

export function TextField({
  value,
  onValue,
  type = 'text',
  lines,
  placeholder,
  list,
  onEnter,
  ...field
}: TextFieldProps) {
  const frame = useFrame(field);
  if (lines !== undefined) {
    return (
      <Textarea
        {...frame}
        rows={lines}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...frame}
      type={type}
      // An input drops line breaks, which condition values may have and which count as spaces.
      value={value.replace(/[\n\r]+/g, ' ')}
      placeholder={placeholder}
      list={list}
      onKeyDown={(event) => {
        if (onEnter === undefined || event.key !== 'Enter' || value.trim() === '') return;
        event.preventDefault();
        onEnter();
      }}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}

interface ChoiceFieldProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onValue: (value: V) => void;
  /** The option "" is where it begins, and is not saved. */
  readonly isRequired?: boolean;
}

export const ChoiceField = <V extends string>({
  value,
  options,
  onValue,
  isRequired = false,
  ...field
}: ChoiceFieldProps<V>) => (
  <NativeSelect
    {...useFrame(field)}
    required={isRequired}
    withAsterisk={false}
    value={value}
    data={options.map(([option, label]) => ({ value: option, label }))}
    onChange={({ currentTarget }) => onValue(currentTarget.value as V)}
  />
);

interface CheckFieldProps extends Pick<FieldProps, 'label' | 'path'> {
  readonly value: boolean;
  readonly onValue: (value: boolean) => void;
}

export const CheckField = ({ value, onValue, ...field }: CheckFieldProps) => (
  <Checkbox
    label={labelOf(field)}
    checked={value}
    onChange={({ currentTarget }) => onValue(currentTarget.checked)}
  />
);
