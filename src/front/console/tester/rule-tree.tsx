/** The rules of a method with each condition: what it expects, what the cart has, and whether that matched. */
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { actionText, capitalized, expectedText, isMoney, words } from '../words.ts';
import type { MethodEvaluation } from './answers.ts';
import type { Cart } from './cart.ts';
import { ProposedChangeLine } from './proposed-change-line.tsx';

type RuleTrace = MethodEvaluation['ruleTraces'][number];
type ConditionTrace = RuleTrace['conditions'][number];

function valueText(type: string, value: ConditionTrace['actual'], currency: string): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? 'nothing' : value.map((each) => valueText(type, each, currency)).join(' · ');
  }
  if (typeof value === 'number') {
    if (isMoney(type)) return formatMoney(value, currency);
    return type.endsWith('weight') ? `${value} g` : String(value);
  }
  if (type === 'day_of_week' && value !== null) return capitalized(String(value));
  return value === '' ? 'nothing' : `“${value}”`;
}

const Mark = ({ matched }: { readonly matched: boolean }) => (
  <span class={`mark ${matched ? 'yes' : 'no'}`}>
    <span aria-hidden="true">{matched ? '✓' : '✕'}</span>
    <span class="only-read">{matched ? 'matched' : 'not matched'}</span>
  </span>
);

interface RuleTreeProps {
  readonly title?: string;
  readonly evaluation: MethodEvaluation;
  readonly cart: Cart;
  readonly onCart: (cart: Cart) => void;
}

export function RuleTree({ title = 'Rules', evaluation, onCart, cart }: RuleTreeProps) {
  const { ruleTraces } = evaluation;
  if (ruleTraces.length === 0) return <p class="quiet">This method has no rules.</p>;
  return (
    <section>
      <h3>
        {title} <span class="count">{ruleTraces.length}</span>
      </h3>
      {ruleTraces.map((rule) => (
        <details key={rule.ruleId} class="rule" open={rule.matched || rule.whyNot != null}>
          <summary>
            <Mark matched={rule.matched} />
            <span>
              <strong>{actionText(rule.action)}</strong> {rule.name || <code>{rule.ruleId}</code>}
            </span>
          </summary>
          {rule.conditions.length === 0 ? <p class="quiet">Always: it has no conditions.</p> : null}
          <ul class="conditions">
            {rule.conditions.map((condition, index) => (
              // Conditions have no identity but their place.
              <li key={index}>
                <ConditionLine condition={condition} />
              </li>
            ))}
          </ul>
          {rule.whyNot ? (
            <ProposedChangeLine
              title="It would match after this change"
              whyNot={rule.whyNot}
              cart={cart}
              onCart={onCart}
            />
          ) : null}
        </details>
      ))}
    </section>
  );
}

function ConditionLine({ condition }: { readonly condition: ConditionTrace }) {
  const { currency } = useSignedIn().shop;
  const { conditionType, operator, scope, actual, matched } = condition;
  const isOfItems = conditionType.startsWith('product_');
  return (
    <>
      <Mark matched={matched} />
      <div>
        <p>
          {words(conditionType)} {words(operator)} <strong>{expectedText(condition, currency)}</strong>
          {isOfItems ? <span class="quiet"> ({words(scope)})</span> : null}
        </p>
        <p class="quiet">the cart has {valueText(conditionType, actual, currency)}</p>
      </div>
    </>
  );
}
