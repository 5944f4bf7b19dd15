// Writes the tables of settings and of findings into the README, from the tables that the program reads.
import { readFileSync, writeFileSync } from 'node:fs';
import { findingsTable } from '../dist/src/command-line/finding-text.js';
import { settingsTable } from '../dist/src/settings.js';

const TABLES = { settings: settingsTable(), findings: findingsTable() };

const readmePath = new URL('../README.md', import.meta.url);
let readme = readFileSync(readmePath, 'utf8');
for (const [name, table] of Object.entries(TABLES)) {
  const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  readme = readme.replace(marked, (_, start, end) => start + table + end);
}
writeFileSync(readmePath, readme);
