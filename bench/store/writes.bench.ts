/** Acknowledged writes per second: an actor, the same over HTTP, and LMDB alone, in turn. */

import { targetOf } from '../http/measured-server.ts';
import { startServiceWith } from '../http/server-start.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { type LoadTarget, writeBodies } from '../load/load-target.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import type { Profile } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { openBareLmdb } from './bare-lmdb.ts';
import { keepInFlight } from './flight.ts';
import { type LocalShops, makeEdits, makeShop, openLocalShops, write } from './local-shops.ts';

const IN_FLIGHT = [1, 16, 256] as const;
/** Different edits that are sent over HTTP in turn. */
const EDIT_BODIES = 500;

const writesId = (what: 'actor' | 'http' | 'lmdb', inFlight: number): string =>
  `store/writes/${what}/${inFlight}`;

/** Mean bytes of what a write stores: its record and what goes into the index of versions. */
function writtenBytes({ log }: LocalShops): number {
  const { records, versions } = log.tables;
  const meanOf = (table: typeof records): number => {
    const sizes = [...table.getRange({ reverse: true, limit: 100 })].map(({ value }) => value.byteLength);
    return sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
  };
  return Math.round(meanOf(records) + meanOf(versions));
}

type Measure = (inFlight: number, seconds: number) => Promise<number>;

async function openActor(part: PartRun): Promise<{ shops: LocalShops; bytes: number; measure: Measure }> {
  const shops = openLocalShops(part.folders.make('actor'));
  const shop = await makeShop(shops, 'shop_bench', makeTypical());
  const nextEdit = makeEdits(shop);
  const measure: Measure = async (inFlight, seconds) => {
    const result = await keepInFlight(inFlight, seconds, () => write(shop, nextEdit()));
    return result.writes / result.seconds;
  };
  for (let i = 0; i < 100; i++) await write(shop, nextEdit());
  return { shops, bytes: writtenBytes(shops), measure };
}

/** Bodies of `PUT /api/rules`, each of which gives a rule a condition on another total. */
export function editBodies({ config }: Profile): readonly string[] {
  const ids = config.methods.flatMap(({ rules }) => rules.map(({ id }) => id));
  return Array.from({ length: EDIT_BODIES }, (_, i) =>
    JSON.stringify({
      id: ids[i % ids.length],
      conditions: [{ conditionType: 'cart_total', operator: 'greater_than', value: String(1_000 + i) }],
    }),
  );
}

async function openHttp(part: PartRun): Promise<Measure> {
  const profile = makeTypical();
  // Not pinned to one core: the flush has a thread of its own, as with LMDB alone.
  const server = await startServiceWith(part, profile, {}, 'any');
  const load = new LoadGenerator(part);
  const bodiesFile = writeBodies(part.folders.make('bodies'), 'edits', editBodies(profile));
  const target: LoadTarget = { ...targetOf(server, bodiesFile), method: 'PUT', path: '/api/rules' };
  part.note(load.description);
  return async (connections, seconds) => {
    const result = await load.closedLoop({ target, connections, seconds });
    return result.answers / result.seconds;
  };
}

export const writesPart: Part = {
  id: 'store/writes',
  title: 'Acknowledged writes, one edited rule each, all of one shop',
  async run(part) {
    const { rounds, writeSeconds } = part.effort;
    part.step('starting');
    const { shops, bytes, measure } = await openActor(part);
    const lmdb = openBareLmdb(part.folders.make('lmdb'), bytes);
    const overHttp = await openHttp(part);
    const variants: readonly (readonly ['lmdb' | 'actor' | 'http', string, Measure])[] = [
      [
        'lmdb',
        'LMDB alone',
        async (inFlight, seconds) => {
          const result = await keepInFlight(inFlight, seconds, lmdb.put);
          return result.writes / result.seconds;
        },
      ],
      ['actor', 'actor', measure],
      ['http', 'over HTTP', overHttp],
    ];
    const results = new Rounds();
    try {
      for (let round = 0; round <= rounds; round++) {
        for (const inFlight of IN_FLIGHT) {
          for (const [id, label, perSecond] of variants) {
            part.step(`${label}, ${inFlight} in flight (round ${round} of ${rounds})`);
            const sample = await perSecond(inFlight, writeSeconds);
            // The first round warms up.
            if (round > 0)
              results.add(writesId(id, inFlight), `${label}, ${inFlight} in flight`, 'perSecond', sample);
          }
        }
      }
    } finally {
      await shops.close();
      await lmdb.close();
    }
    results.recordTo(part);
    part.note(
      `LMDB alone stores ${bytes} B under one key for each write, as many as the actor under two; every write ` +
        'waits for its flush.',
    );
  },
};
