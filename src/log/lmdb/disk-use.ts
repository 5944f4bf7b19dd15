/** Disk space of the log, and free space of the disk. */
import { stat, statfs } from 'node:fs/promises';
import { dataFileIn } from './data-file.ts';

/** In bytes, for `/metrics`. Never rejects: a missing file or folder counts as 0. */
export async function readDiskUse(folder: string) {
  const [file, disk] = await Promise.all([
    stat(dataFileIn(folder)).catch(() => null),
    statfs(folder).catch(() => null),
  ]);
  return { fileBytes: file?.size ?? 0, freeBytes: disk === null ? 0 : disk.bavail * disk.bsize };
}
