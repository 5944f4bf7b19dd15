/** What a start loads: only the check of Node at first, and the client of PostgreSQL only where a database is named. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { readText } from './project-files.ts';
import { sourceFilesBelow } from './source-file.ts';

const sources = new Map(sourceFilesBelow('src').map((file) => [file.path, file]));
const CLIENT_OF_THE_DATABASE = 'src/store/log/postgres/connection.ts';

const TYPES_ALONE = /^(?:im|ex)port type [^;]*? from '([^']+)';$/gm;

/** Files of src that are loaded with these; what is imported for its types alone, or later, is not. */
function loadedWith(paths: readonly string[], loaded = new Set<string>()): ReadonlySet<string> {
  for (const path of paths) {
    const file = sources.get(path);
    if (file === undefined || loaded.has(path)) continue;
    loaded.add(path);
    const types = [...file.text.matchAll(TYPES_ALONE)].map(([, specifier]) => specifier);
    const values = file.modules.filter(
      ({ kind, specifier }) => kind === 'static' && !types.includes(specifier),
    );
    loadedWith(
      values.map(({ specifier }) => posix.join(posix.dirname(path), specifier)),
      loaded,
    );
  }
  return loaded;
}

test('only the check of Node is loaded before it has passed', () => {
  assert.deepEqual([...loadedWith(['src/cli.ts'])], ['src/cli.ts', 'src/base/runtime/node-release.ts']);
  // The bundler moves what two files share into a third one, which the entry would load first.
  assert.doesNotMatch(readText('dist/program/cli.js'), /^\s*(?:import\b(?!\()|\} from )/m);
});

test('the client of PostgreSQL is loaded only once a database is named', () => {
  const users = [...sources.values()].filter(({ modules }) =>
    modules.some(({ specifier }) => specifier === 'pg'),
  );
  assert.deepEqual(
    users.map(({ path }) => path),
    [CLIENT_OF_THE_DATABASE],
  );
  const atStart = loadedWith(['src/front/command-line/command-line.ts', 'src/front/main.ts']);
  assert.ok(atStart.has('src/store/log/lmdb/lmdb-event-log.ts'));
  assert.ok(!atStart.has(CLIENT_OF_THE_DATABASE));
  // The walk finds it from where it is imported like any other file.
  assert.ok(loadedWith(['src/store/log/postgres/postgres-authority.ts']).has(CLIENT_OF_THE_DATABASE));
});
