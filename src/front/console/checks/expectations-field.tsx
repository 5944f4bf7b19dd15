/** The expectations of a check: what the rates of its cart must be, each with the reason why it is not met. */
import { Button, CloseButton, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { ChoiceField, type FieldProps, TextField } from '../parts/field.tsx';
import { isSame } from '../parts/merged-draft.ts';
import { Notice } from '../parts/notice.tsx';
import { CountField, MoneyField } from '../parts/number-field.tsx';
import { countedBy, EXPECTATIONS, type ExpectationKind, kindOfNumber, newExpectation } from '../words.ts';
import type { Expectation } from './check-kind.ts';
import { ratesText, reasonText } from './check-words.ts';

type Failure = Schemas['CheckResult']['failures'][number];
type ExpectedRate = Schemas['ExpectedRate'];

interface ExpectationsFieldProps {
  readonly expectations: readonly Expectation[];
  readonly onExpectations: (expectations: Expectation[]) => void;
  /** Expectations that the last run did not meet. */
  readonly failures: readonly Failure[];
  /** Service code -> name. */
  readonly names: ReadonlyMap<string, string>;
  /** The rates that the cart is offered now; null when the service refuses. */
  readonly ratesNow: () => Promise<ExpectedRate[] | null>;
}

export function ExpectationsField(props: ExpectationsFieldProps) {
  const { expectations, onExpectations, failures, names, ratesNow } = props;
  return (
    <fieldset className="stack">
      <legend>Expectations</legend>
      <ul className="lines entries">
        {expectations.map((expectation, index) => {
          const path = `/expectations/${index}`;
          const set = (changed: Expectation): void => onExpectations(expectations.with(index, changed));
          const failure = failures.find((each) => isSame(each.expectation, expectation));
          const code = 'serviceCode' in expectation ? expectation.serviceCode : '';
          return (
            // Expectations have no identity but their place.
            <li key={index} className="stack">
              <div className="row ends">
                <div className="columns two">
                  <ChoiceField
                    label={`Expectation ${index + 1}`}
                    path={`${path}/kind`}
                    value={expectation.kind}
                    options={Object.entries(EXPECTATIONS).map(([kind, [name]]) => [kind, name])}
                    onValue={(kind) => set(newExpectation(kind as ExpectationKind, code))}
                  />
                  {'serviceCode' in expectation ? (
                    <RateChoice
                      label="Rate"
                      path={`${path}/serviceCode`}
                      value={code}
                      names={names}
                      onValue={(serviceCode) => set({ ...expectation, serviceCode })}
                    />
                  ) : null}
                  <Bounds expectation={expectation} path={path} onExpectation={set} />
                </div>
                {expectations.length < 2 ? null : (
                  <CloseButton
                    className="at-top"
                    aria-label={`Remove expectation ${index + 1}`}
                    onClick={() => onExpectations(expectations.toSpliced(index, 1))}
                  />
                )}
              </div>
              {expectation.kind === 'rates' ? (
                <RatesField {...{ path, names, ratesNow, expectation }} onExpectation={set} />
              ) : null}
              {failure === undefined ? null : <FailureLine failure={failure} names={names} />}
            </li>
          );
        })}
      </ul>
      <Button
        className="start"
        onClick={() => onExpectations([...expectations, newExpectation('rate', [...names.keys()][0] ?? '')])}
      >
        Add an expectation
      </Button>
    </fieldset>
  );
}

interface RateChoiceProps extends FieldProps {
  readonly value: string;
  readonly onValue: (serviceCode: string) => void;
  readonly names: ReadonlyMap<string, string>;
}

/** A service by its name; with its code where another one has the same name. */
function RateChoice({ names, ...field }: RateChoiceProps) {
  const count = countedBy([...names.values()], (name) => name);
  const options = [...names].map(
    ([code, name]) => [code, (count.get(name) ?? 0) > 1 ? `${name} (${code})` : name] as const,
  );
  // A method may be gone, or be made later.
  const { value } = field;
  return (
    <ChoiceField
      {...field}
      options={names.has(value) ? options : [[value, value || 'Choose a rate'], ...options]}
    />
  );
}

/** Fields that stand elsewhere in the form. */
const OTHERS: ReadonlySet<string> = new Set(['kind', 'serviceCode', 'rates']);

interface BoundsProps<E extends Expectation> {
  readonly expectation: E;
  readonly path: string;
  readonly onExpectation: (expectation: Expectation) => void;
}

/** The prices or dates that a rate is compared with. */
function Bounds({ expectation, path, onExpectation }: BoundsProps<Expectation>): ReactNode {
  const [, , optional = []] = EXPECTATIONS[expectation.kind];
  const required = Object.keys(newExpectation(expectation.kind, '')).filter((field) => !OTHERS.has(field));
  const values: Readonly<Record<string, unknown>> = expectation;
  return [...new Set([...optional, ...required])].map((field) => {
    const { [field]: value, ...others } = values;
    const set = (next: unknown): void =>
      onExpectation((next === '' ? others : { ...values, [field]: next }) as Expectation);
    if (typeof value === 'number') {
      const Field = kindOfNumber(field) === 'money' ? MoneyField : CountField;
      return <Field key={field} path={`${path}/${field}`} value={value} onValue={set} />;
    }
    return (
      <TextField
        key={field}
        path={`${path}/${field}`}
        value={typeof value === 'string' ? value : ''}
        placeholder={field.endsWith('Date') ? '2026-12-24, or +5 for days from now' : ''}
        onValue={set}
      />
    );
  });
}

interface RatesFieldProps extends BoundsProps<Extract<Expectation, { readonly kind: 'rates' }>> {
  readonly names: ReadonlyMap<string, string>;
  readonly ratesNow: ExpectationsFieldProps['ratesNow'];
}

/** A list of rates, each with its price. */
function RatesField({ expectation, path, names, ratesNow, onExpectation }: RatesFieldProps) {
  const { rates } = expectation;
  const set = (changed: ExpectedRate[]): void => onExpectation({ ...expectation, rates: changed });
  return (
    <div className="stack">
      {rates.length === 0 ? <p className="quiet">None: the cart is offered no rate.</p> : null}
      {rates.map((rate, index) => (
        <div
          // Rates have no identity but their place: two may share a code.
          key={index}
          className="row ends"
        >
          <RateChoice
            className="wide"
            label={`Rate ${index + 1}`}
            path={`${path}/rates/${index}/serviceCode`}
            value={rate.serviceCode}
            names={names}
            onValue={(serviceCode) => set(rates.with(index, { ...rate, serviceCode }))}
          />
          <MoneyField
            path={`${path}/rates/${index}/totalPrice`}
            value={rate.totalPrice}
            onValue={(totalPrice: number) => set(rates.with(index, { ...rate, totalPrice }))}
          />
          <CloseButton
            aria-label={`Remove rate ${index + 1}`}
            onClick={() => set(rates.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Group gap="xs">
        <Button onClick={() => set([...rates, { serviceCode: '', totalPrice: 0 }])}>Add a rate</Button>
        <Button
          onClick={async () => {
            const offered = await ratesNow();
            if (offered !== null) set(offered);
          }}
        >
          Take the rates that are offered now
        </Button>
      </Group>
    </div>
  );
}

interface FailureLineProps {
  readonly failure: Failure;
  readonly names: ReadonlyMap<string, string>;
}

function FailureLine({ failure: { reason, actual }, names }: FailureLineProps) {
  const { currency } = useSignedIn().shop;
  const nameOf = (code: string): string => names.get(code) ?? code;
  return (
    <Notice kind="bad">
      <p>{reasonText(reason, nameOf)}</p>
      <p className="quiet">Offered: {ratesText(actual, nameOf, currency)}</p>
    </Notice>
  );
}
