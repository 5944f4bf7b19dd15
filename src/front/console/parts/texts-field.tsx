/**
 * A list of texts as chips. What is typed or pasted becomes chips at each separator, at Enter, when the field is left and
 * when the form is submitted; what cannot be read stays in the box with an error, so that nothing is saved without it.
 */
import { Button, Combobox, Pill, PillsInput, useCombobox } from '@mantine/core';
import { type ClipboardEvent, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSignedIn } from '../app-state.ts';
import { FieldErrors, type FieldProps, useFrame } from './field.tsx';
import { Unreadable } from './unreadable.ts';

/** Chips that are shown at first. */
const SHOWN = 100;
/** Suggestions that are shown at once. */
const SUGGESTED = 50;

/** For entries that may hold spaces, such as tags and names. */
export const AT_MARKS = /[,;\n\r\t]+/;
/** For entries without spaces, such as codes. */
export const AT_SPACES = /[,;\s]+/;

type Option = readonly [entry: string, text: string, also?: string];

interface TextsFieldProps extends FieldProps {
  readonly value: readonly string[];
  readonly onValue: (value: string[]) => void;
  readonly separators?: RegExp;
  /** The texts in what was typed, where separators alone do not tell. */
  readonly split?: (text: string) => readonly string[];
  /** The entry that a text names; null when it names none. By default the text itself. */
  readonly read?: (text: string) => string | null;
  /** What is wrong with texts that name no entry. */
  readonly refusalOf?: (texts: readonly string[]) => string;
  /** The text of a chip. */
  readonly textOf?: (entry: string) => string;
  /** Entries that are offered while something is typed, with their texts, and what else finds them. */
  readonly options?: readonly Option[];
  readonly placeholder?: string;
  /** What is typed is not saved: a key that may only read fills it too. */
  readonly isForReaders?: boolean;
}

const notRead = (texts: readonly string[]): string => `${texts.join(' and ')} cannot be read`;

/** The entry itself first, then names that begin with the text; null for none of it. */
function rankOf([entry, ...names]: Option, wanted: string): number | null {
  if (entry.toLowerCase() === wanted) return 0;
  const known = names.map((name = '') => name.toLowerCase());
  if (known.some((name) => name.startsWith(wanted))) return 1;
  return known.some((name) => name.includes(wanted)) ? 2 : null;
}

export function TextsField(props: TextsFieldProps) {
  const { value, onValue, separators = AT_MARKS, split, read = (text) => text, refusalOf = notRead } = props;
  const { textOf = (entry) => entry, options = [], placeholder, isForReaders = false, ...field } = props;
  const frame = useFrame(field);
  const errors = useContext(FieldErrors);
  const { mayWrite } = useSignedIn();
  const isOpen = mayWrite || isForReaders;
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [shown, setShown] = useState(SHOWN);

  const isFaulty = (index: number): boolean =>
    field.path !== undefined && errors.has(`${field.path}/${index}`);
  const take = (typed: string, kept = value): void => {
    const whole = typed.trim();
    // The whole text first: a name such as "Bonaire, Sint Eustatius and Saba" has a separator.
    const isOne = whole === '' || read(whole) !== null;
    const texts = split?.(whole) ?? (isOne && !separators.test(whole) ? [whole] : whole.split(separators));
    const found = isOne && options.length > 0 ? [whole] : texts.map((each) => each.trim());
    const named = found.filter((each) => each !== '').map((each) => [each, read(each)] as const);
    const entries = named.flatMap(([, entry]) => entry ?? []);
    const refused = named.flatMap(([each, entry]) => (entry === null ? [each] : []));
    const next = [...new Set([...kept, ...entries])];
    if (next.length > kept.length || kept !== value) onValue(next);
    setText(refused.join(', '));
    setRefusal(refused.length === 0 ? null : refusalOf(refused));
  };
  const box = useRef<HTMLInputElement>(null);
  const takeRest = useRef(() => {});
  takeRest.current = () => take(text);
  /** Chips with a fault, such as codes that no country of the zone has any more, go back into the box and are read anew. */
  const takeFaulty = useRef(() => {});
  takeFaulty.current = () => {
    const sound = value.filter((_, index) => !isFaulty(index));
    if (sound.length === value.length) return take(text);
    take([...value.filter((entry) => !sound.includes(entry)), text].join(', '), sound);
  };
  useEffect(() => {
    const { form } = box.current ?? {};
    // Before the form reads what it sends.
    const onSubmit = (): void => flushSync(() => takeFaulty.current());
    form?.addEventListener('submit', onSubmit, true);
    return () => form?.removeEventListener('submit', onSubmit, true);
  }, []);
  useLayoutEffect(() => box.current?.setCustomValidity(refusal ?? ''), [refusal]);
  const id = useId();
  const { report } = useContext(Unreadable);
  // What stands in the box is not saved yet.
  const isWaiting = refusal !== null || text.trim() !== '';
  useEffect(() => report(id, isWaiting), [isWaiting]);
  useEffect(() => () => report(id, false), []);
  const paste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!separators.test(pasted.trim())) return;
    event.preventDefault();
    take(`${text}${pasted}`);
  };
  const wanted = text.trim().toLowerCase();
  const offered =
    wanted === ''
      ? []
      : options
          .flatMap((option) => {
            const rank = value.includes(option[0]) ? null : rankOf(option, wanted);
            return rank === null ? [] : [[option, rank] as const];
          })
          .sort(([, a], [, b]) => a - b)
          .slice(0, SUGGESTED)
          .map(([option]) => option);
  const error = refusal ?? frame.error;
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(entry) => {
        onValue([...new Set([...value, entry])]);
        setText('');
        setRefusal(null);
        combobox.closeDropdown();
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          className={frame.className}
          label={frame.label}
          description={error === null ? frame.description : undefined}
          error={error}
          disabled={!isOpen}
        >
          <Pill.Group>
            {value.slice(0, shown).map((entry, index) => (
              <Pill
                key={entry}
                withRemoveButton={isOpen}
                className={isFaulty(index) ? 'faulty' : ''}
                removeButtonProps={{
                  'aria-label': `Remove ${textOf(entry)}`,
                  'aria-hidden': false,
                  tabIndex: 0,
                }}
                onRemove={() => onValue(value.filter((other) => other !== entry))}
              >
                {textOf(entry)}
              </Pill>
            ))}
            {value.length <= shown ? null : (
              <Button variant="subtle" size="compact-xs" onClick={() => setShown(value.length)}>
                Show all {value.length}
              </Button>
            )}
            <Combobox.EventsTarget withExpandedAttribute={options.length > 0}>
              <PillsInput.Field
                data-path={frame['data-path']}
                ref={box}
                value={text}
                placeholder={value.length === 0 ? placeholder : undefined}
                spellCheck={false}
                onPaste={paste}
                onBlur={({ relatedTarget }) => {
                  combobox.closeDropdown();
                  // The form takes it, or what follows a press: chips made now would move the button away below it.
                  if (relatedTarget?.matches('[type=submit]')) return;
                  if (!relatedTarget?.matches(':active')) take(text);
                  else
                    addEventListener('pointerup', () => setTimeout(() => takeRest.current()), { once: true });
                }}
                onChange={({ currentTarget: { value: typed } }) => {
                  setRefusal(null);
                  if (/[,;]$/.test(typed) || (separators === AT_SPACES && /\s$/.test(typed))) take(typed);
                  else setText(typed);
                  if (options.length > 0) combobox.openDropdown();
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Backspace' && text === '') onValue(value.slice(0, -1));
                  if (event.key !== 'Enter' || text.trim() === '') return;
                  event.preventDefault();
                  if (combobox.getSelectedOptionIndex() < 0) take(text);
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options mah={220} style={{ overflowY: 'auto' }}>
          {offered.map(([entry, name]) => (
            <Combobox.Option key={entry} value={entry}>
              {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
