/** A field for a value that any text can be parsed into, such as a list with an entry on each line. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { TextField } from './field.tsx';

interface ParsedFieldProps<T> {
  readonly label?: string;
  readonly path?: string;
  readonly hint?: string;
  readonly lines: number;
  readonly value: T;
  readonly onValue: (value: T) => void;
  readonly format: (value: T) => string;
  readonly parse: (text: string) => T;
}

/** Keeps the text as it was typed; replaces it when something else changes the value. */
export function ParsedField<T>({ value, onValue, format, parse, ...frame }: ParsedFieldProps<T>) {
  const [text, setText] = useState(() => format(value));
  // Before the next key, as in `TypedField`.
  useLayoutEffect(() => {
    if (format(parse(text)) !== format(value)) setText(format(value));
  }, [value]);
  return (
    <TextField
      {...frame}
      value={text}
      onValue={(typed) => {
        setText(typed);
        onValue(parse(typed));
      }}
    />
  );
}
