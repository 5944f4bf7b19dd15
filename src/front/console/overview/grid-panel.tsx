/**
 * The grid of places by product groups. A shop may have thousands of both: rows are searched and shown some at a time,
 * groups in parts. What is searched and which groups are shown is in the link.
 */
import { useMemo } from 'react';
import { useApp } from '../app-state.ts';
import { CheckField, ChoiceField, TextField } from '../parts/field.tsx';
import { FirstSteps } from '../parts/notice.tsx';
import { type Column, ScrolledTable, ShortName, useMore } from '../parts/rows.tsx';
import { testerLink } from '../place.ts';
import { countryOptions } from '../place-names.ts';
import { counted } from '../words.ts';
import { daysAgo, UNUSED_DAYS, unusedSinceMs } from './lately.ts';
import type { PlaceGrid, PlaceRow } from './place-grid.ts';

const ROWS_STEP = 40;
const GROUPS_SHOWN = 5;

interface GridPanelProps {
  readonly grid: PlaceGrid;
  /** Counts of live simulations are there. */
  readonly isCounted: boolean;
}

export function GridPanel({ grid, isCounted }: GridPanelProps) {
  const app = useApp();
  const { find = '', gaps = '', groups: from = '0' } = app.place.value.parameters;
  const countries = useMemo(() => new Map(countryOptions()), []);
  const wanted = find.trim().toLowerCase();
  const rows = grid.rows.filter((row) => (gaps === '' || row.gaps > 0) && isNamed(row, wanted, countries));
  const [shown, more] = useMore(rows, ROWS_STEP);
  if (grid.rows.length === 0) {
    return (
      <>
        <h2>Zones and product groups</h2>
        <FirstSteps />
      </>
    );
  }
  const first = Math.min(Math.max(0, Number(from) || 0), grid.groups.length - 1);
  const groups = grid.groups.slice(first, first + GROUPS_SHOWN);
  return (
    <>
      <div className="row between wrap">
        <h2>
          Zones and product groups{' '}
          <span className={`badge ${grid.gaps > 0 ? 'warning' : ''}`}>{counted(grid.gaps, 'gap')}</span>
        </h2>
        <CheckField
          label="With gaps only"
          value={gaps !== ''}
          onValue={(isOnly) => app.set({ gaps: isOnly ? 'only' : '' })}
        />
      </div>
      <div className="fields">
        <TextField
          label="Zone, subzone or country"
          type="search"
          placeholder="Alaska, Germany, FR"
          value={find}
          onValue={(text) => app.set({ find: text })}
        />
        {grid.groups.length <= GROUPS_SHOWN ? null : (
          <ChoiceField
            label="Product groups"
            value={String(first)}
            options={groupParts(grid.groups)}
            onValue={(value) => app.set({ groups: value })}
          />
        )}
      </div>
      {rows.length === 0 ? (
        <p className="quiet">No zone or subzone matches.</p>
      ) : (
        <ScrolledTable
          label="Methods by place and product group"
          className="grid"
          rows={shown}
          keyOf={({ zone, subzone }) => (subzone ?? zone).id}
          rowClass={({ subzone }) => (subzone === null ? 'zone' : '')}
          columns={[
            ['Zone', ({ zone, subzone }) => <ShortName name={(subzone ?? zone).name} />],
            ...groups.map(
              (group, at): Column<PlaceRow> => [
                group.name,
                (row) => <Cell {...{ grid, row, group, isCounted }} isFirst={at === 0} />,
              ],
            ),
          ]}
        />
      )}
      {more}
    </>
  );
}

/** `countries`: code to name and code, as people search for either. */
const isNamed = (
  { zone, subzone }: PlaceRow,
  wanted: string,
  countries: ReadonlyMap<string, string>,
): boolean =>
  wanted === '' ||
  [zone.name, subzone?.name ?? '', ...zone.countries.map((code) => countries.get(code) ?? code)].some(
    (name) => name.toLowerCase().includes(wanted),
  );

const groupParts = (groups: PlaceGrid['groups']): (readonly [string, string])[] =>
  groups.flatMap(({ name }, at) =>
    at % GROUPS_SHOWN === 0
      ? [[String(at), `${at + 1} to ${Math.min(at + GROUPS_SHOWN, groups.length)}: ${name}, …`] as const]
      : [],
  );

interface CellProps extends GridPanelProps {
  readonly row: PlaceRow;
  readonly group: PlaceGrid['groups'][number];
  readonly isFirst: boolean;
}

function Cell({ grid, row, group, isCounted, isFirst }: CellProps) {
  const { methods, isOfZone, disabled, lastOfferedAt } = grid.cell(row, group.id);
  const cart = grid.cart(row, group);
  const text = methods === 0 ? 'None' : isOfZone ? 'As the zone' : counted(methods, 'method');
  const isStale = lastOfferedAt !== null && Date.parse(lastOfferedAt) < unusedSinceMs();
  return (
    <>
      {methods === 0 ? (
        <span className="mark" aria-hidden="true">
          ✕
        </span>
      ) : null}{' '}
      {cart === null ? (
        <span title="Another zone has all of its countries">{text}</span>
      ) : (
        <a
          data-row={isFirst || undefined}
          className={methods === 0 ? 'gap' : isOfZone ? 'quiet' : ''}
          aria-label={`${text}: ${(row.subzone ?? row.zone).name}, ${group.name}`}
          href={testerLink(cart, { columns: 'live' })}
        >
          {text}
        </a>
      )}
      {methods > 0 && !isOfZone && isCounted ? (
        <span className={isStale ? 'reason' : 'description'}>
          {lastOfferedAt === null
            ? 'never offered'
            : isStale
              ? `not for ${UNUSED_DAYS} days`
              : `offered ${daysAgo(lastOfferedAt)}`}
        </span>
      ) : null}
      {disabled > 0 && methods === 0 ? <span className="description">{disabled} disabled</span> : null}
    </>
  );
}
