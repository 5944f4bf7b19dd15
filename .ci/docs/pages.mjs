// Makes the pages of the site from the documents where they are: a page for each document, and for each file and folder
// that one of them links to, so that a link works here as it does where the documents stand.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { documents, NAVIGATION, START } from './navigation.mjs';

const IMAGE = /\.(?:svg|webp|png)$/;
const HAS_SCHEME = /^[a-z]+:/;
const FENCED = /(^```[\s\S]*?^```$)/m;

/** Language of a file for its colours; none for endings that say nothing. */
const LANGUAGES = {
  ...{ mjs: 'js', ts: 'ts', py: 'python', php: 'php', go: 'go', sh: 'sh', json: 'json', conf: 'nginx' },
  ...{ yaml: 'yaml', yml: 'yaml', service: 'ini', csv: 'csv' },
};

/** Name by which a link finds a heading, as where the documents stand. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Path of the page that a file or folder of the project has. */
function pageOf(root, path) {
  if (path === START) return 'index.md';
  if (path === 'README.md') return 'readme.md';
  if (path.endsWith('README.md')) return path.replace(/README\.md$/, 'index.md');
  if (path.endsWith('.md')) return path;
  return statSync(join(root, path)).isDirectory() ? posix.join(path, 'index.md') : `${path}.md`;
}

const titleOf = (text) => (/^# (.*)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');

function filePage(path, text) {
  const [longest = ''] = (text.match(/`{3,}/g) ?? []).sort((a, b) => b.length - a.length);
  const fence = '`'.repeat(Math.max(3, longest.length + 1));
  const language = LANGUAGES[path.slice(path.lastIndexOf('.') + 1)] ?? 'txt';
  return `---\nsearch: false\n---\n\n# ${path}\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

/** All pages by their path, the images that they show, and the navigation of the site. */
export function sitePages(root) {
  const pages = new Map();
  const images = new Set();
  const linked = new Set();

  const rewriteLinks = (document, prose) =>
    prose.replace(/\]\(([^)\s]+)\)/g, (link, target) => {
      if (HAS_SCHEME.test(target) || target.startsWith('#')) return link;
      const [file, anchor] = target.split('#');
      const path = posix.join(posix.dirname(document), file).replace(/\/$/, '');
      if (!existsSync(join(root, path))) throw new Error(`${document}: ${target} leads nowhere`);
      if (IMAGE.test(path)) {
        images.add(path);
        return `](/${path})`;
      }
      const readme = posix.join(path, 'README.md');
      const led = documents.includes(readme) ? readme : path;
      if (!documents.includes(led)) linked.add(led);
      return `](/${pageOf(root, led)}${anchor === undefined ? '' : `#${anchor}`})`;
    });

  const pageText = (document) => {
    const parts = readFileSync(join(root, document), 'utf8').split(FENCED);
    // Every second part is a fenced block.
    const changed = parts.map((part, at) =>
      at % 2 === 1 ? part : rewriteLinks(document, part.replace(/^<!--.*-->\n/gm, '')),
    );
    return changed.join('');
  };

  for (const document of documents) pages.set(pageOf(root, document), pageText(document));
  for (const path of linked) {
    if (!statSync(join(root, path)).isDirectory()) {
      pages.set(pageOf(root, path), filePage(path, readFileSync(join(root, path), 'utf8')));
      continue;
    }
    const names = readdirSync(join(root, path)).sort();
    const files = names.filter((name) => statSync(join(root, path, name)).isFile());
    for (const name of files) {
      const file = posix.join(path, name);
      pages.set(pageOf(root, file), filePage(file, readFileSync(join(root, file), 'utf8')));
    }
    const rows = files.map((name) => `- [${name}](/${pageOf(root, posix.join(path, name))})`);
    pages.set(pageOf(root, path), `# ${path}\n\n${rows.join('\n')}\n`);
  }

  const navigation = NAVIGATION.map(([text, entries]) => ({
    text,
    items: entries.map((entry) => {
      const [path, title] = typeof entry === 'string' ? [entry] : entry;
      const page = pageOf(root, path);
      return { text: title ?? titleOf(pages.get(page)), link: `/${page}` };
    }),
  }));
  return { pages, images, navigation };
}
