/**
 * Folders that are removed at the end of the suite. They are on the disk of the project and not in the system's folder
 * for temporary files, which may be memory, because the measurements include flushes. The next run removes the folders
 * that a killed run left behind.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export class TemporaryFolders {
  /** Named for this process, so that the next run sees whether its owner still lives. */
  readonly #parent: string;
  readonly #made = new Set<string>();

  constructor(folder: string) {
    this.#parent = join(folder, String(process.pid));
    mkdirSync(this.#parent, { recursive: true });
    for (const owner of readdirSync(folder)) {
      if (!isRunning(Number(owner))) rmSync(join(folder, owner), { recursive: true, force: true });
    }
  }

  make(name: string): string {
    mkdirSync(this.#parent, { recursive: true });
    const folder = mkdtempSync(join(this.#parent, `${name}-`));
    this.#made.add(folder);
    return folder;
  }

  /** Removes the folders made so far; more can be made. */
  clear(): void {
    for (const folder of this.#made) rmSync(folder, { recursive: true, force: true });
    this.#made.clear();
  }

  /** For the end of the process. */
  removeAll(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }
}
