/** Places of the project, found from the compiled file (`dist/bench/project-paths.js`). */
import { fileURLToPath } from 'node:url';

export const PROJECT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));
export const projectPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** A compiled script of the suite. */
export const scriptPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
