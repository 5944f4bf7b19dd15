/** The expectations of a check: what the rates of its cart must be, each with the reason why it is not met. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { ChoiceField, CountField, MoneyField, TextField } from '../parts/field.tsx';
import { isSame } from '../parts/merged-draft.ts';
import { Notice } from '../parts/notice.tsx';
import { EXPECTATIONS, type ExpectationKind, kindOfNumber, newExpectation } from '../words.ts';
import type { Expectation } from './check-kind.ts';

type Failure = Schemas['CheckResult']['failures'][number];
type ExpectedRate = Schemas['ExpectedRate'];

/** Offered rates that a sentence names. */
const NAMED_MAX = 6;

interface ExpectationsFieldProps {
  readonly expectations: readonly Expectation[];
  readonly onExpectations: (expectations: Expectation[]) => void;
  /** Expectations that the last run did not meet. */
  readonly failures: readonly Failure[];
  readonly serviceCodes: readonly string[];
  /** The rates that the cart is offered now; null when the service refuses. */
  readonly ratesNow: () => Promise<ExpectedRate[] | null>;
}

export function ExpectationsField(props: ExpectationsFieldProps) {
  const { expectations, onExpectations, failures, serviceCodes, ratesNow } = props;
  const listId = useId();
  return (
    <fieldset>
      <legend>Expectations</legend>
      <datalist id={listId}>
        {serviceCodes.map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
      <ul class="lines entries">
        {expectations.map((expectation, index) => {
          const path = `/expectations/${index}`;
          const set = (changed: Expectation): void => onExpectations(expectations.with(index, changed));
          const failure = failures.find((each) => isSame(each.expectation, expectation));
          const code = 'serviceCode' in expectation ? expectation.serviceCode : '';
          return (
            // Expectations have no identity but their place.
            <li key={index} class="entry stack">
              <div class="columns two">
                <ChoiceField
                  label={`Expectation ${index + 1}`}
                  path={`${path}/kind`}
                  value={expectation.kind}
                  options={Object.entries(EXPECTATIONS).map(([kind, [name]]) => [kind, name])}
                  onValue={(kind) => set(newExpectation(kind as ExpectationKind, code))}
                />
                {'serviceCode' in expectation ? (
                  <TextField
                    path={`${path}/serviceCode`}
                    value={code}
                    list={listId}
                    onValue={(serviceCode) => set({ ...expectation, serviceCode })}
                  />
                ) : null}
                <Bounds expectation={expectation} path={path} onExpectation={set} />
              </div>
              {expectation.kind === 'rates' ? (
                <RatesField {...{ path, listId, ratesNow, expectation }} onExpectation={set} />
              ) : null}
              {failure === undefined ? null : <FailureLine failure={failure} />}
              {expectations.length < 2 ? null : (
                <button
                  type="button"
                  class="plain start"
                  onClick={() => onExpectations(expectations.toSpliced(index, 1))}
                >
                  Remove expectation {index + 1}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <button
        type="button"
        class="start"
        onClick={() => onExpectations([...expectations, newExpectation('rate', serviceCodes[0] ?? '')])}
      >
        Add an expectation
      </button>
    </fieldset>
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
function Bounds({ expectation, path, onExpectation }: BoundsProps<Expectation>): ComponentChildren {
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
  readonly listId: string;
  readonly ratesNow: ExpectationsFieldProps['ratesNow'];
}

/** A list of rates, each with its price. */
function RatesField({ expectation, path, listId, ratesNow, onExpectation }: RatesFieldProps) {
  const { rates } = expectation;
  const set = (changed: ExpectedRate[]): void => onExpectation({ ...expectation, rates: changed });
  return (
    <div class="stack">
      {rates.length === 0 ? <p class="quiet">None: the cart is offered no rate.</p> : null}
      {rates.map((rate, index) => (
        <div
          // Rates have no identity but their place: two may share a code.
          key={index}
          class="row ends"
        >
          <TextField
            class="wide"
            label={`Rate ${index + 1}`}
            path={`${path}/rates/${index}/serviceCode`}
            value={rate.serviceCode}
            list={listId}
            onValue={(serviceCode) => set(rates.with(index, { ...rate, serviceCode }))}
          />
          <MoneyField
            path={`${path}/rates/${index}/totalPrice`}
            value={rate.totalPrice}
            onValue={(totalPrice: number) => set(rates.with(index, { ...rate, totalPrice }))}
          />
          <button
            type="button"
            aria-label={`Remove rate ${index + 1}`}
            onClick={() => set(rates.toSpliced(index, 1))}
          >
            ✕
          </button>
        </div>
      ))}
      <div class="row wrap">
        <button type="button" onClick={() => set([...rates, { serviceCode: '', totalPrice: 0 }])}>
          Add a rate
        </button>
        <button
          type="button"
          onClick={async () => {
            const offered = await ratesNow();
            if (offered !== null) set(offered);
          }}
        >
          Take the rates that are offered now
        </button>
      </div>
    </div>
  );
}

function FailureLine({ failure: { reason, actual } }: { readonly failure: Failure }) {
  const { currency } = useSignedIn().shop;
  const offered = actual.map(
    ({ serviceCode, totalPrice }) => `${serviceCode} ${formatMoney(totalPrice, currency)}`,
  );
  return (
    <Notice kind="bad">
      <p>{reason}</p>
      {offered.length <= NAMED_MAX ? (
        <p class="quiet">Offered: {offered.join(', ') || 'nothing'}</p>
      ) : (
        <details>
          <summary>Offered are {offered.length} rates</summary>
          <ul class="lines quiet">
            {offered.map((rate, index) => (
              // Rates have no identity but their place: two may share a code.
              <li key={index}>{rate}</li>
            ))}
          </ul>
        </details>
      )}
    </Notice>
  );
}
