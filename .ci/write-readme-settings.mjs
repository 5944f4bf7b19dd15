// Writes the table of settings into the README, from the table that the program reads them by.
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/src/settings.js';

const readmePath = new URL('../README.md', import.meta.url);
const readme = readFileSync(readmePath, 'utf8');
const marked = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;
writeFileSync(
  readmePath,
  readme.replace(marked, (_, start, end) => start + settingsTable() + end),
);
