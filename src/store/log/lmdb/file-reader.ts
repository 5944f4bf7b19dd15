/**
 * `node file-reader.js FOLDER` reads every key and value of the data file in the folder. LMDB trusts its pages, so a damaged one
 * can end the process that reads it; here that process has nothing else to do. Ends with 0 when everything could be read;
 * otherwise the output says what is wrong.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from 'lmdb';

const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;
/** A writer may replace the pages that are being compared; then they are read again. */
const LOOKS_MAX = 5;
/** Offsets in a meta page: magic number, size of pages, roots of the trees of free pages and of tables, transaction. */
const META_AT = { magic: 24, pageSize: 48, roots: [88, 136], transaction: 152 } as const;
/** Offset of the transaction that wrote it in every other page. */
const TRANSACTION_AT = 8;
const MAGIC = 0xbeefc0den;
const NO_ROOT = 2n ** 64n - 1n;

/**
 * A meta page has no checksum. Torn, it can name the snapshot before the newest one, or parts of two. But each transaction writes
 * both roots with its number, and the roots of the two last snapshots stay until the next one.
 */
function checkMeta(path: string): void {
  const file = openSync(path, 'r');
  const uint64 = (at: number): bigint => {
    const bytes = Buffer.alloc(8);
    readSync(file, bytes, 0, bytes.length, at);
    return bytes.readBigUInt64LE();
  };
  const isTorn = (): boolean => {
    const pageSize = Number(uint64(META_AT.pageSize) & 0xffffffffn);
    const metas = [0, pageSize].map((at) => {
      const transaction = uint64(at + META_AT.transaction);
      const roots = META_AT.roots.map((root) => uint64(at + root)).filter((root) => root !== NO_ROOT);
      const written = roots.map((root) => uint64(Number(root) * pageSize + TRANSACTION_AT));
      return { transaction, written };
    });
    const [newest, other] = metas.sort((a, b) => Number(b.transaction - a.transaction));
    if (newest === undefined || other === undefined) return true;
    const isOwn = newest.written.every((transaction) => transaction === newest.transaction);
    return !isOwn || other.written.some((transaction) => transaction > newest.transaction);
  };
  try {
    if ((uint64(META_AT.magic) & 0xffffffffn) !== MAGIC) throw new Error('it is no file of LMDB');
    for (let look = 1; look <= LOOKS_MAX; look++) if (!isTorn()) return;
    throw new Error('it names a snapshot that does not exist');
  } finally {
    closeSync(file);
  }
}

const countOf = (table: { getStats(): object }): unknown =>
  (table.getStats() as { readonly entryCount?: unknown }).entryCount;

/** Throws when an entry cannot be read or is not found under its key. */
function readAll(folder: string): void {
  const root = open<Buffer, Buffer>({ ...BINARY, path: folder, noSubdir: false, maxDbs: 32, readOnly: true });
  const names = Array.from(root.getKeys(), (key) => key.toString('latin1'));
  // Opened first: all reads of this turn then see one snapshot, also beside a writer.
  const tables = names.map((name) => [name, root.openDB<Buffer, Buffer>({ ...BINARY, name })] as const);
  for (const [name, table] of tables) {
    let entries = 0;
    for (const { key, value } of table.getRange({})) {
      const found = table.get(key);
      if (found?.equals(value) !== true) throw new Error(`an entry of ${name} is not found under its key`);
      entries++;
    }
    // LMDB keeps the count beside the root: a page that lost some of its entries shows here.
    if (entries !== countOf(table)) throw new Error(`${name} lacks some of its entries`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder = ''] = process.argv;
  try {
    checkMeta(join(folder, 'data.mdb'));
    readAll(folder);
  } catch (error) {
    process.stdout.write(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
