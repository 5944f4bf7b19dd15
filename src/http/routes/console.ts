/**
 * `/console`: the page for people who answer for shipping prices. The build makes its files beside this program, with a hash
 * of their content in their names, so browsers keep them; the page that names them is never kept. All are read at the start,
 * so that a build beside a running server takes no part away from it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { answerBytes } from '../answer.ts';
import type { ContentType, Headers } from '../output.ts';
import type { PublicRoute } from '../route.ts';
import { PAGE_HEADERS, pagePartRoute } from './page-part.ts';

/** Filled by the build: the page, and its parts as they are and compressed. */
const FOLDER = new URL('../console-page/', import.meta.url);
const PAGE = 'console.html';

const TYPES: Readonly<Record<string, ContentType>> = { js: 'script', css: 'style' };

/** Codings in which the build keeps a part: name in `Accept-Encoding` and ending of the file, the smallest first. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const KEPT: Headers = [
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  ['Vary', 'Accept-Encoding'],
];

/** True when `header` accepts the coding; `*` and weights other than 0 are not looked at. */
const accepts = (header: string, coding: string): boolean =>
  header.split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

const bytesOf = (name: string): Uint8Array => readFileSync(new URL(name, FOLDER));

function assetRoute(file: string): PublicRoute {
  const ending = file.slice(file.lastIndexOf('.') + 1);
  const type = TYPES[ending] ?? 'script';
  const plain = bytesOf(file);
  const coded = CODINGS.map(([coding, suffix]) => ({ coding, bytes: bytesOf(file + suffix) }));
  return pagePartRoute({
    name: `getConsole${ending === 'css' ? 'Style' : 'Script'}`,
    path: `/console/${file}`,
    type,
    summary: 'Part of the console',
    handle: (_dependencies, _isDraining, acceptEncoding) => {
      const best = coded.find(({ coding }) => accepts(acceptEncoding, coding));
      if (best === undefined) return answerBytes(200, type, plain, KEPT);
      return answerBytes(200, type, best.bytes, [...KEPT, ['Content-Encoding', best.coding]]);
    },
  });
}

/** The page and its parts; none where there is no build of them. */
export function consoleRoutes(): readonly PublicRoute[] {
  if (!existsSync(new URL(PAGE, FOLDER))) return [];
  const page = bytesOf(PAGE);
  const pageRoute = pagePartRoute({
    name: 'getConsole',
    path: '/console',
    type: 'html',
    summary: 'The console',
    handle: () => answerBytes(200, 'html', page, PAGE_HEADERS),
  });
  const assets = readdirSync(FOLDER).filter((file) => /\.(?:js|css)$/.test(file));
  return [pageRoute, ...assets.map(assetRoute)];
}
