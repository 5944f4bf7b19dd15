/**
 * Fields for numbers. A text that can be read in two ways is an error with both readings as buttons; while it is typed,
 * what will be stored stands below it, and the field shows that once it is left. Weights and sizes have their unit beside
 * them.
 */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useContext, useEffect, useId, useLayoutEffect, useState } from 'react';
import {
  decimalsText,
  formatMoney,
  moneyText,
  NO_READING,
  numberIn,
  type Readings,
  readCount,
  readInUnit,
  readMoney,
  readPercent,
  SIZE_UNITS,
  sole,
  splitUnit,
  type Units,
  unitFor,
  WEIGHT_UNITS,
} from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { type FieldProps, labelOf, useFrame } from './field.tsx';
import { Unreadable } from './unreadable.ts';

interface NumberFieldProps<T> extends FieldProps {
  readonly value: T;
  readonly onValue: (value: T) => void;
  /** An empty field stands for null. */
  readonly isOptional?: boolean;
  /** Null is where a new field begins, and is not saved. */
  readonly isRequired?: boolean;
}

type AmountProps =
  | NumberFieldProps<number>
  | (NumberFieldProps<number | null> & { readonly isOptional: true });

interface TypedFieldProps extends FieldProps {
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
  readonly isOptional: boolean;
  readonly isRequired: boolean;
  /** The text of the field that holds this number. */
  readonly format: (value: number) => string;
  /** The number as it is stored, in words of people. */
  readonly stored: (value: number) => string;
  readonly read: (text: string) => Readings;
  readonly refusal: string;
  /** What stands at the end of the field, such as a unit. */
  readonly end?: ReactNode;
  /** What the meaning of the text depends on beside the text. */
  readonly unit?: string;
  /** Sees the text before it is read, and returns what stays in the field. */
  readonly typed?: (text: string) => string;
  /** The text of a number that something else has set. */
  readonly given?: (value: number) => string;
}

/** Keeps the text as it was typed until the field is left; replaces it when something else changes the value. */
function TypedField(props: TypedFieldProps) {
  const {
    value,
    onValue,
    isOptional,
    isRequired,
    format,
    stored,
    read,
    refusal,
    end,
    unit = '',
    typed,
    given,
    ...field
  } = props;
  const frame = useFrame(field);
  const shown = value === null ? '' : format(value);
  const [text, setText] = useState(shown);
  const [hasFocus, setFocus] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isEmpty = text.trim() === '' && isOptional;
  const isMissing = isEmpty && isRequired;
  // The text of the number that the field has is no question, even where it could be read in another way.
  const readings = isEmpty
    ? NO_READING
    : text === shown && value !== null
      ? { numbers: [value], fine: null }
      : read(text);
  const named = sole(readings);
  const isBad = !isEmpty && named === null;
  const id = useId();
  const { report } = useContext(Unreadable);
  useEffect(() => report(id, isBad), [isBad]);
  useEffect(() => () => report(id, false), []);
  // A layout effect, because it must run before the next key: it would overwrite what that types.
  useLayoutEffect(() => {
    if (named !== value) setText(value === null ? '' : (given ?? format)(value));
  }, [value]);
  // The same digits in another unit are another number.
  useLayoutEffect(() => {
    if (named !== null && named !== value) onValue(named);
  }, [unit]);
  const take = (next: string): void => {
    const kept = typed?.(next) ?? next;
    setText(kept);
    const isNone = next.trim() === '' && isOptional;
    const number = isNone ? null : sole(read(next));
    if (isNone || number !== null) onValue(number);
  };
  const isQuestion = readings.numbers.length > 0;
  const wrong = isMissing ? 'is required' : isQuestion ? 'can be read in two ways' : refusal;
  return (
    <div className={`${frame.className} number-field`}>
      <TextInput
        {...frame}
        className=""
        classNames={{ input: 'number' }}
        // The browser refuses to submit a form with a text that is no value.
        ref={(input) => input?.setCustomValidity(isBad || isMissing ? wrong : '')}
        onInvalid={() => setAsked(true)}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        description={isBad || (isMissing && isAsked) ? undefined : frame.description}
        error={
          isBad ? (
            isQuestion ? (
              <Ambiguous {...{ readings, stored, onPick: (number) => take(format(number)) }} />
            ) : readings.fine === null ? (
              refusal
            ) : (
              decimalsText(readings.fine)
            )
          ) : isMissing && isAsked ? (
            wrong
          ) : (
            frame.error
          )
        }
        rightSection={end}
        rightSectionWidth={end === undefined ? undefined : '3.25rem'}
        onFocus={() => setFocus(true)}
        onBlur={() => {
          setFocus(false);
          setAsked(true);
          if (named !== null) setText(format(named));
        }}
        onChange={({ currentTarget }) => take(currentTarget.value)}
      />
      {hasFocus && named !== null && text.trim() !== format(named) ? (
        <p className="stored" aria-hidden="true">
          = {stored(named)}
        </p>
      ) : null}
    </div>
  );
}

interface AmbiguousProps {
  readonly readings: Readings;
  readonly stored: (value: number) => string;
  readonly onPick: (value: number) => void;
}

const Ambiguous = ({ readings: { numbers, fine }, stored, onPick }: AmbiguousProps) => (
  <>
    can be read in two ways: {fine === null ? '' : `${decimalsText(fine)}; or `}
    {numbers.map((reading) => (
      <Button key={reading} size="compact-xs" onClick={() => onPick(reading)}>
        {stored(reading)}
      </Button>
    ))}
  </>
);

const optional = ({ value, onValue, isOptional = false, isRequired = false, ...field }: AmountProps) => ({
  ...field,
  value,
  isOptional,
  isRequired,
  // Only an optional field gives null.
  onValue: onValue as (value: number | null) => void,
});

type FormField = HTMLInputElement | HTMLSelectElement;

/** The first field below whose text is no value, or that is empty and must not be; it shows why from then on. */
export function firstUnreadable(parent: HTMLElement): FormField | null {
  const field = parent.querySelector<FormField>('input:invalid, select:invalid');
  field?.checkValidity();
  return field;
}

/** `Not saved: this field cannot be read` */
export const refusedText = (done: string, { value }: FormField): string =>
  `Not ${done}: this field ${value.trim() === '' ? 'is empty' : 'cannot be read'}`;

/** An amount in the currency of the shop. */
export function MoneyField(props: AmountProps) {
  const { currency } = useSignedIn().shop;
  return (
    <TypedField
      {...optional(props)}
      label={`${labelOf(props)} (${currency})`}
      format={(amount) => moneyText(amount, currency)}
      stored={(amount) => formatMoney(amount, currency)}
      read={(text) => readMoney(text, currency)}
      refusal={`is not an amount of ${currency}, such as ${moneyText(495, currency)}`}
    />
  );
}

interface MeasureProps {
  readonly units: Units;
  readonly preferred: string;
  /** The unit where the preferred one would show a long fraction. */
  readonly other: string;
  readonly refusal: string;
}

/** A number with its unit; what is stored is a whole number of the smallest unit. */
function MeasureField({ units, preferred, other, refusal, ...props }: AmountProps & MeasureProps) {
  const field = optional(props);
  const [unit, setUnit] = useState(() => unitFor(field.value, units, preferred, other));
  const [smallest = ''] = Object.keys(units);
  return (
    <TypedField
      {...field}
      unit={unit}
      format={(amount) => numberIn(amount, units[unit] ?? 1)}
      stored={(amount) => `${amount} ${smallest}`}
      read={(text) => readInUnit(text, units, unit)}
      typed={(text) => {
        const [number, named] = splitUnit(text, units, unit);
        if (named !== unit) setUnit(named);
        return named === unit ? text : number;
      }}
      given={(amount) => {
        const fitting = unitFor(amount, units, unit, other);
        setUnit(fitting);
        return numberIn(amount, units[fitting] ?? 1);
      }}
      refusal={refusal}
      end={
        <NativeSelect
          aria-label="Unit"
          variant="unstyled"
          className="unit"
          rightSectionWidth="1.125rem"
          data={Object.keys(units)}
          value={unit}
          onChange={({ currentTarget }) => setUnit(currentTarget.value)}
        />
      }
    />
  );
}

const isImperial = (currency: string): boolean => currency === 'USD';

/** `unit`: in place of that of the shop. */
export function WeightField({ unit, ...props }: AmountProps & { readonly unit?: string }) {
  const preferred = unit ?? (isImperial(useSignedIn().shop.currency) ? 'lb' : 'kg');
  const refusal = 'is not a weight, such as 0.75 or 750 g';
  return <MeasureField {...props} units={WEIGHT_UNITS} preferred={preferred} other="kg" refusal={refusal} />;
}

export function SizeField(props: AmountProps) {
  const preferred = isImperial(useSignedIn().shop.currency) ? 'in' : 'cm';
  const refusal = 'is not a length, such as 30 or 300 mm';
  return <MeasureField {...props} units={SIZE_UNITS} preferred={preferred} other="cm" refusal={refusal} />;
}

export const CountField = (props: AmountProps) => (
  <TypedField
    {...optional(props)}
    format={String}
    stored={String}
    read={readCount}
    refusal="is not a whole number"
  />
);

export const PercentField = (props: AmountProps) => (
  <TypedField
    {...optional(props)}
    format={String}
    stored={(percent) => `${percent} %`}
    read={readPercent}
    refusal="is not a percentage, such as 12.5"
  />
);
