/**
 * Logs of past releases, kept in `data/log-fixtures/` so that every later release is tested with them. As a program,
 * `node dist/test/store/log/lmdb/log-fixture.js NAME` writes a log of this release: the compressed data file, and beside it
 * the result of a replay and the export of each shop. An existing fixture is never changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { writtenConfig } from '../../../../src/engine/change/decide.ts';
import { writeImage } from '../../../../src/engine/change/state-image.ts';
import type { ApiKey } from '../../../../src/engine/domain/api-key.ts';
import { CONDITION_TYPE_NAMES } from '../../../../src/engine/domain/condition.ts';
import type { ShopConfig } from '../../../../src/engine/domain/shop-config.ts';
import type { ShopState } from '../../../../src/engine/domain/shop-event.ts';
import { type ConfigSnapshot, snapshotOf } from '../../../../src/engine/wire/record-view.ts';
import type { ConfigData, ShopUpdate } from '../../../../src/engine/wire/write-bodies.ts';
import { recoverShop } from '../../../../src/shop/reader/recovery.ts';
import type { NewRecord } from '../../../../src/store/log/event-log.ts';
import { openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { readDemoShop } from '../../../data/demo-files.ts';
import { shopWithZones, type TrialShop } from '../../../engine/change/trial-shop.ts';
import { projectRoot } from '../../../house/project-files.ts';
import { historyCommandOf, historyIntent } from '../../../support/history-arbitraries.ts';
import { exampleOf } from '../../../support/small-shop.ts';
import { answerFor, START_MS } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';

export const fixtureFolder = join(projectRoot, 'data/log-fixtures');

/** The expected result of a replay. */
export interface ExpectedShop {
  readonly shopId: string;
  readonly records: number;
  /** Records after the checkpoint. Absent where the checkpoint lacks last changed versions, so that all are read. */
  readonly tail?: number;
  /** SHA-256 of the JSON of the state. */
  readonly state: string;
  /** SHA-256 of live keys in hex. */
  readonly keys: readonly string[];
  readonly idempotencyKeys: readonly string[];
}

/** Shop -> what `export` of the release that wrote the log printed; null where that was not kept. */
export function exportsOf(name: string): Readonly<Record<string, ConfigData>> | null {
  const file = join(fixtureFolder, `${name}.exports.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, ConfigData>) : null;
}

/** What `export` prints of a shop in this state. */
export const exportOf = (state: ShopState): ConfigSnapshot =>
  snapshotOf(writtenConfig(state) as ShopConfig, state.version.id);

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
  return recordsOf(shop, shopId);
}

/** The demo shop, imported and edited: it uses what no three random shops do, and all that the audit tells of. */
function demoHistory(shopId: string): readonly NewRecord[] {
  const demo = readDemoShop() as { readonly shop: ShopUpdate; readonly config: ConfigData };
  const shop = shopWithZones('enterprise');
  const promotionGate = {
    checksPass: true,
    secondPerson: true,
    noNewLintErrors: true,
    noLostCarts: true,
    evaluatedMin: 100,
  };
  const fulfilment = { ...demo.shop.fulfilment, cutoffByDay: { friday: '12:00' } };
  shop.accept({ kind: 'updateShop', body: { ...demo.shop, fulfilment, promotionGate } });
  shop.execute(demo.config);
  const [method] = shop.config.methods;
  const dated = { delivery: { minDays: 2, maxDays: 9 }, thresholdBasis: 'order_total' as const };
  const body = { ...dated, phoneRequired: true };
  shop.accept({ kind: 'updateMethod', id: method?.id ?? '', body });
  for (const conditions of CONDITION_TYPE_NAMES.map((type) => [exampleOf(type)])) {
    shop.accept({ kind: 'createRule', methodId: method?.id ?? '', body: { action: 'hide', conditions } });
  }
  shop.accept({ kind: 'updateShop', body: { directWrites: false } });
  shop.accept({ kind: 'enterStaging', name: 'Autumn', note: 'New tariffs' });
  shop.accept({ kind: 'updateMethod', id: method?.id ?? '', body: { name: 'Renamed' } });
  shop.accept({ kind: 'promoteStaging', isForced: true });
  for (const label of ['Checkout', 'Contractor']) {
    shop.accept({ kind: 'createKey', label, permission: 'read', prefix: 'rw_', secretSha256: '' });
  }
  const [kept, revoked] = shop.state.keys.map(({ id }) => id);
  shop.accept({ kind: 'updateKey', id: kept ?? '', body: { label: 'Till' } });
  shop.accept({ kind: 'revokeKey', id: revoked ?? '' });
  for (const sealed of ['sealed', null]) shop.accept({ kind: 'setShopifySecret', sealed });
  shop.accept({ kind: 'setPlan', plan: 'pro' });
  shop.accept({ kind: 'updateShop', body: { promotionGate: null } });
  for (const kind of ['discardStaging', 'promoteStaging'] as const) {
    shop.accept({ kind: 'enterStaging' });
    shop.accept({ kind });
  }
  shop.accept({ kind: 'updateShop', body: { promotionGate } });
  return recordsOf(shop, shopId);
}

function recordsOf(shop: TrialShop, shopId: string): readonly NewRecord[] {
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
const histories = (): readonly (readonly [shopId: string, records: readonly NewRecord[]])[] => [
  ['shop_a', randomHistory(370, 'shop_a')],
  ['shop_b', randomHistory(99, 'shop_b')],
  ['shop_c', randomHistory(318, 'shop_c')],
  ['shop_d', demoHistory('shop_d')],
];

async function writeFixture(name: string): Promise<void> {
  const file = join(fixtureFolder, name);
  if (existsSync(`${file}.json`)) throw new Error(`${file}.json is kept as it is`);
  const path = newLogFolder();
  const log = openLmdbEventLog({ path });
  const shops: ExpectedShop[] = [];
  const exported: Record<string, ConfigSnapshot> = {};
  for (const [shopId, records] of histories()) {
    const half = Math.ceil(records.length / 2);
    await log.append(shopId, 0, records.slice(0, half));
    const recovered = await recoverShop(log, shopId);
    if (recovered === null) throw new Error(`${shopId} is not there`);
    await log.writeCheckpoint(shopId, { sequenceNumber: half, image: writeImage(recovered.state) });
    await log.append(shopId, half, records.slice(half));
    const state = (await recoverShop(log, shopId))?.state;
    if (state !== undefined) exported[shopId] = exportOf(state);
    const keys = (state?.keys ?? []).map((key) => key.secretSha256);
    const idempotencyKeys = records.flatMap(({ answer }) => (answer ? [answer.idempotencyKey] : []));
    const tail = records.length - half;
    shops.push({ shopId, records: records.length, tail, state: stateHash(state), keys, idempotencyKeys });
  }
  await log.close();
  mkdirSync(fixtureFolder, { recursive: true });
  writeFileSync(`${file}.mdb.gz`, gzipSync(readFileSync(join(path, 'data.mdb')), { level: 9 }));
  writeFileSync(`${file}.json`, `${JSON.stringify(shops, null, 2)}\n`);
  writeFileSync(`${file}.exports.json`, `${JSON.stringify(exported)}\n`);
}

const name = process.argv[2];
if (process.argv[1] === fileURLToPath(import.meta.url) && name !== undefined) await writeFixture(name);
