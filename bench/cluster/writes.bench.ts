/**
 * Acknowledged writes per second of a node, against the embedded log on the same disk: of one shop, and of 256 shops.
 * And appends of 256 shops with nothing around them: committed together, as a node does, against a transaction for each.
 */
import { randomUUID } from 'node:crypto';
import type { ShopActor } from '../../src/shop/actor/shop-actor.ts';
import type { Authority, RecordHead } from '../../src/store/log/authority.ts';
import type { NewRecord } from '../../src/store/log/event-log.ts';
import { encodeGroup, headAfter, NO_HEAD } from '../../src/store/log/record-codec.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { makeTypical } from '../profiles/typical.ts';
import { keepInFlight } from '../store/flight.ts';
import { type LocalShops, makeEdits, makeShop, openLocalShops, write } from '../store/local-shops.ts';
import { openNodeShops } from './node-shops.ts';
import { withTrio } from './trio.ts';

const IN_FLIGHT = 256;
const SHOPS = 256;
/** Connections that append to one shop at a time. */
const CONNECTIONS_APART = 16;

type Variant = 'embedded' | 'node' | 'together' | 'apart';

export const clusterWritesId = (shops: 1 | typeof SHOPS, variant: Variant): string =>
  `cluster/writes/${shops}/${variant}`;

type WriteOnce = () => Promise<unknown>;

const writesOf = (shop: ShopActor): WriteOnce => {
  const nextEdit = makeEdits(shop);
  return () => write(shop, nextEdit());
};

/** Each writer has at most one write in flight: a call takes a free writer. */
function inTurn(writers: readonly WriteOnce[]): WriteOnce {
  const free = [...writers];
  return async () => {
    const writer = free.shift();
    if (writer === undefined) throw new Error('more writes in flight than shops');
    await writer();
    free.push(writer);
  };
}

interface ShopWrites {
  readonly one: WriteOnce;
  readonly many: WriteOnce;
}

async function makeShops(part: PartRun, shops: Pick<LocalShops, 'directory'>): Promise<ShopWrites> {
  const profile = makeTypical();
  part.step(`making ${SHOPS} shops`);
  const one = await makeShop(shops, 'shop_one', profile);
  const many: ShopActor[] = [];
  for (let i = 0; i < SHOPS; i++) many.push(await makeShop(shops, `shop_${i}`, profile));
  return { one: writesOf(one), many: inTurn(many.map(writesOf)) };
}

/** Appends to a shop of its own, with nothing around it. */
function appendsTo(authority: Pick<Authority, 'append'>, shopId: string, record: NewRecord): WriteOnce {
  let head: RecordHead = NO_HEAD;
  return async () => {
    const group = encodeGroup(shopId, head, [record], randomUUID());
    const { kind } = await authority.append(group);
    if (kind !== 'appended') throw new Error(`append: ${kind}`);
    head = headAfter(group);
  };
}

/** Appends of a ready record, so that only the appends are measured: to new shops, divided among the connections. */
async function openAppends(url: string, connections: number, record: NewRecord) {
  const { openPostgresAuthority } = await import('../../src/store/log/postgres/postgres-authority.ts');
  const authorities: Authority[] = [];
  for (let at = 0; at < connections; at++) authorities.push(await openPostgresAuthority({ url }));
  const writers = authorities.map((authority, at) =>
    Array.from({ length: SHOPS / connections }, (_, i) =>
      appendsTo(authority, `shop_${connections}_${at}_${i}`, record),
    ),
  );
  const close = () => Promise.all(authorities.map((authority) => authority.close()));
  return { writers, close };
}

interface Variation {
  readonly shops: 1 | typeof SHOPS;
  readonly variant: Variant;
  readonly label: string;
  readonly write: WriteOnce;
  readonly inFlight?: number;
}

async function measure(part: PartRun, variations: readonly Variation[]): Promise<void> {
  const { rounds, writeSeconds } = part.effort;
  const results = new Rounds();
  for (let round = 0; round <= rounds; round++) {
    for (const { shops, variant, label, write, inFlight = IN_FLIGHT } of variations) {
      part.step(`${label} (round ${round} of ${rounds})`);
      const { writes, seconds } = await keepInFlight(inFlight, writeSeconds, write);
      // The first round warms up.
      if (round > 0) results.add(clusterWritesId(shops, variant), label, 'perSecond', writes / seconds);
    }
  }
  results.recordTo(part);
  const recordRatio = (shops: Variation['shops'], one: Variant, other: Variant, label: string): void =>
    results.recordRatio(part, {
      id: `cluster/ratio/writes/${shops}/${one}`,
      label,
      numerator: clusterWritesId(shops, one),
      denominator: clusterWritesId(shops, other),
    });
  recordRatio(1, 'node', 'embedded', 'one shop: a node against the embedded log');
  recordRatio(SHOPS, 'node', 'embedded', `${SHOPS} shops: a node against the embedded log`);
  recordRatio(SHOPS, 'together', 'apart', `${SHOPS} shops, appends alone: together against apart`);
}

export const clusterWritesPart: Part = {
  id: 'cluster/writes',
  title: `Acknowledged writes of a node and of the embedded log, ${IN_FLIGHT} in flight`,
  run: (part) =>
    withTrio(part, async ({ url }) => {
      const closings: (() => Promise<unknown>)[] = [];
      try {
        const embedded = openLocalShops(part.folders.make('embedded'));
        closings.push(() => embedded.close());
        const node = await openNodeShops(part.folders.make('mirror'), url);
        closings.push(() => node.close());
        const [ofEmbedded, ofNode] = [await makeShops(part, embedded), await makeShops(part, node)];
        await ofNode.one();
        const [record] = [...node.log.read('shop_one', node.log.lastSequenceNumber('shop_one') - 1)];
        if (record === undefined) throw new Error('nothing was written');
        const { atMs, event } = record;
        const together = await openAppends(url, 1, { atMs, event });
        closings.push(together.close);
        const apart = await openAppends(url, CONNECTIONS_APART, { atMs, event });
        closings.push(apart.close);
        await measure(part, [
          { shops: 1, variant: 'embedded', label: 'one shop: embedded', write: ofEmbedded.one },
          { shops: 1, variant: 'node', label: 'one shop: node', write: ofNode.one },
          { shops: SHOPS, variant: 'embedded', label: `${SHOPS} shops: embedded`, write: ofEmbedded.many },
          { shops: SHOPS, variant: 'node', label: `${SHOPS} shops: node`, write: ofNode.many },
          {
            ...{ shops: SHOPS, variant: 'together', label: `${SHOPS} shops, appends alone: together` },
            write: inTurn(together.writers.flat()),
          },
          {
            ...{ shops: SHOPS, variant: 'apart', label: `${SHOPS} shops, appends alone: apart` },
            write: inTurn(apart.writers.map(inTurn)),
            inFlight: CONNECTIONS_APART,
          },
        ]);
      } finally {
        for (const close of closings.reverse()) await close();
      }
      part.note('No other node is there, so no write waits for one.');
      part.note(
        `Appends alone: of a ready record, neither decided nor mirrored. Apart: over ${CONNECTIONS_APART} ` +
          'connections, each of which appends to one shop at a time.',
      );
    }),
};
