/** The installed package of this program: its version and its files. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The one version of the program, its metrics and its interface: that of `package.json`. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** The folder of `package.json`, which holds `data/` with the plans and the demo shop. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
