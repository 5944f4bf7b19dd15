/** One method or blended rate in detail: where its price comes from, or why it has none. */

import { formatMoney } from '../amounts.ts';
import { useCurrency, useSignedIn } from '../app-state.ts';
import { Notice } from '../parts/notice.tsx';
import { DetailHeading } from '../parts/page.tsx';
import { DataTable } from '../parts/rows.tsx';
import { useConditionNames } from '../parts/use-record-names.ts';
import { linkTo } from '../place.ts';
import {
  type BlendedEvaluation,
  type Column,
  columnTitle,
  type Explained,
  type MethodEvaluation,
  type Offer,
  reasonSentence,
  reasonText,
} from './answers.ts';
import type { Cart } from './cart.ts';
import { PriceChanges } from './price-changes.tsx';
import { PriceWaterfall } from './price-waterfall.tsx';
import { ProposedChangeLine, RuleTree } from './rule-tree.tsx';

interface OfferDetailProps {
  readonly offer: Offer;
  readonly columns: readonly Column[];
  readonly cart: Cart;
  readonly at: string;
  readonly methodName: (id: string) => string;
  /** Rates of the cart now. */
  readonly rates: Explained['rates'];
}

export function OfferDetail({ offer, columns, cart, at, methodName, rates }: OfferDetailProps) {
  const serviceCode = offer.evaluations.find((each) => each?.rate)?.rate?.serviceCode ?? null;
  return (
    <section className="stack" aria-label={offer.name}>
      <DetailHeading title={offer.name} />
      {offer.isBlended ? null : (
        <a href={linkTo('methods', { open: offer.id, cart: JSON.stringify(cart), at })}>Open the method</a>
      )}
      {columns.map(({ source }, index) => {
        const evaluation = offer.evaluations[index] ?? null;
        return (
          <div key={source} className="stack">
            {columns.length > 1 ? <h3 className="section-title">{columnTitle(source)}</h3> : null}
            {evaluation === null ? (
              <p className="quiet">This configuration does not consider it for this cart.</p>
            ) : 'methodId' in evaluation ? (
              <MethodDetail evaluation={evaluation} cart={cart} />
            ) : (
              <BlendedDetail evaluation={evaluation} methodName={methodName} />
            )}
          </div>
        );
      })}
      <PriceChanges {...{ cart, at, serviceCode, rates }} />
    </section>
  );
}

interface MethodDetailProps extends Pick<OfferDetailProps, 'cart'> {
  readonly evaluation: MethodEvaluation;
}

const MethodDetail = (props: MethodDetailProps) => (
  <>
    <PriceDetail {...props} />
    <RuleTree {...props} />
  </>
);

interface PriceDetailProps extends MethodDetailProps {
  /** The evaluation whose price is shown beside this one. */
  readonly beside?: MethodEvaluation | undefined;
  readonly isNarrow?: boolean;
}

/** Why the method is hidden, and how its price came about. */
export function PriceDetail({ evaluation, cart, beside, isNarrow = false }: PriceDetailProps) {
  const { visible, whyNot, whyNotLimited } = evaluation;
  const currency = useCurrency(cart);
  const { shop } = useSignedIn();
  const nameOf = useConditionNames(
    visible ? [] : evaluation.ruleTraces.flatMap(({ conditions }) => conditions),
  );
  return (
    <>
      {visible ? null : (
        <Notice kind="warning">
          <p>{reasonSentence(evaluation, { currency: shop.currency, nameOf })}.</p>
          {whyNot ? (
            <ProposedChangeLine title="It would be offered after this change" whyNot={whyNot} cart={cart} />
          ) : (
            <p>
              {whyNotLimited
                ? 'No single change was found that would show it.'
                : 'No single change of the cart would show it.'}
            </p>
          )}
        </Notice>
      )}
      <PriceWaterfall {...{ evaluation, currency, beside, isNarrow }} />
    </>
  );
}

interface BlendedDetailProps extends Pick<OfferDetailProps, 'methodName'> {
  readonly evaluation: BlendedEvaluation;
}

export function BlendedDetail({ evaluation, methodName }: BlendedDetailProps) {
  const { shop } = useSignedIn();
  const { rate, reason, components } = evaluation;
  const currency = rate?.currency ?? shop.currency;
  const nameOf = ({ methodId }: (typeof components)[number]): string =>
    methodId === null ? 'No method' : methodName(methodId);
  const total = rate === null ? [] : [['Total', rate.totalPrice] as const];
  return (
    <>
      {reason === null ? null : <Notice kind="warning">{reasonText(reason)}.</Notice>}
      <DataTable
        label={`What ${evaluation.name} is made of`}
        caption={`What ${evaluation.name} is made of`}
        rows={[...components.map((part) => [nameOf(part), part.price] as const), ...total]}
        columns={[
          ['Method', ([name]) => name],
          ['Price', ([, price]) => (price === null ? '–' : formatMoney(price, currency)), 'amount'],
        ]}
      />
    </>
  );
}
