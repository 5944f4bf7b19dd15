/** The project's own files, found from the compiled test wherever the checkout stands. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, seen from the compiled file in `dist/test/house/`. */
export const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

export const readText = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Name of every document: one at the top, the others beside the code that they are about. */
export const DOCUMENT_NAME = 'README.md';

/** Paths of all documents of the project, the one at the top first. */
export const documentPaths = (): string[] => [
  DOCUMENT_NAME,
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...['src', 'test', 'bench', 'data'].flatMap((folder) => filesBelow(folder, DOCUMENT_NAME)),
];

/** Paths of the files below a folder, with `/` and sorted; none when the folder is not there. */
export function filesBelow(folder: string, ending = ''): string[] {
  try {
    return (
      readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
        .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        // The peers of the bench have packages of their own.
        .filter((path) => !path.includes('/node_modules/'))
        .sort()
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
