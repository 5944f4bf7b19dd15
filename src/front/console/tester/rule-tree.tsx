/** The rules of a method with each condition: what it expects, what the cart has, and whether that matched. */

import { Button } from '@mantine/core';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney, formatWeight } from '../amounts.ts';
import { useApp, useCurrency, useSignedIn } from '../app-state.ts';
import { useConditionNames } from '../parts/use-record-names.ts';
import { conditionSentence, measureOf, ruleSentence, sizeText } from '../rule-words.ts';
import { capitalized } from '../words.ts';
import type { MethodEvaluation } from './answers.ts';
import { applyChange, type Cart, changeText } from './cart.ts';

type RuleTrace = MethodEvaluation['ruleTraces'][number];
type ConditionTrace = RuleTrace['conditions'][number];

function valueText(type: string, value: ConditionTrace['actual'], currency: string): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? 'nothing' : value.map((each) => valueText(type, each, currency)).join(' · ');
  }
  if (typeof value === 'number') {
    const measure = measureOf(type);
    if (measure === 'money') return formatMoney(value, currency);
    if (measure === 'weight') return formatWeight(value);
    return measure === 'size' ? sizeText(value) : String(value);
  }
  if (type === 'day_of_week' && value !== null) return capitalized(String(value));
  return value === '' ? 'nothing' : `“${value}”`;
}

const Mark = ({ matched }: { matched: boolean }) => (
  <span className={`mark ${matched ? 'yes' : 'no'}`}>
    <span aria-hidden="true">{matched ? '✓' : '✕'}</span>
    <span className="only-read">{matched ? 'matched' : 'not matched'}</span>
  </span>
);

interface RuleTreeProps {
  readonly title?: string;
  readonly evaluation: MethodEvaluation;
  readonly cart: Cart;
  /** What a rule adds or subtracts, where it is known: an answer does not say it. */
  readonly amountOf?: (ruleId: string) => RuleAmount | undefined;
}

interface RuleAmount {
  readonly adjustmentType?: string;
  readonly adjustmentValue?: number | null;
}

export function RuleTree({ title = 'Rules', evaluation, cart, amountOf }: RuleTreeProps) {
  const { ruleTraces } = evaluation;
  const { currency } = useSignedIn().shop;
  const nameOf = useConditionNames(ruleTraces.flatMap(({ conditions }) => conditions));
  if (ruleTraces.length === 0) return <p className="quiet">This method has no rules.</p>;
  return (
    <section>
      <h3>
        {title} <span className="count">{ruleTraces.length}</span>
      </h3>
      {ruleTraces.map((rule) => (
        <details key={rule.ruleId} className="rule" open={rule.matched || rule.whyNot != null}>
          <summary>
            <Mark matched={rule.matched} />
            <span>
              <strong>{ruleSentence({ ...amountOf?.(rule.ruleId), ...rule }, { currency, nameOf })}</strong>{' '}
              <span className="quiet">{rule.name}</span>
            </span>
          </summary>
          <ul className="conditions">
            {rule.conditions.map((condition, index) => (
              // Conditions have no identity but their place.
              <li key={index}>
                <ConditionLine {...{ condition, nameOf }} />
              </li>
            ))}
          </ul>
          {rule.whyNot ? (
            <ProposedChangeLine title="It would match after this change" whyNot={rule.whyNot} cart={cart} />
          ) : null}
        </details>
      ))}
    </section>
  );
}

interface ConditionLineProps {
  readonly condition: ConditionTrace;
  readonly nameOf: (id: string) => string | undefined;
}

function ConditionLine({ condition, nameOf }: ConditionLineProps) {
  const { currency } = useSignedIn().shop;
  const { conditionType, actual, matched } = condition;
  return (
    <>
      <Mark matched={matched} />
      <div>
        <p>{capitalized(conditionSentence(condition, { currency, nameOf }))}</p>
        <p className="quiet">the cart has {valueText(conditionType, actual, currency)}</p>
      </div>
    </>
  );
}

interface ProposedChangeLineProps {
  readonly title: string;
  readonly whyNot: Schemas['WhyNot'];
  readonly cart: Cart;
}

/** The smallest change of the cart that would turn a refusal, with a button that makes it in the link. */
export function ProposedChangeLine({ title, whyNot, cart }: ProposedChangeLineProps) {
  const app = useApp();
  const currency = useCurrency(cart);
  const { change, totalPrice } = whyNot;
  const text = changeText(cart, change, currency);
  return (
    <div className="proposal">
      <p>
        {title}: <strong>{text}</strong>. The price would be {formatMoney(totalPrice, currency)}.
      </p>
      <Button
        onClick={() => {
          app.set({ cart: JSON.stringify(applyChange(cart, change)) });
          app.say(`Changed the cart: ${text}`);
        }}
      >
        Apply to the cart
      </Button>
    </div>
  );
}
