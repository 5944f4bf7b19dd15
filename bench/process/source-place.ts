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
    const { path, sourceLine } = this.#sourceOf(fileURLToPath(url), line, column);
    return `${path}:${sourceLine + 1}`;
  }

  /** The path below the project, or the URL where there is no file. */
  pathOf(url: string, line: number, column: number): string {
    return url.startsWith('file:') ? this.#sourceOf(fileURLToPath(url), line, column).path : url;
  }

  #sourceOf(file: string, line: number, column: number): { path: string; sourceLine: number } {
    const entry = this.#mapOf(file)?.findEntry(line, column);
    if (entry === undefined || !('originalSource' in entry)) {
      return { path: relative(PROJECT_FOLDER, file), sourceLine: line };
    }
    const source = resolve(dirname(file), entry.originalSource);
    return { path: relative(PROJECT_FOLDER, source), sourceLine: entry.originalLine };
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
