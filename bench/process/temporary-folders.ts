/**
 * Folders that end with the suite. They lie on the disk of the project and not in a folder for temporary
 * files, which may be memory: what is measured includes flushes.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export class TemporaryFolders {
  readonly #parent: string;
  readonly #made = new Set<string>();

  constructor(parent: string) {
    this.#parent = parent;
  }

  make(name: string): string {
    mkdirSync(this.#parent, { recursive: true });
    const folder = mkdtempSync(join(this.#parent, `${name}-`));
    this.#made.add(folder);
    return folder;
  }

  remove(folder: string): void {
    this.#made.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  }

  removeAll(): void {
    for (const folder of this.#made) this.remove(folder);
  }
}
