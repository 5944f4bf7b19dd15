/**
 * The site of the documents, as far as it can be checked without its generator: each document is in the navigation, each link of
 * a page leads to a page and a heading of the site, each operation of the API has its heading.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { openApiDocument } from '../../src/front/http/openapi/openapi.ts';
import { createRouteTable } from '../../src/front/http/route-table.ts';
import { documentPaths, filesBelow, projectRoot, readText } from './project-files.ts';

interface Entry {
  readonly text: string;
  readonly link: string;
}
interface Group {
  readonly text: string;
  readonly items: readonly Entry[];
}
type Pages = ReadonlyMap<string, string>;
interface Site {
  readonly pages: Pages;
  readonly images: ReadonlySet<string>;
  readonly navigation: readonly Group[];
}

/** A script of the site; it has no types. */
const load = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../../../.ci/docs/${name}.mjs`, import.meta.url).href)) as T;

const { documents, START } = await load<{ documents: readonly string[]; START: string }>('navigation');
const { anchorOf, sitePages } = await load<{
  anchorOf: (heading: string) => string;
  sitePages: (root: string) => Site;
}>('pages');
const { apiPages } = await load<{ apiPages: (document: unknown) => { pages: Pages; group: Group } }>(
  'api-pages',
);

const document = openApiDocument(createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }));
const site = sitePages(projectRoot);
const api = apiPages(document);
const pages = new Map([...site.pages, ...api.pages]);

const withoutBlocks = (text: string): string => text.replace(/^ *(`{3,})[\s\S]*?^ *\1$/gm, '');

test('the navigation has each document of the project once', () => {
  const all = [
    ...documentPaths(),
    ...['src', 'test', 'bench', 'data'].flatMap((folder) => filesBelow(folder, '.md')),
  ];
  assert.deepEqual([...documents].sort(), [...new Set(all)].sort());
});

test('each entry of the navigation has a title and leads to a page', () => {
  const entries = [...site.navigation, api.group].flatMap(({ items }) => items);
  assert.ok(entries.length > documents.length);
  assert.deepEqual(
    entries.filter(({ text, link }) => text === '' || !pages.has(link.slice(1))),
    [],
  );
});

/** By which links find headings: the name in braces, or the one made of the heading. */
const anchorsIn = (text: string): Set<string> =>
  new Set(
    [...withoutBlocks(text).matchAll(/^#+ (.*?)(?: \{#(\w+)\})?$/gm)].map(
      ([, heading = '', name]) => name ?? anchorOf(heading),
    ),
  );

test('each link of a page leads to a page of the site, and to a heading of it', () => {
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsIn(text)]));
  let count = 0;
  for (const [path, text] of pages) {
    const links = [...withoutBlocks(text).matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)];
    const broken = links.filter(([, image, link = '']) => {
      if (/^https?:/.test(link)) return false;
      const [target = '', anchor] = link.split('#');
      if (image === '!') return !site.images.has(target.slice(1));
      const page = target === '' ? path : target.slice(1);
      return anchors.get(page)?.has(anchor ?? '') !== true && (anchor !== undefined || !pages.has(page));
    });
    assert.deepEqual(
      broken.map(([link]) => link),
      [],
      path,
    );
    count += links.length;
  }
  assert.ok(count > 500, `${count} links`);
});

test('each operation, schema and failure of the API is on its pages', () => {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, unknown>>;
    components: { schemas: object; parameters: Record<string, { name: string }> };
  };
  const text = [...api.pages.values()].join('\n');
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `\`${verb.toUpperCase()} ${path}\``),
  );
  assert.ok(operations.length > 60);
  assert.deepEqual(
    [...operations, ...Object.keys(components.schemas)].filter(
      (name) => !headings.some((heading) => heading === name || heading.split(/, | \{/).includes(name)),
    ),
    [],
  );
  const parameters = Object.values(components.parameters).map(({ name }) => name);
  assert.deepEqual(
    parameters.filter((name) => !text.includes(`| \`${name}\` | header |`)),
    [],
  );
  assert.doesNotMatch(text, /undefined|\[object/);
  const simulation = api.pages.get('api/simulation.md') ?? '';
  for (const part of [
    '| `fields` | query | text |',
    '| `destination` | [Destination](',
    '**Body** ([SimulateRequest]',
    '**Answer 200** ',
    '| 429 | `RATE_LIMITED` |',
  ]) {
    assert.ok(simulation.includes(part), part);
  }
});

test('an afternoon is a list of steps with links, and its commands stand in the pages behind them', () => {
  const start = readText(START);
  const [, ...afternoons] = start.split(/^## /m);
  assert.equal(afternoons.length, 3);
  for (const afternoon of afternoons) {
    const steps = afternoon.split(/^\d\. /m).slice(1);
    assert.ok(steps.length >= 5, afternoon);
    for (const step of steps) assert.match(step, /\]\([^)]+\)/);
  }
  const linked = [...start.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, link = '']) =>
    readText(posix.join(posix.dirname(START), link)),
  );
  const commands = [...start.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  );
  assert.ok(commands.length >= 10);
  assert.deepEqual(
    commands.filter((command) => !linked.some((text) => text.includes(command))),
    [],
  );
});

test('the generator is pinned, comes from the registry, and needs no script of a package', () => {
  const { dependencies } = JSON.parse(readText('.ci/docs/package.json')) as {
    dependencies: Record<string, string>;
  };
  for (const version of Object.values(dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
  const { packages } = JSON.parse(readText('.ci/docs/package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>;
  };
  const scripted = Object.keys(packages).filter(
    (path) => packages[path]?.hasInstallScript === true && packages[path].optional !== true,
  );
  assert.deepEqual(scripted, ['node_modules/esbuild']);
});
