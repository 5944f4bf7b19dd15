/** Disk space that the log uses, and what is left of the disk. */
import { stat, statfs } from 'node:fs/promises';
import { dataFileIn } from './data-file.ts';

/** For `/metrics`. Never rejects: a missing file or folder is a result too. */
export async function readDiskUse(folder: string) {
  const [file, disk] = await Promise.all([
    stat(dataFileIn(folder)).catch(() => null),
    statfs(folder).catch(() => null),
  ]);
  return { fileBytes: file?.size ?? 0, freeBytes: disk === null ? 0 : disk.bavail * disk.bsize };
}
