/**
 * The two programs of the power-loss test, as separate processes. `write FOLDER GROUPS [trim]`: appends, and prints
 * each acknowledged record. `check TRACE FOLDER FIRST COUNT`: opens possible states of the disk after a power loss
 * and prints a line of JSON per state; if a file kills its reader, the output ends there.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DamagedLogError, UnusableDataFileError } from '../../src/store/log/event-log.ts';
import { verifyLog } from '../../src/store/log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/store/log/lmdb/lmdb-event-log.ts';
import { answeredRecord, imageWith, START_MS, settingsRecord } from '../store/log/sample-records.ts';
import { type Loss, type PowerLoss, powerLoss } from './power-loss-states.ts';
import { readTrace } from './strace.ts';

export const powerLossProgram = fileURLToPath(import.meta.url);

export interface CheckedState {
  readonly state: number;
  readonly loss: Loss;
  /** `whole`: all acknowledged records are there and a write works; `refused`: with a named error. */
  readonly outcome: 'whole' | 'refused' | 'lost' | 'broken';
  readonly what?: string;
  /** Shops with acknowledged records. */
  readonly shops: number;
}

const SHOPS = ['shop_a', 'shop_b', 'shop_c'];
const RECORDS_READ = 20;
const say = (line: string): number => writeSync(1, `${line}\n`);

/** Removes records that no check reads, so that checks of a long run cost no more, and pages are reused. */
async function trimAll(log: LmdbEventLog): Promise<void> {
  for (const shopId of SHOPS) {
    const sequenceNumber = log.lastSequenceNumber(shopId) - RECORDS_READ;
    if (sequenceNumber < 1) continue;
    await log.writeCheckpoint(shopId, { sequenceNumber, image: imageWith(shopId, []) });
    await log.trim(shopId, sequenceNumber);
  }
}

async function write(folder: string, groups: string, trims: string): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  for (let group = 0; group < Number(groups); group++) {
    const shopIds = SHOPS.slice(0, 1 + (group % SHOPS.length));
    await Promise.all(
      shopIds.map(async (shopId) => {
        const last = log.lastSequenceNumber(shopId);
        // Some records need separate pages, and some need many.
        const text = group % 7 === 3 ? `${last} `.repeat(group % 5 === 3 ? 4_000 : 800) : String(last);
        const records = [settingsRecord(text), answeredRecord(last, `key ${last}`, START_MS)];
        const { kind } = await log.append(shopId, last, records);
        if (kind === 'appended') say(`${shopId} ${last + records.length}`);
      }),
    );
    if (group % 20 === 19)
      await log.writeCheckpoint('shop_a', { sequenceNumber: log.lastSequenceNumber('shop_a'), image: '{}' });
    if (trims === 'trim' && group % 50 === 49) await trimAll(log);
    if (group % 25 === 24) await log.forgetAnswers(START_MS + 1);
  }
  await log.close();
}

async function check(tracePath: string, folder: string, first: string, count: string): Promise<void> {
  const run = readTrace(readFileSync(tracePath, 'latin1'), '/data.mdb');
  for (let state = Number(first); state < Number(first) + Number(count); state++) {
    const found = powerLoss(run, state);
    const path = join(folder, String(state));
    mkdirSync(path);
    writeFileSync(join(path, 'data.mdb'), found.file);
    // The folder is marked as a log before the first record.
    if (found.acknowledged.size > 0) writeFileSync(join(path, 'format'), 'ratewright log 1\n');
    const shops = found.acknowledged.size;
    say(JSON.stringify({ state, loss: found.loss, shops, ...(await outcomeOf(path, found)) }));
    rmSync(path, { recursive: true });
  }
}

async function outcomeOf(
  path: string,
  { acknowledged }: PowerLoss,
): Promise<Pick<CheckedState, 'outcome' | 'what'>> {
  try {
    const log = openLmdbEventLog({ path });
    for (const [shopId, last] of acknowledged) {
      // Reads the last records; the verification checks the earlier ones.
      const before = Math.max(0, last - RECORDS_READ);
      const there = before + [...log.read(shopId, before)].length;
      if (there < last) return { outcome: 'lost', what: `${shopId}: ${last} acknowledged, ${there} there` };
    }
    const [defect] = (await verifyLog(log)).defects;
    if (defect !== undefined) return { outcome: 'broken', what: `${defect.shopId}: ${defect.what}` };
    for (const shopId of SHOPS) {
      const { kind } = await log.append(shopId, log.lastSequenceNumber(shopId), [settingsRecord('after')]);
      if (kind !== 'appended') return { outcome: 'broken', what: `${shopId}: ${kind}` };
    }
    await log.close();
    return { outcome: 'whole' };
  } catch (error) {
    const isNamed = error instanceof UnusableDataFileError || error instanceof DamagedLogError;
    return { outcome: isNamed ? 'refused' : 'broken', what: String(error) };
  }
}

const [verb, ...values] = process.argv.slice(2);
if (process.argv[1] === powerLossProgram) {
  const [first = '', second = '', third = '', fourth = ''] = values;
  if (verb === 'write') await write(first, second, third);
  else await check(first, second, third, fourth);
}
