/** Records that no cart used lately, by kind: they could be removed, or are not reached as intended. */
import { useMemo } from 'preact/hooks';
import { Answered } from '../parts/answered.tsx';
import { LongList } from '../parts/long-list.tsx';
import { Notice } from '../parts/notice.tsx';
import type { Answer } from '../parts/use-answer.ts';
import { testerLink } from '../tester/tester-link.ts';
import { daysAgo, UNUSED_DAYS, unusedSinceMs } from './lately.ts';
import type { Config, Coverage, PlaceGrid } from './place-grid.ts';
import { type UnusedRecord, unusedRecords } from './unused-records.ts';

interface UnusedPanelProps {
  readonly config: Config;
  readonly coverage: Answer<Coverage>;
  readonly grid: PlaceGrid;
}

export function UnusedPanel({ config, coverage, grid }: UnusedPanelProps) {
  return (
    <section class="panel stack" aria-label="Not used" aria-busy={coverage.isLoading}>
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
  return (
    <>
      <p class="quiet">
        Carts since {new Date(coverage.since).toLocaleDateString()}: {coverage.simulations.toLocaleString()}.
        A record is counted from its creation, or from the last change of what it matches.
      </p>
      {kinds.length === 0 && coverage.simulations > 0 ? (
        <Notice kind="good">Everything was used.</Notice>
      ) : null}
      {kinds.map(({ kind, total, records }) => (
        <details key={kind}>
          <summary data-row>
            {kind}{' '}
            <span class="count">
              {records.length} of {total}
            </span>
          </summary>
          <LongList rows={records}>
            {(record) => (
              <>
                <UnusedName record={record} config={config} grid={grid} />{' '}
                <span class="quiet">
                  {record.lastUsedAt === null ? 'never' : `last ${daysAgo(record.lastUsedAt)}`}
                </span>
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
