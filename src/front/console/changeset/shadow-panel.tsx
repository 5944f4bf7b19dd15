/** How the rates of carts of customers would differ with the draft: those that came in since it was opened, and before. */
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import IconRefresh from '@tabler/icons-react/icons/IconRefresh';
import type { Schemas } from '../../client/call-table.ts';
import { formatDifference } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/notice.tsx';
import { type Column, DataTable, LongList, ScrolledTable, ShortName, useMore } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { counted } from '../words.ts';
import { impactText } from './draft-evidence.ts';
import { ShadowSample } from './samples.tsx';

type Shadow = Schemas['ShadowResults'];

interface ShadowPanelProps {
  readonly shadow: Shadow;
  readonly isBusy: boolean;
  readonly onReadAgain: () => void;
  /** Null where the key may not write. */
  readonly onReplay: (() => void) | null;
}

export function ShadowPanel({ shadow, isBusy, onReadAgain, onReplay }: ShadowPanelProps) {
  const { simulations, evaluated, different, dropped } = shadow;
  const { replayed, samples, coverage } = shadow;
  const isHidden = samples.length === 0 && different + replayed.different > 0;
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <h2>Carts of customers</h2>
        <Tooltip label="Read again">
          <ActionIcon variant="subtle" color="gray" aria-label="Read again" onClick={onReadAgain}>
            <IconRefresh size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <p>
        {simulations === 0
          ? 'No cart came in since the draft was opened.'
          : `Since the draft was opened: ${impactText(shadow, carts(evaluated))}.`}
        {dropped === 0 ? '' : ` ${dropped} more came too fast to be compared.`}
      </p>
      {replayed.runs === 0 ? null : (
        <p>
          Before it was opened: {impactText(replayed, carts(replayed.evaluated))}. The rules for publishing do
          not count them.
        </p>
      )}
      {onReplay === null ? null : (
        <Button className="start" loading={isBusy} onClick={onReplay}>
          Compare recent carts
        </Button>
      )}
      <ImpactTable title="By method" rows={Object.entries(shadow.byMethod).map(ofMethod)} />
      <ImpactTable title="By zone" rows={Object.entries(shadow.byZone).map(ofCarts)} />
      <ImpactTable title="By product group" rows={Object.entries(shadow.byGroup).map(ofCarts)} />
      {isHidden ? <p className="quiet">These carts are shown to keys that may write.</p> : null}
      {samples.length === 0 ? null : (
        <section>
          <h3>
            Carts with other rates <span className="count">{samples.length}</span>
          </h3>
          <LongList rows={samples} step={10} className="lines">
            {(sample) => <ShadowSample sample={sample} />}
          </LongList>
        </section>
      )}
      {coverage.seen === 0 ? null : <CoverageGrid coverage={coverage} />}
    </>
  );
}

const carts = (count: number): string => counted(count, 'cart');

interface Impact {
  readonly id: string;
  readonly name: string;
  /** The change, counted in carts; "" for none. */
  readonly text: string;
  readonly cents: number;
}

const ofMethod = ([id, method]: [string, Shadow['byMethod'][string]]): Impact => ({
  id,
  name: method.name,
  text: [
    [method.priceUp, 'dearer in'],
    [method.priceDown, 'cheaper in'],
    [method.appeared, 'new in'],
    [method.disappeared, 'gone from'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${what} ${carts(Number(count))}`)
    .join(', '),
  cents: method.differenceCents,
});

const ofCarts = ([id, place]: [string, Shadow['byZone'][string]]): Impact => ({
  id,
  name: place.name,
  text: place.different === 0 ? '' : `${place.different} of ${carts(place.evaluated)} with other rates`,
  cents: place.differenceCents,
});

/** Only rows with a difference. */
function ImpactTable({ title, rows }: { title: string; rows: readonly Impact[] }) {
  const { currency } = useSignedIn().shop;
  const changed = rows.filter(({ text }) => text !== '');
  const [shown, more] = useMore(changed, 20);
  if (changed.length === 0) return null;
  return (
    <>
      <DataTable
        label={title}
        caption={title}
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          [
            'Name',
            ({ name, text }) => (
              <>
                {name}
                <span className="description">{text}</span>
              </>
            ),
          ],
          ['Difference', ({ cents }) => formatDifference(cents, currency), 'amount'],
        ]}
      />
      {more}
    </>
  );
}

/** Columns of groups. */
const COLUMNS_MAX = 12;
const ROWS_STEP = 20;

interface CoverageGridProps {
  readonly coverage: Schemas['ShadowResults']['coverage'];
}

/** Which pairs of zone and product group the carts of the changeset touched. */
function CoverageGrid({ coverage }: CoverageGridProps) {
  const { calls } = useSignedIn();
  const answer = useAnswer(
    // Without `view`, because that of the changeset would be refused right after its end.
    (signal) => calls.getConfig({ signal }),
    [coverage.possible],
  );
  return (
    <section
      className="stack"
      aria-label="Zones and product groups that carts touched"
      aria-busy={answer.isLoading}
    >
      <h3>
        Zones and product groups{' '}
        <span className="count">
          {coverage.seen} of {coverage.possible} seen
        </span>
      </h3>
      <Answered answer={answer} what="the zones">
        {(config) => <Grid config={config} coverage={coverage} />}
      </Answered>
    </section>
  );
}

/** A sign, since columns of words do not fit a narrow window. */
const Seen = ({ isSeen }: { isSeen: boolean }) => (
  <span role="img" aria-label={isSeen ? 'seen' : 'not seen'} className={isSeen ? '' : 'quiet'}>
    {isSeen ? '✓' : '–'}
  </span>
);

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
      <ScrolledTable
        label="Seen by zone and product group"
        className="grid"
        rowClass={() => 'zone'}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          ['Zone', ({ name }) => <ShortName name={name} />],
          ...columns.map(
            ({ id, name }): Column<(typeof rows)[number]> => [
              name,
              (zone) => <Seen isSeen={!unseen.has(`${zone.id} ${id}`)} />,
            ],
          ),
        ]}
      />
      {more}
      {hidden > 0 ? <p className="quiet">{hidden} more product groups have no column here.</p> : null}
      {known.length < config.zones.length ? (
        <p className="quiet">
          {config.zones.length - known.length} more zones, with more pairs than are listed.
        </p>
      ) : null}
    </>
  );
}
