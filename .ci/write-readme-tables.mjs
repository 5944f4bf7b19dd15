// Writes the tables of settings and of findings where a document has their marks, from the tables that the
// program reads.
import { readFileSync, writeFileSync } from 'node:fs';
import { findingsTable } from '../dist/src/command-line/finding-text.js';
import { settingsTable } from '../dist/src/settings.js';
import { documentPaths } from '../dist/test/house/project-files.js';

const TABLES = { settings: settingsTable(), findings: findingsTable() };

for (const path of documentPaths()) {
  const file = new URL(`../${path}`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  let written = text;
  for (const [name, table] of Object.entries(TABLES)) {
    const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    written = written.replace(marked, (_, start, end) => start + table + end);
  }
  if (written !== text) writeFileSync(file, written);
}
