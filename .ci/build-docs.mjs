// Builds the documents into a site of static pages below dist/docs, with a search that needs no server. The generator has
// a package and a lock file of its own, so that a clone installs it only for this. `npm run docs`; `-- --serve` shows it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { apiPages } from './docs/api-pages.mjs';
import { sitePages } from './docs/pages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, '.ci/docs');
const installed = join(root, 'dist/docs-package');
const pagesFolder = join(installed, 'pages');
const built = join(root, 'dist/docs');

const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
    base: { type: 'string', default: '/' },
  },
});

/** Installs what the lock file names, unless that is there. Needs the network once. */
function install() {
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const mark = join(installed, 'node_modules/.installed-lock.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  mkdirSync(installed, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(source, name), join(installed, name));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: installed, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(mark, lock);
}

const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

async function writePages() {
  const load = (path) => import(pathToFileURL(join(root, 'dist/src', path)).href);
  const { openApiDocument } = await load('front/http/openapi/openapi.js');
  const { createRouteTable } = await load('front/http/route-table.js');
  const { ITEMS_MAX_DEFAULT } = await load('engine/domain/cart.js');
  const api = apiPages(openApiDocument(createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT })));
  const { pages, images, navigation } = sitePages(root);
  rmSync(pagesFolder, { recursive: true, force: true });
  for (const [path, text] of [...pages, ...api.pages]) write(join(pagesFolder, path), text);
  for (const path of images) cpSync(join(root, path), join(pagesFolder, 'public', path));
  const settings = join(pagesFolder, '.vitepress');
  for (const name of ['config.mjs', 'pages.mjs', 'navigation.mjs', 'theme']) {
    cpSync(join(source, name), join(settings, name), { recursive: true });
  }
  const order = [...navigation.slice(0, 2), api.group, ...navigation.slice(2)];
  write(join(settings, 'site.json'), JSON.stringify({ navigation: order }));
}

install();
await writePages();
const generator = createRequire(join(installed, 'package.json')).resolve('vitepress');
const { build, serve } = await import(pathToFileURL(generator).href);
await build(pagesFolder, { base: values.base });
if (values.serve) await serve({ root: pagesFolder, base: values.base, port: Number(values.port) });
else process.stdout.write(`${built}: npm run docs -- --serve shows it\n`);
