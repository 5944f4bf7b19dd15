/**
 * What a parcel costs in each country, as a map and as a table: coloured by its cheapest live rate or by zone. A country
 * leads to the tester. The parcel, the part of the world and the colours are in the link.
 */

import { useEffect, useMemo, useState } from 'react';
import { formatMoney } from '../amounts.ts';
import { useApp, useCurrency, useSignedIn } from '../app-state.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Answered, FirstSteps, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { NOTHING } from '../parts/record-kind.ts';
import { DataTable, useMore } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { testerLink } from '../place.ts';
import { sleep } from '../service.ts';
import { type Cart, cartName, readCart, SAMPLE_ITEM } from '../tester/cart.ts';
import { recentCarts } from '../tester/recent-carts.ts';
import { isolated } from '../words.ts';
import { type CountryRow, cartTo, countryRows, readPrices, shadeOf, shadesOf } from './country-prices.ts';

const STANDARD: Cart = { destination: { country: 'US' }, items: [SAMPLE_ITEM] };
const colours = (text: string): readonly string[] =>
  text.split(' ').map((pair) => `light-dark(#${pair.replace('/', ', #')})`);
/** From cheap to dear. */
const SHADES = colours('b9e3d5/14453a 7cc7ae/1c6353 3fa384/2a8a72 177a60/52b598 084a3f/a5dfcb');
/** The ninth zone has the colour of the first. */
const ZONE_COLOURS = colours(
  '2c9a7c/4fb296 3b7dc4/6aa5e6 d08a1d/e0a94c 8a5bb8/b08ad8 c9504a/e58882 5f7f2a/95b85c b5508f/d98abc 6b7785/95a1ae',
);
const ROWS_STEP = 12;

export function PriceMapPage() {
  const app = useApp();
  const { calls, shop } = useSignedIn();
  const { cart: text = '', by = 'price', zone: zoneId = '' } = app.place.value.parameters;
  const read = useMemo(() => (text === '' ? STANDARD : readCart(text)), [text]);
  const cart = typeof read === 'string' ? STANDARD : read;
  const config = useAnswer((signal) => calls.getConfig({ query: { view: 'live' }, signal }), []);
  const perSecond = shop.limits?.simulationsPerSecond ?? null;
  const prices = useAnswer(
    async (signal) =>
      config.value === null ? NOTHING : readPrices(calls, cart, config.value, { perSecond, sleep }, signal),
    [cart, config.value],
  );
  return (
    <Page
      title="Price map"
      description="The cheapest live rate in each country, without a postal code. A country opens in the rate tester."
      isBusy={prices.isLoading}
    >
      {typeof read === 'string' ? <Notice kind="bad">{read}</Notice> : null}
      <div className="fields">
        <ChoiceField
          label="Parcel"
          value={text}
          options={parcelOptions(text, cart)}
          onValue={(value) => app.set({ cart: value })}
        />
        <ChoiceField
          label="Colours"
          value={by === 'zone' ? 'zone' : 'price'}
          options={[
            ['price', 'Cheapest rate'],
            ['zone', 'Zone'],
          ]}
          onValue={(value) => app.set({ by: value === 'price' ? '' : value })}
        />
        <ChoiceField
          label="Part of the world"
          value={zoneId}
          options={[['', 'All'], ...(config.value?.zones ?? []).map(({ id, name }) => [id, name] as const)]}
          onValue={(value) => app.set({ zone: value })}
        />
      </div>
      <Answered answer={config} what="the zones">
        {({ zones: all }) =>
          all.length === 0 ? (
            <FirstSteps />
          ) : (
            <Answered answer={prices} what="the prices">
              {(found) => (
                <div
                  className={`read-again ${prices.failure === null ? '' : 'is-old'}`}
                  aria-busy={prices.isLoading}
                >
                  <Prices zones={all} prices={found} {...{ cart, by, zoneId }} />
                </div>
              )}
            </Answered>
          )
        }
      </Answered>
    </Page>
  );
}

/** A standard parcel, the last cart of the tester, and what the link names. */
function parcelOptions(text: string, cart: Cart): readonly (readonly [string, string])[] {
  const [last] = recentCarts();
  const tried = last === undefined ? '' : JSON.stringify(last);
  return [
    ['', 'Standard, 500 g'],
    ...(last === undefined ? [] : [[tried, `Of the rate tester: ${itemsName(last)}`] as const]),
    ...(text === '' || text === tried ? [] : [[text, `Of the link: ${itemsName(cart)}`] as const]),
  ];
}

const itemsName = (cart: Cart): string => cartName(cart).replace(/^.*?: /, '');

interface PricesProps {
  readonly zones: Parameters<typeof countryRows>[0];
  readonly prices: Parameters<typeof countryRows>[1];
  readonly cart: Cart;
  readonly by: string;
  readonly zoneId: string;
}

function Prices({ zones: all, prices, cart, by, zoneId }: PricesProps) {
  const rows = useMemo(() => countryRows(all, prices), [all, prices]);
  const inPart = useMemo(
    () => rows.filter(({ zone }) => zoneId === '' || zone?.id === zoneId),
    [rows, zoneId],
  );
  const drawn = useMemo(
    () => (zoneId === '' ? null : new Set(inPart.map(({ code }) => code))),
    [inPart, zoneId],
  );
  const app = useApp();
  const currency = useCurrency(cart);
  const { find = '' } = app.place.value.parameters;
  const money = (amount: number): string => formatMoney(amount, currency);
  const shades = shadesOf(rows.flatMap(({ cheapest }) => cheapest?.price ?? []));
  const zones = [...new Map(rows.flatMap(({ zone }) => (zone === null ? [] : [[zone.id, zone.name]])))];
  const zoneColour = (id: string): string =>
    ZONE_COLOURS[zones.findIndex(([each]) => each === id) % ZONE_COLOURS.length] ?? NO_COLOUR;
  const shadeColour = (at: number): string => SHADES[shades.length === 1 ? 2 : at] ?? NO_COLOUR;
  const colourOf = ({ zone, cheapest }: CountryRow): string => {
    if (by === 'zone') return zone === null ? NO_COLOUR : zoneColour(zone.id);
    return cheapest === null ? NO_COLOUR : shadeColour(shadeOf(shades, cheapest.price));
  };
  const textOf = ({ name, zone, cheapest }: CountryRow): string =>
    `${name}: ${cheapest === null ? 'no rate' : `${money(cheapest.price)}, ${isolated(cheapest.service)}`} (${zone === null ? 'in no zone' : isolated(zone.name)})`;
  const hrefOf = ({ code }: CountryRow): string => testerLink(cartTo(cart, code), { columns: 'live' });
  const wanted = find.trim().toLowerCase();
  const found = inPart.filter(({ code, name, zone }) =>
    [code, name, zone?.name ?? ''].some((each) => each.toLowerCase().includes(wanted)),
  );
  const [shown, more] = useMore(found, ROWS_STEP);
  const without = inPart.filter(({ cheapest }) => cheapest === null).length;
  const legend: readonly (readonly [string, string])[] =
    by === 'zone'
      ? zones.map(([id = '', name = '']) => [zoneColour(id), name])
      : shades.map(({ from, to }, at) => [
          shadeColour(at),
          from === to ? money(to) : `${money(from)} to ${money(to)}`,
        ]);
  return (
    <div className="split with-detail">
      <section className="panel stack" aria-label="Map">
        <WorldMap rows={rows} shown={drawn} {...{ colourOf, textOf, hrefOf }} />
        <ul className="row wrap legend">
          {[...legend, [NO_COLOUR, by === 'zone' ? 'In no zone' : `No rate (${without})`] as const].map(
            ([colour, label]) => (
              <li key={label} className="row">
                <span className="swatch" style={{ background: colour }} aria-hidden="true" />
                {label}
              </li>
            ),
          )}
        </ul>
      </section>
      <section className="panel stack" aria-label="Countries">
        <TextField
          label="Country or zone"
          type="search"
          placeholder="Germany, FR, Rest of the world"
          value={find}
          onValue={(value) => app.set({ find: value })}
        />
        <DataTable
          label="Cheapest rate by country"
          rows={shown}
          keyOf={({ code }) => code}
          columns={[
            [
              'Country',
              (row) => (
                <>
                  <span className="swatch" style={{ background: colourOf(row) }} aria-hidden="true" />{' '}
                  <a data-row href={hrefOf(row)}>
                    {row.name}
                  </a>
                </>
              ),
            ],
            [
              'Cheapest rate',
              ({ cheapest, zone }) => cheapest?.service ?? (zone ? 'No rate' : 'In no zone'),
              'quiet',
            ],
            ['Price', ({ cheapest }) => (cheapest === null ? '–' : money(cheapest.price)), 'amount'],
          ]}
        />
        {found.length === 0 ? <p className="quiet">No country or zone matches.</p> : null}
        {more}
      </section>
    </div>
  );
}

const NO_COLOUR = 'light-dark(#dfe3e7, #2f363e)';

interface WorldMapProps {
  readonly rows: readonly CountryRow[];
  /** The countries that fill the drawing; null = the world. */
  readonly shown: ReadonlySet<string> | null;
  readonly colourOf: (row: CountryRow) => string;
  readonly textOf: (row: CountryRow) => string;
  readonly hrefOf: (row: CountryRow) => string;
}

/** The drawing of the map. Screen readers and the keyboard skip it: the table beside it has the same values and links. */
function WorldMap({ rows, shown, colourOf, textOf, hrefOf }: WorldMapProps) {
  const [world, setWorld] = useState<typeof import('./world.ts') | null>(null);
  useEffect(() => {
    void import('./world.ts').then(setWorld);
  }, []);
  const outlines = useMemo(() => world?.outlinesOf(shown) ?? [], [world, shown]);
  const byCode = new Map(rows.map((row) => [row.code, row]));
  return (
    <div className="world-map" aria-hidden="true">
      {world === null ? null : (
        <svg viewBox={`0 0 ${world.WIDTH} ${world.HEIGHT}`} aria-hidden="true">
          {outlines.map(({ code, path }) => {
            const row = byCode.get(code);
            if (row === undefined) return <path key={code} style={{ fill: NO_COLOUR }} d={path} />;
            return (
              <a
                key={code}
                href={hrefOf(row)}
                tabIndex={-1}
                className={shown === null || shown.has(code) ? '' : 'is-outside'}
              >
                <path style={{ fill: colourOf(row) }} d={path}>
                  <title>{textOf(row)}</title>
                </path>
              </a>
            );
          })}
        </svg>
      )}
    </div>
  );
}
