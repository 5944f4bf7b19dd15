/** Records that no cart used lately, by kind: they could be removed, or are not reached as intended. */
import { useMemo } from 'react';
import { dayText, numberText } from '../english.ts';
import { Answered, Notice } from '../parts/notice.tsx';
import { LongList } from '../parts/rows.tsx';
import type { Answer } from '../parts/use-answer.ts';
import { linkTo, testerLink } from '../place.ts';
import { daysAgo, UNUSED_DAYS, unusedSinceMs } from './lately.ts';
import type { Config, Coverage, PlaceGrid } from './place-grid.ts';
import { NEVER_OFFERED, type UnusedRecord, unusedRecords } from './unused-records.ts';

/** Names that are shown of a kind at first. */
const STEP = 5;

interface UnusedPanelProps {
  readonly config: Config;
  readonly coverage: Answer<Coverage>;
  readonly grid: PlaceGrid;
}

export function UnusedPanel({ config, coverage, grid }: UnusedPanelProps) {
  return (
    <section className="panel stack" aria-label="Not used" aria-busy={coverage.isLoading}>
      <h2>Not used for {UNUSED_DAYS} days</h2>
      <Answered answer={coverage} what="the counts">
        {(counts) => <Kinds config={config} coverage={counts} grid={grid} />}
      </Answered>
    </section>
  );
}

type KindsProps = Pick<UnusedPanelProps, 'config' | 'grid'> & { readonly coverage: Coverage };

function Kinds({ config, coverage, grid }: KindsProps) {
  const kinds = useMemo(() => unusedRecords(config, coverage, unusedSinceMs()), [config, coverage]);
  if (coverage.simulations === 0) {
    return (
      <p>
        No checkout has asked for rates since {dayText(coverage.since)}, so nothing can be said yet. Carts
        that are tried in the <a href={linkTo('tester')}>rate tester</a> do not count; a checkout asks as the{' '}
        <a href="/docs">documentation</a> says.
      </p>
    );
  }
  return (
    <>
      <p className="quiet">
        {numberText(coverage.simulations)} {coverage.simulations === 1 ? 'cart' : 'carts'} since{' '}
        {dayText(coverage.since)}. A record is counted from its creation, or from the last change of what it
        matches.
      </p>
      {kinds.length === 0 ? <Notice kind="good">Everything was used.</Notice> : null}
      {kinds.map(({ kind, total, records }) => (
        <details key={kind} open={kind === NEVER_OFFERED}>
          <summary data-row>
            {kind}{' '}
            <span className="count">
              {records.length} of {total}
            </span>
          </summary>
          <LongList rows={records} step={STEP}>
            {(record) => (
              <>
                <UnusedName record={record} config={config} grid={grid} />{' '}
                {kind === NEVER_OFFERED ? null : (
                  <span className="quiet">
                    {record.lastUsedAt === null ? 'never' : `last ${daysAgo(record.lastUsedAt)}`}
                  </span>
                )}
              </>
            )}
          </LongList>
        </details>
      ))}
    </>
  );
}

interface UnusedNameProps extends Pick<UnusedPanelProps, 'config' | 'grid'> {
  readonly record: UnusedRecord;
}

/** A method leads to the tester with a cart that considers it. */
function UnusedName({ record: { name, methodId }, config, grid }: UnusedNameProps) {
  const method = methodId === null ? undefined : config.methods.find(({ id }) => id === methodId);
  const row = grid.rows.find(({ zone, subzone }) => (subzone ?? zone).id === method?.zoneId);
  const group = grid.groups.find(({ id }) => id === method?.productGroupId);
  const cart = row === undefined || group === undefined ? null : grid.cart(row, group);
  if (methodId === null || cart === null) return <>{name}</>;
  return <a href={testerLink(cart, { columns: 'live', open: methodId })}>{name}</a>;
}
