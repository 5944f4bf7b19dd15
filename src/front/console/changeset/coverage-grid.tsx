/** Which pairs of zone and product group the carts of the changeset touched. */
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { GridTable } from '../parts/grid-table.tsx';
import { useMore } from '../parts/long-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';

/** Columns of groups. */
const COLUMNS_MAX = 12;
const ROWS_STEP = 20;

interface CoverageGridProps {
  readonly coverage: Schemas['ShadowResults']['coverage'];
}

export function CoverageGrid({ coverage }: CoverageGridProps) {
  const { calls } = useSignedIn();
  const answer = useAnswer(
    // Without `view`, because that of the changeset would be refused right after its end.
    (signal) => calls.getConfig({ signal }),
    [coverage.possible],
  );
  return (
    <section
      class="stack"
      aria-label="Zones and product groups that carts touched"
      aria-busy={answer.isLoading}
    >
      <h3>
        Zones and product groups{' '}
        <span class="count">
          {coverage.seen} of {coverage.possible} seen
        </span>
      </h3>
      <Answered answer={answer} what="the zones">
        {(config) => <Grid config={config} coverage={coverage} />}
      </Answered>
    </section>
  );
}

function Grid({ config, coverage }: CoverageGridProps & { readonly config: Schemas['ConfigSnapshot'] }) {
  const { missing, possible, seen } = coverage;
  const unseen = new Set(missing.map(({ zoneId, productGroupId }) => `${zoneId} ${productGroupId}`));
  const last = missing.at(-1)?.zoneId;
  // The service lists the first missing pairs only: later zones are unknown.
  const known =
    missing.length < possible - seen
      ? config.zones.slice(
          0,
          config.zones.findIndex(({ id }) => id === last),
        )
      : config.zones;
  const [rows, more] = useMore(known, ROWS_STEP);
  const columns = config.productGroups.slice(0, COLUMNS_MAX);
  const hidden = config.productGroups.length - columns.length;
  return (
    <>
      <GridTable
        label="Seen by zone and product group"
        groups={columns}
        rows={rows}
        placeOf={(zone) => zone}
        cell={(zone, group) =>
          unseen.has(`${zone.id} ${group.id}`) ? <span class="gap">✕ not seen</span> : <span>✓ seen</span>
        }
      />
      {more}
      {hidden > 0 ? <p class="quiet">{hidden} more product groups have no column here.</p> : null}
      {known.length < config.zones.length ? (
        <p class="quiet">{config.zones.length - known.length} more zones, with more pairs than are listed.</p>
      ) : null}
    </>
  );
}
