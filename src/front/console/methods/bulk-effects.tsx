/** What an edit of several methods would do: each price before and after, carts, checks, findings, and what is refused. */

import type { CallFailure } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { formatDifference } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { pathText } from '../labels.ts';
import { Consequences, isNothing } from '../parts/consequences.tsx';
import { FailureNotice, Notice } from '../parts/notice.tsx';
import { DataTable, useMore } from '../parts/rows.tsx';
import { fieldErrors } from '../service.ts';
import { listed } from '../words.ts';
import { type editedMethods, isPriced } from './bulk-edits.ts';
import type { Method } from './method-kind.ts';
import { pricesOf, priceText } from './method-rows.ts';
import type { Config } from './trial.ts';

const CHANGES_SHOWN = 8;
/** Methods that a sentence names. */
const NAMED_MAX = 4;

type Edited = ReturnType<typeof editedMethods>[number];

interface ReviewProps {
  readonly before: Config;
  /** Those whose prices the edit does not change, though they were selected. */
  readonly unpriced: readonly Method[];
  readonly edited: readonly Edited[];
  readonly preview: Schemas['PreviewAnswer'];
}

interface ReviewFailureProps {
  readonly answer: CallFailure | null;
  readonly methods: readonly Method[];
}

/** Refusals with the names of methods in place of their numbers in the body. */
export function ReviewFailure({ answer, methods }: ReviewFailureProps) {
  const errors = [...fieldErrors(answer)].filter(([path]) => path.startsWith('/data/methods/'));
  if (errors.length === 0) return <FailureNotice failure={answer} />;
  return (
    <Notice kind="bad">
      <ul className="lines">
        {errors.map(([path, text]) => {
          const [, , , place = '', ...rest] = path.split('/');
          return (
            <li key={path}>
              <strong>{methods[Number(place)]?.name ?? 'A copy'}</strong>
              {rest.length === 0 ? '' : `, ${pathText(`/${rest.join('/')}`)}`}: {text}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

/** What the edit changes, record by record, and what that does. */
export function Review({ before, unpriced, edited, preview }: ReviewProps) {
  const { currency } = useSignedIn().shop;
  const old = new Map(before.methods.map((method) => [method.id, method]));
  const changes = edited.flatMap((method) => {
    const was = old.get(method.id ?? '');
    return was !== undefined && method !== was ? [[was, method as Method] as const] : [];
  });
  const priced = changes.filter(
    ([was, now]) => isPriced(was) && priceText(was, currency) !== priceText(now, currency),
  );
  const [rows, more] = useMore(priced, CHANGES_SHOWN);
  const left =
    unpriced.length === 0 ? null : (
      <Notice kind="warning">
        Not changed:{' '}
        {listed(
          unpriced.map(({ name }) => name),
          NAMED_MAX,
        )}
        . A share of the cart, and what is free, has no price that this changes.
      </Notice>
    );
  if (isNothing(preview)) return left ?? <p className="quiet">This changes nothing.</p>;
  return (
    <>
      {left}
      {priced.length === 0 ? null : (
        <DataTable
          label="Prices before and after"
          rows={rows}
          keyOf={([was]) => was.id}
          columns={[
            ['Method', ([was]) => was.name],
            ['Now', ([was]) => priceText(was, currency), 'amount quiet'],
            [
              'Then',
              ([was, now]) => (
                <>
                  <strong>{priceText(now, currency)}</strong> <Change was={was} now={now} />
                </>
              ),
              'amount',
            ],
          ]}
        />
      )}
      {more}
      <Consequences preview={preview} />
    </>
  );
}

/** The difference of a price that is one amount. */
function Change({ was, now }: { was: Method; now: Method }) {
  const { currency } = useSignedIn().shop;
  const [before, after] = [pricesOf(was), pricesOf(now)];
  if (before === null || after === null || before[0] !== before[1]) return null;
  return <span className="quiet">{formatDifference(after[0] - before[0], currency)}</span>;
}
