/**
 * History: the cost of reading an early version, and a page of the list there, by the number of versions; and the bytes
 * of a version on disk, checkpoints included.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { makeLarge } from '../profiles/large.ts';
import type { Profile } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { type LocalShops, makeEdits, makeShop, openLocalShops, write } from '../store/local-shops.ts';
import { growthId } from './answer-task.ts';

/** Edits under way at a time while the history is made. */
const AT_ONCE = 64;
const PAGE_ROWS = 20;
/** Versions that are read in turn, at equal distances over the whole history. */
const PLACES = 23;

type History = Awaited<ReturnType<typeof makeShop>>['history'];

interface LongShop {
  readonly name: string;
  readonly versions: number;
  readonly shops: LocalShops;
  readonly history: History;
  /** Ids of versions at equal distances over the whole history. */
  readonly ids: readonly string[];
  readonly bytes: number;
}

async function makeLong(part: PartRun, name: string, profile: Profile, versions: number): Promise<LongShop> {
  const folder = part.folders.make(`history-${name}-${versions}`);
  const shops = openLocalShops(folder);
  const shopId = 'shop_history';
  const made = await makeShop(shops, shopId, profile);
  const nextEdit = makeEdits(made);
  const first = made.state.version.number;
  for (let left = versions - first; left > 0; left -= AT_ONCE) {
    part.step(`${name}: ${left.toLocaleString('en-US')} versions to make`);
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => write(made, nextEdit())));
  }
  await made.idle();
  const ids = Array.from({ length: PLACES }, (_, at) => {
    const number = 1 + Math.floor((((at * 9) % PLACES) / PLACES) * versions);
    const entry = shops.log.versionAt(shopId, number);
    if (entry === null) throw new Error(`version ${number} is not there`);
    return entry.version.id;
  });
  const { size: bytes } = statSync(join(folder, 'data.mdb'));
  return { name, versions, shops, history: made.history, ids, bytes };
}

/** What is measured of each shop: a read from the log alone, and a page of the list. */
const ACTS: readonly (readonly [id: string, what: string, act: (history: History, id: string) => boolean])[] =
  [
    ['read-version', 'read one version', (history, id) => history.read(id).ok],
    [
      'page',
      `a page of ${PAGE_ROWS}`,
      (history, cursor) => history.list({ limit: PAGE_ROWS, cursor, includeBatched: false }).ok,
    ],
  ];

/** Reads every place once: places differ in their distance to a checkpoint, and all rounds must have the same ones. */
function measureRound(
  part: PartRun,
  results: Rounds,
  { name, versions, history, ids }: LongShop,
  round: number,
) {
  for (const [id, what, act] of ACTS) {
    const label = `${name}: ${what}, of ${versions.toLocaleString('en-US')} versions`;
    part.step(`${label} (${round === 0 ? 'warm-up' : `round ${round}`})`);
    const start = performance.now();
    for (const place of ids) if (!act(history, place)) throw new Error(`${label} was refused`);
    const ns = ((performance.now() - start) * 1e6) / ids.length;
    if (round > 0) results.add(growthId(`${id}-${name}`, versions), label, 'ns', ns);
  }
}

export const historyPart: Part = {
  id: 'growth/history',
  title: 'A version of long ago, by versions in the history of the shop',
  async run(part) {
    const made: LongShop[] = [];
    try {
      const profiles: readonly (readonly [string, Profile, readonly number[]])[] = [
        ['typical', makeTypical(), part.effort.versionsRead],
        ['large', makeLarge(), part.effort.versionsReadOfLarge],
      ];
      for (const [name, profile, sizes] of profiles) {
        for (const versions of sizes) {
          const shop = await makeLong(part, name, profile, versions);
          made.push(shop);
          part.record({
            id: `store/history/${name}/${versions}`,
            label: `${name}: on disk for each of ${versions.toLocaleString('en-US')} versions`,
            unit: 'bytes',
            samples: [shop.bytes / versions],
          });
        }
      }
      const results = new Rounds();
      for (let round = 0; round <= part.effort.rounds; round++) {
        for (const shop of made) measureRound(part, results, shop, round);
      }
      results.recordTo(part);
      part.note(
        'A read gives the configuration and the difference to the version before, from the log alone.',
      );
    } finally {
      for (const { shops } of made) await shops.close();
    }
  },
};
