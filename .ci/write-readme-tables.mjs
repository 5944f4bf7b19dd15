// Writes the tables of the documents that have their marks, from the tables that the program reads.
import { readFileSync, writeFileSync } from 'node:fs';
import { documentPaths } from '../dist/test/house/project-files.js';
import { README_TABLES } from '../dist/test/house/readme-tables.js';

for (const path of documentPaths()) {
  const file = new URL(`../${path}`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  let written = text;
  for (const [name, table] of Object.entries(README_TABLES)) {
    const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    written = written.replace(marked, (_, start, end) => start + table + end);
  }
  if (written !== text) writeFileSync(file, written);
}
