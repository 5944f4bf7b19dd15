/** The installed package of this program: its version and its files. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version in `package.json`; the program, its metrics and its API all show this one. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** A file or folder that the build makes for the program, wherever the calling code was compiled to. */
export const programPath = (name: string): string => join(packageFolder(), 'dist/program', name);

/** The folder of `package.json`, which contains `data/` with the plans and the demo shop. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
