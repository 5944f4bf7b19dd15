/** A cart without a rate: why, and what helps, as buttons. */
import { Button } from '@mantine/core';
import { type AppState, useApp, useSignedIn } from '../app-state.ts';
import { FirstSteps, Notice } from '../parts/notice.tsx';
import { NEW } from '../parts/use-record.ts';
import { linkTo } from '../place.ts';
import { BLANK_ZONE, ZONE_KIND } from '../zones/zone-kind.ts';
import type { Explained, MethodEvaluation } from './answers.ts';
import type { Cart } from './cart.ts';
import { type Obstacle, obstaclesOf, type ShopRecords, type Step } from './obstacles.ts';
import { ProposedChangeLine } from './rule-tree.tsx';

/** Changes of the cart that are proposed, the cheapest first. */
const PROPOSALS = 2;

const hrefOf = ({ page, parameters, isNew }: Step): string =>
  linkTo(page, isNew ? { open: NEW, ...parameters } : parameters);

/** The form of a new zone begins with the country, unless one is being filled. */
function begin(app: AppState, { zone }: Step): void {
  const name = `${ZONE_KIND.page} ${NEW}`;
  if (zone === undefined || app.drafts.has(name)) return;
  app.drafts.set(name, { base: BLANK_ZONE, draft: { ...BLANK_ZONE, ...zone }, foreign: null });
}

interface NoRateProps {
  readonly answer: Explained;
  readonly cart: Cart;
  readonly shop: ShopRecords;
}

export function NoRate({ answer, cart, shop }: NoRateProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  if (shop.zones.length === 0) {
    return (
      <Notice kind="info">
        <FirstSteps />
      </Notice>
    );
  }
  return (
    <Notice kind="warning">
      <p>
        <strong>This cart is offered no rate.</strong>
      </p>
      {obstaclesOf(answer, cart, shop).map(({ text, steps }) => (
        <div key={text} className="proposal">
          <p>{text}</p>
          {steps
            .filter(({ isNew }) => mayWrite || isNew !== true)
            .map((step) => (
              <Button key={step.text} component="a" href={hrefOf(step)} onClick={() => begin(app, step)}>
                {step.text}
              </Button>
            ))}
        </div>
      ))}
      <Proposals {...{ evaluations: answer.methodEvaluations, cart }} />
    </Notice>
  );
}

interface ProposalsProps extends Pick<NoRateProps, 'cart'> {
  readonly evaluations: readonly MethodEvaluation[];
}

/** Where methods are hidden: the changes of the cart that would show one. */
function Proposals({ evaluations, cart }: ProposalsProps) {
  const proposed = evaluations
    .filter(({ visible }) => !visible)
    .flatMap(({ methodName, whyNot }) => (whyNot ? [{ methodName, whyNot }] : []))
    .sort((a, b) => a.whyNot.totalPrice - b.whyNot.totalPrice)
    .slice(0, PROPOSALS);
  return (
    <>
      {proposed.map(({ methodName, whyNot }) => (
        <ProposedChangeLine
          key={methodName}
          title={`${methodName} would be offered after this change`}
          {...{ whyNot, cart }}
        />
      ))}
    </>
  );
}

/** A sentence with its links in the line. */
export const ObstacleLine = ({ obstacle: { text, steps } }: { obstacle: Obstacle }) => (
  <p>
    {text}
    {steps.map((step) => (
      <span key={step.text}>
        {' '}
        <a href={hrefOf(step)}>{step.text}</a>
      </span>
    ))}
  </p>
);
