/** LMDB alone, with the settings of the log: what acknowledging a write costs before anything else does. */
import { type Database, open, type RootDatabase } from 'lmdb';

interface BareLmdb {
  /** Resolves once a record of `bytes` bytes is flushed. */
  put(): Promise<unknown>;
  close(): Promise<void>;
}

export function openBareLmdb(folder: string, bytes: number): BareLmdb {
  const root: RootDatabase<Buffer, Buffer> = open<Buffer, Buffer>({ path: folder, overlappingSync: false });
  const records: Database<Buffer, Buffer> = root.openDB<Buffer, Buffer>({
    name: 'records',
    keyEncoding: 'binary',
    encoding: 'binary',
  });
  let written = 0;
  return {
    put() {
      const key = Buffer.alloc(8);
      key.writeUInt32BE(++written, 4);
      return records.put(key, Buffer.alloc(bytes, written));
    },
    close: () => root.close(),
  };
}
