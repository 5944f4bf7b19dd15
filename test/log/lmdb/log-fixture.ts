/**
 * Logs of past releases, kept in `data/log-fixtures/` so that every later release is tested with them. As a program,
 * `node dist/test/log/lmdb/log-fixture.js NAME` writes a log of this release: the compressed data file, and beside it
 * the result of a replay of each shop. An existing fixture is never changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { writeImage } from '../../../src/change/state-image.ts';
import type { ApiKey } from '../../../src/domain/api-key.ts';
import type { ShopState } from '../../../src/domain/shop-event.ts';
import type { NewRecord } from '../../../src/log/event-log.ts';
import { openLmdbEventLog } from '../../../src/log/lmdb/lmdb-event-log.ts';
import { WorkSlices } from '../../../src/pace/work-slices.ts';
import { recoverShop } from '../../../src/shop/recovery.ts';
import { shopWithZones } from '../../change/trial-shop.ts';
import { projectRoot } from '../../house/project-files.ts';
import { historyCommandOf, historyIntent } from '../../support/history-arbitraries.ts';
import { answerFor, START_MS } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';

export const fixtureFolder = join(projectRoot, 'data/log-fixtures');

/** The expected result of a replay. */
export interface ExpectedShop {
  readonly shopId: string;
  readonly records: number;
  /** SHA-256 of the JSON of the state. */
  readonly state: string;
  /** SHA-256 of live keys in hex. */
  readonly keys: readonly string[];
  readonly idempotencyKeys: readonly string[];
}

export function stateHash(state: ShopState | undefined): string {
  // Without the fields for changesets, checks and last changed versions, which the first releases did not have.
  const text = JSON.stringify(state, (name, value) => {
    if (name === 'changedIn' || (name === 'staging' && value === null)) return undefined;
    return name === 'checks' && Array.isArray(value) && value.length === 0 ? undefined : value;
  });
  return createHash('sha256').update(text).digest('hex');
}

const intents = fc.array(historyIntent, { minLength: 60, maxLength: 60 });

/** Records of a random history with rollbacks and changesets; every fifth has an answer. */
export function randomHistory(seed: number, shopId: string): readonly NewRecord[] {
  const shop = shopWithZones('enterprise');
  for (const intent of fc.sample(intents, { seed, numRuns: 1 })[0] ?? []) {
    const outcome = shop.try(historyCommandOf(intent, shop.state, [...shop.versions.keys()]));
    if (outcome.ok) shop.keep(outcome.value);
  }
  const text = JSON.stringify(shop.events).replaceAll(shop.state.settings.id, shopId);
  return (JSON.parse(text) as NewRecord['event'][]).map((made, index) => {
    const event = made.kind === 'keyCreated' ? { ...made, key: withDigest(shopId, made.key) } : made;
    const answer = index % 5 === 4 ? { answer: answerFor(`key ${index}`, `answer ${index}`) } : {};
    return { atMs: START_MS + index, event, ...answer };
  });
}

/** Replaces key digests, because random commands use the same digest for many keys, and in a log all differ. */
const withDigest = (shopId: string, key: ApiKey): ApiKey => ({
  ...key,
  secretSha256: createHash('sha256').update(`${shopId} ${key.id}`).digest('hex'),
});

/** Unpacks a compressed data file into a new folder and opens the log. */
export function unpackFixture(name: string): { path: string; shops: readonly ExpectedShop[] } {
  const path = newLogFolder();
  mkdirSync(path);
  const file = join(fixtureFolder, name);
  writeFileSync(join(path, 'data.mdb'), gunzipSync(readFileSync(`${file}.mdb.gz`)));
  return { path, shops: JSON.parse(readFileSync(`${file}.json`, 'utf8')) as ExpectedShop[] };
}

/** Histories with a changeset that is active at the checkpoint and at the end, with promotions, and with both. */
const SEEDS = [
  ['shop_a', 3],
  ['shop_b', 10],
  ['shop_c', 12],
] as const;

async function writeFixture(name: string): Promise<void> {
  const file = join(fixtureFolder, name);
  if (existsSync(`${file}.json`)) throw new Error(`${file}.json is kept as it is`);
  const path = newLogFolder();
  const log = openLmdbEventLog({ path });
  const shops: ExpectedShop[] = [];
  for (const [shopId, seed] of SEEDS) {
    const records = randomHistory(seed, shopId);
    const half = Math.ceil(records.length / 2);
    await log.append(shopId, 0, records.slice(0, half));
    const recovered = await recoverShop(log, shopId, new WorkSlices());
    if (recovered === null) throw new Error(`${shopId} is not there`);
    await log.writeCheckpoint(shopId, { sequenceNumber: half, image: writeImage(recovered.state) });
    await log.append(shopId, half, records.slice(half));
    const state = (await recoverShop(log, shopId, new WorkSlices()))?.state;
    const keys = (state?.keys ?? []).map((key) => key.secretSha256);
    const idempotencyKeys = records.flatMap(({ answer }) => (answer ? [answer.idempotencyKey] : []));
    shops.push({ shopId, records: records.length, state: stateHash(state), keys, idempotencyKeys });
  }
  await log.close();
  mkdirSync(fixtureFolder, { recursive: true });
  writeFileSync(`${file}.mdb.gz`, gzipSync(readFileSync(join(path, 'data.mdb')), { level: 9 }));
  writeFileSync(`${file}.json`, `${JSON.stringify(shops, null, 2)}\n`);
}

const name = process.argv[2];
if (process.argv[1] === fileURLToPath(import.meta.url) && name !== undefined) await writeFixture(name);
