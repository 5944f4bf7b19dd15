/**
 * `FOLDER FIRST COUNT`: flips bits in copies of the data file in FOLDER, which the number of the copy selects, reads every shop
 * and writes to undamaged ones; prints a line of JSON once a copy was read, and another one once it was written to. If a file
 * kills the process, the output ends there, and the copy stays: `FOLDER FIRST 0` reads it again.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DamagedLogError, UnusableDataFileError } from '../../src/store/log/event-log.ts';
import { verifyLog } from '../../src/store/log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/store/log/lmdb/lmdb-event-log.ts';
import { SeededRandom } from '../simulator/seeded-random.ts';
import { settingsRecord } from '../store/log/sample-records.ts';

export const bitRotProgram = fileURLToPath(import.meta.url);

export interface RottenFile {
  readonly file: number;
  readonly isWritten: boolean;
  /** Per shop: all records are unchanged, or refused with their names; any other outcome is in `wrong`. */
  readonly whole: number;
  readonly refused: number;
  /** The whole file was refused before anything was read. */
  readonly isUnusable: boolean;
  readonly wrong: readonly string[];
  readonly isFoundByVerify: boolean;
}

const PAGE_BYTES = 4096;
const PAGE_HEADER_BYTES = 24;
/** Offset of the field of a page with twice the number of its nodes. */
const NODES_AT = 20;
/** Branches and leaves. */
const TREE_FLAGS = [1, 2];
const SHOPS = ['shop_a', 'shop_b', 'shop_c'];

const textOf = (log: LmdbEventLog, shopId: string): string => JSON.stringify([...log.read(shopId, 0)]);

type Findings = Omit<RottenFile, 'file' | 'isWritten'>;

const UNUSABLE = { whole: 0, refused: SHOPS.length, isUnusable: true, isFoundByVerify: true };

async function look(
  path: string,
  expected: readonly string[],
  isSecond: boolean,
  say: (found: Findings, isWritten: boolean) => void,
) {
  let log: LmdbEventLog;
  try {
    log = openLmdbEventLog({ path });
  } catch (error) {
    const wrong = error instanceof UnusableDataFileError ? [] : [`open: ${error}`];
    return say({ ...UNUSABLE, wrong }, true);
  }
  const wrong: string[] = [];
  const whole: string[] = [];
  for (const [index, shopId] of SHOPS.entries()) {
    try {
      const [there, all = ''] = [textOf(log, shopId), expected[index]];
      // An interrupted write of another shop may have taken one of this shop along.
      if (there === all || (isSecond && there.startsWith(`${all.slice(0, -1)},`))) whole.push(shopId);
      else wrong.push(`${shopId}: another answer`);
    } catch (error) {
      if (!(error instanceof DamagedLogError && error.shopId === shopId)) wrong.push(`${shopId}: ${error}`);
    }
  }
  const isFoundByVerify = (await verifyLog(log)).defects.length > 0;
  const found = {
    whole: whole.length,
    refused: SHOPS.length - whole.length,
    isUnusable: false,
    isFoundByVerify,
  };
  say({ ...found, wrong }, false);
  const written = await Promise.all(whole.map((shopId) => writeTo(log, shopId).catch(String)));
  wrong.push(...written.filter((what) => what !== null));
  await log.close();
  say({ ...found, wrong }, true);
}

/** Checks that an undamaged shop accepts a record and returns it with all earlier ones; returns the defect, or null. */
async function writeTo(log: LmdbEventLog, shopId: string): Promise<string | null> {
  const before = [...log.read(shopId, 0)].length;
  try {
    const { kind } = await log.append(shopId, before, [settingsRecord('after')]);
    // The service ends here, too.
    if (kind === 'outcomeUnknown' || kind === 'unavailable') process.exit(70);
    if (kind !== 'appended') return `${shopId}: ${kind}`;
    return [...log.read(shopId, 0)].length === before + 1 ? null : `${shopId}: a record is not there`;
  } catch (error) {
    return error instanceof DamagedLogError ? null : String(error);
  }
}

/** Where to flip: anywhere in what is in use, or, in every other file, in the headers of pages. */
function placeIn(bytes: Buffer, file: number, random: SeededRandom): number {
  if (file % 2 === 0) return usedPlaceIn(bytes, random);
  const page = PAGE_BYTES * random.below(bytes.length / PAGE_BYTES);
  const nodes = bytes.readUInt16LE(page + NODES_AT) >> 1;
  const isTree = nodes > 0 && nodes < PAGE_BYTES / 16 && page >= 2 * PAGE_BYTES;
  if (!isTree || random.chance(40)) return page + random.below(PAGE_HEADER_BYTES + 144);
  const pointer = page + PAGE_HEADER_BYTES + 2 * random.below(nodes);
  if (random.chance(30)) return pointer + random.below(2);
  return page + PAGE_HEADER_BYTES + (bytes.readUInt16LE(pointer) % PAGE_BYTES) + random.below(8);
}

/** Leaves out what LMDB does not read: the room between the nodes of a page, and behind the end of a long value. */
function usedPlaceIn(bytes: Buffer, random: SeededRandom): number {
  for (;;) {
    const at = random.below(bytes.length);
    const page = at - (at % PAGE_BYTES);
    const isTree =
      bytes.readUInt32LE(page) === page / PAGE_BYTES && TREE_FLAGS.includes(bytes[page + 18] ?? 0);
    const [room, nodes] = [NODES_AT, NODES_AT + 2].map(
      (of) => PAGE_HEADER_BYTES + bytes.readUInt16LE(page + of),
    );
    const isRoom = isTree && at - page >= (room ?? 0) && at - page < (nodes ?? 0);
    if (!isRoom && bytes.subarray(at, at + 16).some((byte) => byte !== 0)) return at;
  }
}

async function main(folder: string, first: number, count: number): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  const expected = SHOPS.map((shopId) => textOf(log, shopId));
  const { lastPageNumber } = log.tables.usedPages();
  const inUse = join(folder, 'in-use');
  rmSync(inUse, { recursive: true, force: true });
  mkdirSync(inUse);
  // A compact copy has only pages that are in use.
  await log.tables.root.backup(inUse, true);
  await log.close();
  const compact = readFileSync(join(inUse, 'data.mdb'));
  // Behind the last page is only room for more.
  const all = readFileSync(join(folder, 'data.mdb')).subarray(0, (lastPageNumber + 1) * PAGE_BYTES);
  const examine = async (file: number, path: string): Promise<void> => {
    await look(path, expected, count === 0, (found, isWritten) =>
      writeSync(1, `${JSON.stringify({ file, isWritten, ...found })}\n`),
    );
    rmSync(path, { recursive: true });
  };
  if (count === 0) return examine(first, join(folder, `rotten-${first}`));
  for (let file = first; file < first + count; file++) {
    const random = new SeededRandom(file);
    const bytes = file % 2 === 0 ? compact : all;
    const rotten = Buffer.from(bytes);
    for (let flips = random.between(1, 8); flips > 0; flips--) {
      const at = Math.min(placeIn(bytes, file, random), rotten.length - 1);
      rotten[at] = (rotten[at] ?? 0) ^ (1 << random.below(8));
    }
    const path = join(folder, `rotten-${file}`);
    mkdirSync(path);
    writeFileSync(join(path, 'data.mdb'), rotten);
    copyFileSync(join(folder, 'format'), join(path, 'format'));
    await examine(file, path);
  }
}

const [folder = '', first = '0', count = '1'] = process.argv.slice(2);
if (process.argv[1] === bitRotProgram) await main(folder, Number(first), Number(count));
