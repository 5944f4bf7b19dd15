/**
 * `FOLDER FIRST COUNT`: flips bits in copies of the data file in FOLDER, each chosen by its number, and
 * reads all of every shop; a line of JSON per copy. A file that kills its reader ends it there.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DamagedLogError, UnusableDataFileError } from '../../src/log/event-log.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/log/lmdb-event-log.ts';
import { verifyLog } from '../../src/log/verify-log.ts';
import { SeededRandom } from '../simulator/seeded-random.ts';

export const bitRotProgram = fileURLToPath(import.meta.url);

export interface RottenFile {
  readonly file: number;
  /** Shop by shop: all its records as they were, or refused by name; anything else is in `wrong`. */
  readonly whole: number;
  readonly refused: number;
  readonly wrong: readonly string[];
  readonly isFoundByVerify: boolean;
}

const SHOPS = ['shop_a', 'shop_b', 'shop_c'];

const textOf = (log: LmdbEventLog, shopId: string): string => JSON.stringify([...log.read(shopId, 0)]);

async function look(path: string, expected: readonly string[]): Promise<Omit<RottenFile, 'file'>> {
  const isNamed = (error: unknown) =>
    error instanceof DamagedLogError || error instanceof UnusableDataFileError;
  let log: LmdbEventLog;
  try {
    log = openLmdbEventLog({ path });
  } catch (error) {
    const wrong = isNamed(error) ? [] : [`open: ${error}`];
    return { whole: 0, refused: SHOPS.length, wrong, isFoundByVerify: true };
  }
  let [whole, refused] = [0, 0];
  const wrong: string[] = [];
  for (const [index, shopId] of SHOPS.entries()) {
    try {
      if (textOf(log, shopId) === expected[index]) whole++;
      else wrong.push(`${shopId}: another answer`);
    } catch (error) {
      refused++;
      if (!isNamed(error)) wrong.push(`${shopId}: ${error}`);
    }
  }
  const defects = await verifyLog(log).then(
    (report) => report.defects.length,
    () => 1,
  );
  await log.close();
  return { whole, refused, wrong, isFoundByVerify: defects > 0 };
}

async function main(folder: string, first: number, count: number): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  const expected = SHOPS.map((shopId) => textOf(log, shopId));
  await log.close();
  const bytes = readFileSync(join(folder, 'data.mdb'));
  for (let file = first; file < first + count; file++) {
    const random = new SeededRandom(file);
    const rotten = Buffer.from(bytes);
    for (let flips = random.between(1, 8); flips > 0; flips--) {
      const at = random.below(rotten.length);
      rotten[at] = (rotten[at] ?? 0) ^ (1 << random.below(8));
    }
    const path = join(folder, `rotten-${file}`);
    mkdirSync(path);
    writeFileSync(join(path, 'data.mdb'), rotten);
    writeSync(1, `${JSON.stringify({ file, ...(await look(path, expected)) })}\n`);
    rmSync(path, { recursive: true });
  }
}

const [folder = '', first = '0', count = '1'] = process.argv.slice(2);
if (process.argv[1] === bitRotProgram) await main(folder, Number(first), Number(count));
