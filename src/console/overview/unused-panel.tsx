/** What no cart used lately, by kind: what could be removed, or is not reached as it was meant. */
import { useMemo } from 'preact/hooks';
import { LongList } from '../parts/long-list.tsx';
import { FailureNotice, Loading, Notice } from '../parts/notice.tsx';
import type { Answer } from '../parts/use-answer.ts';
import { formatPlace } from '../place.ts';
import { daysAgo, UNUSED_DAYS, unusedSinceMs } from './lately.ts';
import type { Config, Coverage, PlaceGrid } from './place-grid.ts';
import { type UnusedRecord, unusedRecords } from './unused-records.ts';

interface UnusedPanelProps {
  readonly config: Config;
  readonly coverage: Answer<Coverage>;
  readonly grid: PlaceGrid;
}

export function UnusedPanel({ config, coverage: { value, failure, isLoading }, grid }: UnusedPanelProps) {
  return (
    <section class="panel stack" aria-label="Not used" aria-busy={isLoading}>
      <h2>Not used for {UNUSED_DAYS} days</h2>
      <FailureNotice failure={failure} />
      {value === null ? (
        isLoading && <Loading what="the counts" />
      ) : (
        <Kinds config={config} coverage={value} grid={grid} />
      )}
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
        A record counts from when it was made, or changed in what it matches.
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
  const parameters = { cart: JSON.stringify(cart), columns: 'live', open: methodId };
  return <a href={formatPlace({ page: 'tester', parameters })}>{name}</a>;
}
