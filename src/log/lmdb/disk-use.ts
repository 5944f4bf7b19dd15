/** What the log takes of its disk, and what that has left. */
import { stat, statfs } from 'node:fs/promises';
import { dataFileIn } from './data-file.ts';

/** As `/metrics` tells it. Never rejects: that the file or its folder is gone is what may have to be told. */
export async function readDiskUse(folder: string) {
  const [file, disk] = await Promise.all([
    stat(dataFileIn(folder)).catch(() => null),
    statfs(folder).catch(() => null),
  ]);
  return { fileBytes: file?.size ?? 0, freeBytes: disk === null ? 0 : disk.bavail * disk.bsize };
}
