/**
 * Methods as a table: searched, filtered and sorted by the link, with the columns that the reader chose, prices edited in
 * their cells and several methods changed at once. Beside an open method it is a list of names and prices.
 */
import { ActionIcon, Button, Checkbox, Menu, Table, UnstyledButton } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown';
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp';
import IconColumns from '@tabler/icons-react/icons/IconColumns3';
import IconTestPipe from '@tabler/icons-react/icons/IconTestPipe';
import { useMemo, useState } from 'react';
import { formatMoney } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { PRICES } from '../drafts.ts';
import { dayText } from '../english.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { useMore } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { linkTo, testerLink } from '../place.ts';
import { zoneOptions } from '../place-names.ts';
import { recentCarts } from '../tester/recent-carts.ts';
import { counted, rateTypeText } from '../words.ts';
import { BulkBar } from './bulk-bar.tsx';
import {
  COLUMNS,
  type Column,
  FIRST_COLUMNS,
  fittingRows,
  type MethodRow,
  methodRows,
  priceText,
  type SortColumn,
  STATES,
  sortedRows,
} from './method-rows.ts';
import { PriceCell } from './price-cell.tsx';
import type { Config } from './trial.ts';
import { cartFor } from './trial-cart.ts';

/** Rows that are shown at first, and again with each "more". */
const ROWS_STEP = 100;
const STORED_COLUMNS = 'ratewright-method-columns';
/** Where the new prices are kept that are typed and not saved. */
const NO_PRICES: ReadonlyMap<string, number> = new Map();
const PRICES_DRAFT = `methods ${PRICES}`;

function storedColumns(): ReadonlySet<Column> {
  const stored = localStorage.getItem(STORED_COLUMNS)?.split(' ') ?? FIRST_COLUMNS;
  return new Set((Object.keys(COLUMNS) as Column[]).filter((column) => stored.includes(column)));
}

export function MethodTable({ config, openId }: { config: Config; openId: string }) {
  const app = useApp();
  const { calls, mayWrite } = useSignedIn();
  const { find = '', zone = '', group = '', state = '', sort = '' } = app.place.value.parameters;
  const [chosen, setChosen] = useState(storedColumns);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const prices = (app.drafts.get(PRICES_DRAFT) as ReadonlyMap<string, number> | undefined) ?? NO_PRICES;
  const [, redraw] = useState<unknown>(null);
  const coverage = useAnswer((signal) => calls.getCoverage({ signal }), []).value;
  const known = useMemo(() => [...recentCarts(), ...config.checks.map(({ request }) => request)], [config]);
  const rows = useMemo(() => methodRows(config, coverage), [config, coverage]);
  const found = useMemo(
    () => sortedRows(fittingRows(rows, { find, zone, group, state }), sort),
    [rows, find, zone, group, state, sort],
  );
  const [shown, more] = useMore(found, ROWS_STEP);
  const isList = openId !== '';
  const columns = isList
    ? new Set<Column>(['price'])
    : new Set([...chosen].filter((column) => column !== 'group' || config.productGroups.length > 1));
  const isSelecting = mayWrite && !isList;
  const choose = (column: Column): void => {
    const next = new Set(chosen);
    if (!next.delete(column)) next.add(column);
    localStorage.setItem(STORED_COLUMNS, [...next].join(' '));
    setChosen(next);
  };
  const select = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const setNewPrices = (next: ReadonlyMap<string, number>): void => {
    if (next.size === 0) app.drafts.delete(PRICES_DRAFT);
    else app.drafts.set(PRICES_DRAFT, next);
    redraw(next);
  };
  const setPrice = ({ method }: MethodRow, price: number | null): void => {
    const next = new Map(prices);
    if (price === null || (method.rateType === 'flat' && method.config.price === price))
      next.delete(method.id);
    else next.set(method.id, price);
    setNewPrices(next);
  };
  /** Others were typed while these were saved. */
  const dropPrices = (done: ReadonlyMap<string, number>): void => {
    const now = (app.drafts.get(PRICES_DRAFT) as typeof done | undefined) ?? NO_PRICES;
    setNewPrices(new Map([...now].filter(([id, price]) => done.get(id) !== price)));
  };
  // Selected or priced methods may be gone meanwhile.
  const ids = new Set(config.methods.map(({ id }) => id));
  const picked = new Set([...selected].filter((id) => ids.has(id)));
  const priced = new Map([...prices].filter(([id]) => ids.has(id)));
  const pickedFound = found.filter(({ method }) => picked.has(method.id)).length;
  return (
    <>
      <Filters config={config} isList={isList} />
      <div className="row between">
        <p className="quiet" role="status">
          {found.length === config.methods.length ? '' : `${found.length} of `}
          {counted(config.methods.length, 'method')}
        </p>
        {isList ? null : <ColumnMenu chosen={chosen} onChoose={choose} />}
      </div>
      {found.length === 0 ? (
        <p className="row wrap">
          No method fits.
          <Button size="compact-sm" onClick={() => app.set({ find: '', zone: '', group: '', state: '' })}>
            Show all
          </Button>
        </p>
      ) : (
        <Table className="method-table" highlightOnHover verticalSpacing={6} horizontalSpacing="sm">
          <Table.Caption className="only-read">Methods</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {isSelecting ? (
                <Table.Th className="col-select">
                  <Checkbox
                    aria-label={`Select all ${found.length} methods`}
                    checked={pickedFound === found.length}
                    indeterminate={pickedFound > 0 && pickedFound < found.length}
                    onChange={({ currentTarget }) =>
                      setSelected(new Set(currentTarget.checked ? found.map(({ method }) => method.id) : []))
                    }
                  />
                </Table.Th>
              ) : null}
              <Heading column="name" title="Name" sort={sort} />
              {(Object.keys(COLUMNS) as Column[])
                .filter((column) => columns.has(column))
                .map((column) => (
                  <Heading key={column} column={column} title={COLUMNS[column]} sort={sort} />
                ))}
              {isList ? null : (
                <Table.Th className="col-test">
                  <span className="only-read">Test</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Row
                key={row.method.id}
                {...{ row, columns, isList, isSelecting }}
                isOpen={row.method.id === openId}
                isSelected={picked.has(row.method.id)}
                onSelect={() => select(row.method.id)}
                newPrice={priced.get(row.method.id) ?? null}
                onPrice={(price) => setPrice(row, price)}
                test={isList ? '' : testerLink(cartFor(config, row.method, known), { open: row.method.id })}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {more}
      {isSelecting && picked.size + priced.size > 0 ? (
        <BulkBar
          config={config}
          ids={picked}
          prices={priced}
          onClear={() => setSelected(new Set())}
          onPrices={dropPrices}
        />
      ) : null}
    </>
  );
}

function Filters({ config, isList }: { config: Config; isList: boolean }) {
  const app = useApp();
  const { find = '', zone = '', group = '', state = '' } = app.place.value.parameters;
  return (
    <div className="fields">
      <TextField label="Search" type="search" value={find} onValue={(text) => app.set({ find: text })} />
      <ChoiceField
        label="Zone"
        value={zone}
        options={[['', 'All zones'], ...zoneOptions(config.zones)]}
        onValue={(chosen) => app.set({ zone: chosen })}
      />
      {config.productGroups.length < 2 || isList ? null : (
        <ChoiceField
          label="Product group"
          value={group}
          options={[['', 'All groups'], ...config.productGroups.map(({ id, name }) => [id, name] as const)]}
          onValue={(chosen) => app.set({ group: chosen })}
        />
      )}
      {isList ? null : (
        <ChoiceField
          label="State"
          value={state}
          options={[['', 'All'], ...Object.entries(STATES)]}
          onValue={(chosen) => app.set({ state: chosen })}
        />
      )}
    </div>
  );
}

interface ColumnMenuProps {
  readonly chosen: ReadonlySet<Column>;
  readonly onChoose: (column: Column) => void;
}

const ColumnMenu = ({ chosen, onChoose }: ColumnMenuProps) => (
  <Menu closeOnItemClick={false} position="bottom-end" withinPortal={false}>
    <Menu.Target>
      <Button size="compact-sm" variant="subtle" color="gray" leftSection={<IconColumns size={16} />}>
        Columns
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {(Object.entries(COLUMNS) as [Column, string][]).map(([column, title]) => (
        <Menu.Item
          key={column}
          role="menuitemcheckbox"
          aria-checked={chosen.has(column)}
          leftSection={<Checkbox.Indicator size="xs" checked={chosen.has(column)} />}
          onClick={() => onChoose(column)}
        >
          {title}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

const AMOUNTS: ReadonlySet<string> = new Set(['price', 'threshold', 'rules']);

/** Sorts by its column, then the other way round, then as the shop has it. */
function Heading({ column, title, sort }: { column: SortColumn; title: string; sort: string }) {
  const app = useApp();
  const isUp = sort === column;
  const isDown = sort === `-${column}`;
  return (
    <Table.Th
      className={`col-${column} ${AMOUNTS.has(column) ? 'amount' : ''}`}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      <UnstyledButton
        fz="inherit"
        fw={600}
        c="inherit"
        onClick={() => app.set({ sort: isUp ? `-${column}` : isDown ? '' : column })}
      >
        {title}
        {isUp ? <IconArrowUp size={14} /> : isDown ? <IconArrowDown size={14} /> : null}
      </UnstyledButton>
    </Table.Th>
  );
}

interface RowProps {
  readonly row: MethodRow;
  readonly columns: ReadonlySet<Column>;
  readonly isList: boolean;
  readonly isSelecting: boolean;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  /** Typed and not saved. */
  readonly newPrice: number | null;
  readonly onPrice: (price: number | null) => void;
  /** The address of a cart that may be offered it, in the tester. */
  readonly test: string;
}

const offeredText = (at: string | null | undefined): string =>
  at === undefined ? '…' : at === null ? 'never' : dayText(at);

function Row({ row, columns, isList, isSelecting, isOpen, isSelected, ...own }: RowProps) {
  const { place, drafts } = useApp();
  const { currency } = useSignedIn().shop;
  const { page, parameters } = place.value;
  const { method, zone, group, lastOfferedAt } = row;
  const { id, name, enabled, rules, freeShippingThreshold } = method;
  const cells: Readonly<Record<Exclude<Column, 'price'>, string>> = {
    zone,
    group,
    type: rateTypeText(method.rateType),
    threshold: freeShippingThreshold === null ? '–' : formatMoney(freeShippingThreshold, currency),
    rules: rules.length === 0 ? '–' : String(rules.length),
    offered: offeredText(lastOfferedAt),
  };
  return (
    <Table.Tr
      className={`${isOpen ? 'open' : ''} ${enabled ? '' : 'is-off'}`}
      data-selected={isSelected || undefined}
    >
      {isSelecting ? (
        <Table.Td className="col-select">
          <Checkbox aria-label={`Select ${name}`} checked={isSelected} onChange={own.onSelect} />
        </Table.Td>
      ) : null}
      <Table.Th scope="row" className="col-name">
        <a
          href={linkTo(page, { ...parameters, open: id, like: '' })}
          data-row
          aria-current={isOpen ? 'true' : undefined}
          title={name}
        >
          {name}
        </a>{' '}
        {enabled ? null : <span className="badge">off</span>}{' '}
        {drafts.has(`methods ${id}`) ? <span className="badge warning">not saved</span> : null}
        <span className="row-place">{isList || zone === '' ? zone : `${zone} · ${group}`}</span>
      </Table.Th>
      {(Object.keys(COLUMNS) as Column[])
        .filter((column) => columns.has(column))
        .map((column) =>
          column === 'price' ? (
            <PriceCell
              key={column}
              method={method}
              text={priceText(method, currency)}
              isEditable={isSelecting}
              newPrice={own.newPrice}
              onPrice={own.onPrice}
            />
          ) : (
            <Table.Td key={column} className={`col-${column} ${AMOUNTS.has(column) ? 'amount' : ''}`}>
              {cells[column]}
            </Table.Td>
          ),
        )}
      {isList ? null : (
        <Table.Td className="col-test">
          <ActionIcon
            component="a"
            href={own.test}
            variant="subtle"
            color="gray"
            aria-label={`Test ${name}`}
            title="Open in the rate tester"
          >
            <IconTestPipe size={16} />
          </ActionIcon>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
