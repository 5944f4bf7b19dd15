/** Places of compiled code as places of the source, by the source maps that stand beside it. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative, resolve } from 'node:path';
import { dirname } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { PROJECT_FOLDER } from '../project-paths.ts';

export class SourcePlaces {
  /** null where a file has no map. */
  readonly #maps = new Map<string, SourceMap | null>();

  /** `path:line` below the project, or the URL where there is no source; both numbers count from 0. */
  placeOf(url: string, line: number, column: number): string {
    if (!url.startsWith('file:')) return url;
    const file = fileURLToPath(url);
    const entry = this.#mapOf(file)?.findEntry(line, column);
    if (entry === undefined || !('originalSource' in entry)) {
      return `${relative(PROJECT_FOLDER, file)}:${line + 1}`;
    }
    const source = resolve(dirname(file), entry.originalSource);
    return `${relative(PROJECT_FOLDER, source)}:${entry.originalLine + 1}`;
  }

  #mapOf(file: string): SourceMap | null {
    const known = this.#maps.get(file);
    if (known !== undefined) return known;
    let map: SourceMap | null = null;
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    } catch {
      // A package without maps.
    }
    this.#maps.set(file, map);
    return map;
  }
}
