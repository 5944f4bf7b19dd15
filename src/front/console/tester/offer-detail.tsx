/** One method or blended rate in detail: where its price comes from, or why it has none. */
import { formatMoney } from '../amounts.ts';
import { useCurrency, useSignedIn } from '../app-state.ts';
import { DetailHeading } from '../parts/detail-heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { linkTo } from '../place.ts';
import {
  type BlendedEvaluation,
  type Column,
  columnTitle,
  type MethodEvaluation,
  type Offer,
  reasonText,
} from './answers.ts';
import type { Cart } from './cart.ts';
import { PriceChanges } from './price-changes.tsx';
import { PriceWaterfall } from './price-waterfall.tsx';
import { ProposedChangeLine } from './proposed-change-line.tsx';
import { RuleTree } from './rule-tree.tsx';

interface OfferDetailProps {
  readonly offer: Offer;
  readonly columns: readonly Column[];
  readonly cart: Cart;
  readonly at: string;
  readonly onCart: (cart: Cart) => void;
  readonly methodName: (id: string) => string;
}

export function OfferDetail({ offer, columns, cart, at, onCart, methodName }: OfferDetailProps) {
  const serviceCode = offer.evaluations.find((each) => each?.rate)?.rate?.serviceCode ?? null;
  return (
    <section class="stack" aria-label={offer.name}>
      <DetailHeading title={offer.name} />
      {offer.isBlended ? null : (
        <a href={linkTo('methods', { open: offer.id, cart: JSON.stringify(cart), at })}>Open the method</a>
      )}
      {columns.map(({ source }, index) => {
        const evaluation = offer.evaluations[index] ?? null;
        return (
          <div key={source} class="stack">
            {columns.length > 1 ? <h3 class="column-title">{columnTitle(source)}</h3> : null}
            {evaluation === null ? (
              <p class="quiet">This configuration does not consider it for this cart.</p>
            ) : 'methodId' in evaluation ? (
              <MethodDetail evaluation={evaluation} cart={cart} onCart={onCart} />
            ) : (
              <BlendedDetail evaluation={evaluation} methodName={methodName} />
            )}
          </div>
        );
      })}
      <PriceChanges cart={cart} at={at} serviceCode={serviceCode} />
    </section>
  );
}

interface MethodDetailProps extends Pick<OfferDetailProps, 'cart' | 'onCart'> {
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
export function PriceDetail({ evaluation, cart, onCart, beside, isNarrow = false }: PriceDetailProps) {
  const { visible, reason, whyNot, whyNotLimited } = evaluation;
  const currency = useCurrency(cart);
  return (
    <>
      {visible ? null : (
        <Notice kind="warning">
          <p>{reasonText(reason)}.</p>
          {whyNot ? (
            <ProposedChangeLine
              title="It would be offered after this change"
              whyNot={whyNot}
              cart={cart}
              onCart={onCart}
            />
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

function BlendedDetail({ evaluation, methodName }: BlendedDetailProps) {
  const { shop } = useSignedIn();
  const { rate, reason, components } = evaluation;
  const currency = rate?.currency ?? shop.currency;
  return (
    <>
      {reason === null ? null : <Notice kind="warning">{reasonText(reason)}.</Notice>}
      <table class="waterfall">
        <caption>What {evaluation.name} is made of</caption>
        <thead class="only-read">
          <tr>
            <th scope="col">Method</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {components.map(({ productGroupId, methodId, price }) => (
            <tr key={productGroupId}>
              <th scope="row">{methodId === null ? 'No method' : methodName(methodId)}</th>
              <td class="amount">{price === null ? '–' : formatMoney(price, currency)}</td>
            </tr>
          ))}
        </tbody>
        {rate === null ? null : (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td class="amount">
                <strong>{formatMoney(rate.totalPrice, currency)}</strong>
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </>
  );
}
