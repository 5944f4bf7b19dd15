/** A cart beside the editor: what it is offered now, and what it would be offered with the edit, before that is saved. */

import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { formatDifference, formatMoney, formatWeight } from '../amounts.ts';
import { useApp, useCurrency, useSignedIn } from '../app-state.ts';
import { Answered, FailureNotice, Notice } from '../parts/notice.tsx';
import { NOTHING } from '../parts/record-kind.ts';
import { type Column, DataTable, ShortName, useMore } from '../parts/rows.tsx';
import { useUnreadable } from '../parts/unreadable.ts';
import { type Answer, useAnswer } from '../parts/use-answer.ts';
import { LARGE_MS } from '../parts/use-replacement.ts';
import { testerLink } from '../place.ts';
import { type Explained, type MethodEvaluation, reasonText } from '../tester/answers.ts';
import { type Cart, cartName } from '../tester/cart.ts';
import { LinkedCartForm } from '../tester/cart-form.tsx';
import { amountIn } from '../tester/curve.ts';
import { PriceDetail } from '../tester/offer-detail.tsx';
import { RuleTree } from '../tester/rule-tree.tsx';
import { counted } from '../words.ts';
import { editedMethods, methodsData } from './bulk-edits.ts';
import { dataId } from './method-kind.ts';
import { type Config, codeOf, readTrial, type TrialInput, type Tried } from './trial.ts';
import { cartFor, zoneOf } from './trial-cart.ts';

interface TrialPanelProps extends TrialInput {
  readonly now: Answer<Explained>;
  /** null while nothing is edited. */
  readonly preview: Answer<Schemas['PreviewAnswer']> | null;
  /** What the edit lacks before it can be tried. */
  readonly missing: string | null;
  /** Why the service refused the edit, in sentences. */
  readonly refusals: readonly string[];
}

export function TrialPanel(props: TrialPanelProps) {
  const { config, draft, id, cart, at, now, preview, missing } = props;
  const app = useApp();
  const currency = useCurrency(cart);
  const cartFields = useUnreadable();
  const saved = config.checks.map(({ name, request }) => [name, request] as const);
  const setCart = (changed: Cart): void => app.set({ cart: JSON.stringify(changed) });
  const zone = zoneOf(config, draft.zoneId);
  const reached = now.value === null ? undefined : now.value.zone;
  const isElsewhere = reached !== undefined && zone !== undefined && reached?.id !== zone.id;
  const tried =
    missing !== null || preview?.value == null || preview.failure !== null
      ? null
      : readTrial(preview.value, props);
  const edited = tried?.answer ?? null;
  const own = { edited: ownOf(edited, dataId(id)), saved: ownOf(now.value, id) };
  const shown = edited === null ? own.saved : own.edited;
  const rules = edited === null ? (config.methods.find((each) => each.id === id)?.rules ?? []) : draft.rules;
  return (
    <>
      <div className="row between">
        <h2>Try it</h2>
        <a href={testerLink(cart, { at, open: id })}>Open in the rate tester</a>
      </div>
      <p className="quiet">
        {cartName(cart)}, {formatMoney(amountIn(cart, 'cart_total'), currency)},{' '}
        {formatWeight(amountIn(cart, 'cart_weight'))}
      </p>
      {isElsewhere ? (
        <Notice kind="warning">
          <p>
            This cart goes to {reached?.name ?? 'no zone'}, the method is for {zone.name}.
          </p>
          <Button size="compact-sm" onClick={() => setCart(cartFor(config, draft, []))}>
            Take a cart to {zone.name}
          </Button>
        </Notice>
      ) : null}
      {cartFields.isAny ? (
        <Notice kind="warning">A field of the cart cannot be read yet, so there are no rates.</Notice>
      ) : (
        <>
          <Answered answer={now} what="rates">
            {(answer) => (
              <TriedRates
                {...props}
                now={answer}
                tried={tried}
                currency={currency}
                nameOf={(code) => nameOfCode(config, code)}
              />
            )}
          </Answered>
          <div className="fields" aria-busy={preview?.isLoading === true}>
            <OwnPrice title="With the edit" answer={edited} id={dataId(id)} beside={own.saved} cart={cart} />
            <OwnPrice title="As it is saved" answer={now.value} id={id} beside={own.edited} cart={cart} />
          </div>
          {own.saved?.visible === false && !isElsewhere ? (
            <ProbeSearch
              {...{ config, id }}
              onCart={(cart, at) => app.set({ cart: JSON.stringify(cart), at })}
            />
          ) : null}
          {shown === undefined ? null : (
            <RuleTree
              title={edited === null ? 'Rules' : 'Rules with the edit'}
              evaluation={shown}
              cart={cart}
              amountOf={(ruleId) => rules.find((rule) => dataId(rule.id) === ruleId)}
            />
          )}
        </>
      )}
      <details>
        <summary>Change the cart</summary>
        <LinkedCartForm {...{ cart, saved }} fields={cartFields} />
      </details>
    </>
  );
}

const ownOf = (answer: Explained | null, id: string): MethodEvaluation | undefined =>
  answer?.methodEvaluations.find(({ methodId }) => methodId === id);

interface OwnPriceProps {
  readonly title: string;
  readonly answer: Explained | null;
  readonly id: string;
  /** The same method in the other answer. */
  readonly beside: MethodEvaluation | undefined;
  readonly cart: Cart;
}

/** The method's own price in an answer step by step, or why it is left out. */
function OwnPrice({ title, answer, id, ...shown }: OwnPriceProps) {
  const own = ownOf(answer, id);
  const left = answer?.notConsidered.find(({ methodId }) => methodId === id);
  if (answer === null || (own ?? left) === undefined) return null;
  const isBlended =
    own?.rate != null && !answer.rates.some(({ serviceCode }) => serviceCode === own.rate?.serviceCode);
  return (
    <section className="stack" aria-label={title}>
      <h3 className="section-title">{title}</h3>
      {left === undefined ? null : <Notice kind="warning">{reasonText(left.reason)}.</Notice>}
      {isBlended ? (
        <Notice kind="info">
          The cart has several product groups, for which blended rates are offered instead.
        </Notice>
      ) : null}
      {own === undefined ? null : <PriceDetail evaluation={own} {...shown} isNarrow />}
    </section>
  );
}

const nameOfCode = ({ methods, blendedRates }: Config, code: string): string =>
  [...methods, ...blendedRates].find(({ serviceCode }) => serviceCode === code)?.name ?? code;

interface TriedRatesProps extends Pick<TrialPanelProps, 'draft' | 'preview' | 'missing' | 'refusals'> {
  readonly now: Explained;
  readonly tried: Tried | null;
  readonly currency: string;
  readonly nameOf: (serviceCode: string) => string;
}

function TriedRates(props: TriedRatesProps) {
  const { now, tried, preview, draft, missing, refusals, currency, nameOf } = props;
  const before = now.rates.map(({ serviceCode, serviceName, totalPrice }) => ({
    code: serviceCode,
    name: serviceName,
    price: totalPrice,
  }));
  const isOwn = (code: string): boolean => code === codeOf(draft);
  const added = (tried?.answer.rates ?? [])
    .filter(({ serviceCode }) => !before.some(({ code }) => code === serviceCode))
    .map(({ serviceCode }) => ({
      code: serviceCode,
      name: isOwn(serviceCode) ? draft.name || 'New method' : nameOf(serviceCode),
      price: null,
    }));
  const [rows, more] = useMore([...before, ...added], undefined, ({ code }) => isOwn(code));
  return (
    <div className="stack" aria-busy={preview?.isLoading === true}>
      {preview === null ? (
        <p className="quiet">Nothing is edited yet. An edit is shown here before it is saved.</p>
      ) : null}
      {preview === null || missing === null ? null : (
        <p className="quiet">The edit is tried when it is whole: {missing}.</p>
      )}
      {preview?.failure == null || missing !== null ? null : refusals.length === 0 ? (
        <FailureNotice failure={preview.failure} />
      ) : (
        <Notice kind="warning">
          <p>The edit cannot be saved or tried as it is:</p>
          <ul className="lines">
            {refusals.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
      {rows.length === 0 ? (
        <p className="quiet">This cart is offered no rate.</p>
      ) : (
        <DataTable
          label="Rates of the cart"
          rows={rows}
          keyOf={({ code }) => code}
          rowClass={({ code }) => (isOwn(code) ? 'own' : '')}
          columns={[
            ['Rate', ({ name }) => <ShortName name={name} />],
            ['Now', ({ price }) => (price === null ? '–' : formatMoney(price, currency)), 'amount'],
            ...(preview === null
              ? []
              : [
                  [
                    'With the edit',
                    ({ code, price }) =>
                      tried === null ? (
                        <span className="quiet">{preview.isLoading ? '…' : '–'}</span>
                      ) : (
                        <EditedPrice before={price} tried={tried} code={code} currency={currency} />
                      ),
                    'amount',
                  ] satisfies Column<(typeof rows)[number]>,
                ]),
          ]}
        />
      )}
      {more}
      {tried?.warnings.map((warning) => (
        <Notice key={warning} kind="info">
          {warning}
        </Notice>
      ))}
    </div>
  );
}

interface EditedPriceProps {
  readonly before: number | null;
  readonly tried: Tried;
  readonly code: string;
  readonly currency: string;
}

function EditedPrice({ before, tried, code, currency }: EditedPriceProps) {
  const after = tried.answer.rates.find(({ serviceCode }) => serviceCode === code)?.totalPrice ?? null;
  if (after === null) return <span className="reason">not offered</span>;
  const difference = before === null ? 0 : after - before;
  return (
    <>
      <strong>{formatMoney(after, currency)}</strong>
      {difference === 0 ? null : <span className="difference">{formatDifference(difference, currency)}</span>}
    </>
  );
}

interface ProbeSearchProps {
  readonly config: Config;
  readonly id: string;
  readonly onCart: (cart: Cart, at: string) => void;
}

/**
 * Finds a cart that is offered a method: the smallest of the carts made from the values of the configuration which would get
 * other rates without the method.
 */
function ProbeSearch({ config, id, onCart }: ProbeSearchProps) {
  const { calls } = useSignedIn();
  const [isWanted, setWanted] = useState(false);
  const { value, failure, isLoading } = useAnswer(
    async (signal) => {
      if (!isWanted) return NOTHING;
      const methods = methodsData(editedMethods(config.methods, new Set([id]), { kind: 'disable' })) ?? [];
      const body = { action: 'preview', data: { methods } } as const;
      const preview = await calls.replaceConfig(body, { signal, deadlineMs: LARGE_MS });
      const [found] = preview.ok ? preview.value.effects.samples : [];
      if (found !== undefined) {
        setWanted(false);
        onCart(found.request, found.at);
      }
      return preview;
    },
    [isWanted, id],
  );
  return (
    <>
      {isWanted && value !== null && !isLoading ? (
        <p className="quiet">
          None of {counted(value.effects.probes, 'cart')} made from the values of this shop is offered it.
        </p>
      ) : (
        <Button className="start" loading={isWanted && isLoading} onClick={() => setWanted(true)}>
          Find a cart that is offered it
        </Button>
      )}
      <FailureNotice failure={failure} />
    </>
  );
}
