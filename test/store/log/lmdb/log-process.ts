/**
 * A separate process that works on a log, for tests in which a process dies or two compete. The process runs this
 * file as a program with a verb, a folder and the verb's arguments; without arguments this file is the module that
 * starts such processes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DamagedLogError, UnusableDataFileError } from '../../../../src/store/log/event-log.ts';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { answeredRecord, keyRecord, revokeRecord, START_MS, settingsRecord } from '../sample-records.ts';

type Program = (folder: string, ...args: string[]) => Promise<void>;

const VERBS = {
  /** Appends to its shops without end; writes a line `shop number` for each acknowledged record. */
  write: writeForEver,
  /** Appends one record to each of the shops, then ends. */
  append: appendOnce,
  /** Revokes a key as the next record of a shop, then ends. */
  revoke: revokeOnce,
  /** Appends to its shops until the disk is full; writes a line `shop number` with the last record of each. */
  fill: fillDisk,
  /** Opens copies of the log of various lengths; writes a line `bytes outcome` for each. */
  'open-cut': openCut,
} satisfies Record<string, Program>;

export type Verb = keyof typeof VERBS;

export const logProgram = fileURLToPath(import.meta.url);

/** Starts a process and does not wait for it. */
export const startLogProcess = (verb: Verb, folder: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [logProgram, verb, folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs a process to its end; blocks this process meanwhile. */
export function runLogProcess(verb: Verb, folder: string, ...args: readonly string[]) {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [logProgram, verb, folder, ...args],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return { status, signal, stdout, stderr };
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function writeForEver(folder: string, ...shopIds: string[]): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  await Promise.all(
    shopIds.map(async (shopId) => {
      for (;;) {
        const last = log.lastSequenceNumber(shopId);
        const size = 1 + (last % 7);
        const records = Array.from({ length: size }, (_, index) =>
          answeredRecord(last + index + 1, `key ${last + index + 1}`, START_MS),
        );
        const { kind } = await log.append(shopId, last, records);
        if (kind !== 'appended') return say(`${shopId} ${kind}`);
        say(records.map((_, index) => `${shopId} ${last + index + 1}`).join('\n'));
      }
    }),
  );
}

async function appendOnce(folder: string, ...shopIds: string[]): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  for (const shopId of shopIds) {
    const last = log.lastSequenceNumber(shopId);
    const records = [
      answeredRecord('other', `key ${last + 1}`, START_MS),
      keyRecord(`key_${last + 2}`, shopId),
    ];
    const { kind } = await log.append(shopId, last, [...records, settingsRecord('x'.repeat(100_000))]);
    say(`${shopId} ${kind}`);
  }
  await log.close();
}

async function revokeOnce(folder: string, shopId: string, keyId: string): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  const { kind } = await log.append(shopId, log.lastSequenceNumber(shopId), [revokeRecord(keyId)]);
  say(`${shopId} ${kind}`);
  await log.close();
}

async function fillDisk(folder: string, ...shopIds: string[]): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  await Promise.all(
    shopIds.map(async (shopId) => {
      for (let last = 0; ; last++) {
        const { kind } = await log.append(shopId, last, [settingsRecord(`${last + 1} ${'x'.repeat(3000)}`)]);
        if (kind === 'appended') continue;
        return say(kind === 'diskFull' ? `${shopId} ${last}` : `${shopId} ${kind}`);
      }
    }),
  );
  const later = await log.append('shop_later', 0, [settingsRecord('x'.repeat(3000))]);
  say(`writes go on ${later.kind === 'appended'}`);
  await log.close();
}

async function openCut(folder: string, ...lengths: string[]): Promise<void> {
  const copy = `${folder}-cut`;
  const bytes = readFileSync(join(folder, 'data.mdb'));
  for (const length of lengths) {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    writeFileSync(join(copy, 'data.mdb'), bytes.subarray(0, Number(length)));
    copyFileSync(join(folder, 'format'), join(copy, 'format'));
    say(`${length} ${await openingOf(copy)}`);
  }
}

async function openingOf(folder: string): Promise<string> {
  try {
    const log = openLmdbEventLog({ path: folder });
    const { defects } = await verifyLog(log);
    await log.close();
    return defects.length === 0 ? 'whole' : 'damaged';
  } catch (error) {
    if (error instanceof UnusableDataFileError || error instanceof DamagedLogError) return error.name;
    throw error;
  }
}

const [, , verb, folder, ...args] = process.argv;
if (
  process.argv[1] === logProgram &&
  verb !== undefined &&
  folder !== undefined &&
  Object.hasOwn(VERBS, verb)
) {
  const run: Program = VERBS[verb as Verb];
  await run(folder, ...args);
}
