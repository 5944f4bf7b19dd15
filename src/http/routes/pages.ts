/**
 * The pages of the service: `/docs`, an interactive description of the API, and `/console`, for people who manage
 * shipping prices. A page loads from and calls this host only, and cannot be framed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from '#typebox';
import { programPath } from '../../runtime/package-files.ts';
import { answerBytes } from '../answer.ts';
import { type ContentType, type Headers, POLICY_HEADER } from '../output.ts';
import { answerDoc, type PublicRoute, publicRoute } from '../route.ts';

/** Scripts from and requests to this host only. Icons are `data:` images in a style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS: Headers = [
  [POLICY_HEADER, POLICY],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];

const pageRoute = (
  name: string,
  path: string,
  type: ContentType,
  summary: string,
  handle: PublicRoute['handle'],
): PublicRoute =>
  publicRoute({
    name,
    path,
    type,
    summary,
    success: answerDoc('The text', Type.String(), ''),
    handle,
  });

/** The build copies the files of swagger-ui-dist to it. */
const RENDERER_FOLDER = programPath('docs-page');

// Addresses are relative, so that the page works behind a proxy that adds a prefix.
const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ratewright API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/renderer.css">
<script src="docs/renderer.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body><main id="reference"></main></body>
</html>
`;

const DOCS_START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

function docsRoute(
  name: string,
  path: string,
  type: ContentType,
  summary: string,
  read: () => string | Uint8Array,
): PublicRoute {
  let body: Uint8Array | undefined;
  return pageRoute(name, path, type, summary, () => {
    // Read on first use and kept in memory once for all clients.
    body ??= Buffer.from(read());
    return answerBytes(200, type, body, PAGE_HEADERS);
  });
}

const rendererFile = (name: string) => (): Uint8Array => readFileSync(join(RENDERER_FOLDER, name));

export const docsRoutes = (): readonly PublicRoute[] => {
  const part = 'Part of the page';
  return [
    docsRoute('getDocs', '/docs', 'html', 'This description as an interactive page', () => DOCS_PAGE),
    docsRoute('getDocsStart', '/docs/start.js', 'script', part, () => DOCS_START),
    docsRoute('getDocsRenderer', '/docs/renderer.js', 'script', part, rendererFile('swagger-ui-bundle.js')),
    docsRoute('getDocsStyle', '/docs/renderer.css', 'style', part, rendererFile('swagger-ui.css')),
  ];
};

/** The build writes the page of the console and its parts to it, uncompressed and compressed. */
const CONSOLE_FOLDER = programPath('console-page');
const CONSOLE_PAGE = 'console.html';

const TYPES: Readonly<Record<string, ContentType>> = { js: 'script', css: 'style' };

/** Encodings of the parts: the name in `Accept-Encoding` and the suffix of the file, the most compact first. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const KEPT: Headers = [
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  ['Vary', 'Accept-Encoding'],
];

/** True when `header` accepts the encoding; `*` and weights other than 0 are ignored. */
const accepts = (header: string, coding: string): boolean =>
  header.split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

const bytesOf = (name: string): Uint8Array => readFileSync(join(CONSOLE_FOLDER, name));

function assetRoute(file: string): PublicRoute {
  const ending = file.slice(file.lastIndexOf('.') + 1);
  const type = TYPES[ending] ?? 'script';
  const plain = bytesOf(file);
  const coded = CODINGS.map(([coding, suffix]) => ({ coding, bytes: bytesOf(file + suffix) }));
  const name = `getConsole${ending === 'css' ? 'Style' : 'Script'}`;
  return pageRoute(
    name,
    `/console/${file}`,
    type,
    'Part of the console',
    (_, _isDraining, acceptEncoding) => {
      const best = coded.find(({ coding }) => accepts(acceptEncoding, coding));
      if (best === undefined) return answerBytes(200, type, plain, KEPT);
      return answerBytes(200, type, best.bytes, [...KEPT, ['Content-Encoding', best.coding]]);
    },
  );
}

/**
 * The console and its parts; none without a build of it. The names of the parts contain a hash of their content, so
 * browsers may cache them, but not the page that refers to them. All are read at the start, so that a new build does not
 * remove the parts of a running server.
 */
export function consoleRoutes(): readonly PublicRoute[] {
  if (!existsSync(join(CONSOLE_FOLDER, CONSOLE_PAGE))) return [];
  const page = bytesOf(CONSOLE_PAGE);
  const answer = () => answerBytes(200, 'html', page, PAGE_HEADERS);
  const assets = readdirSync(CONSOLE_FOLDER).filter((file) => /\.(?:js|css)$/.test(file));
  return [pageRoute('getConsole', '/console', 'html', 'The console', answer), ...assets.map(assetRoute)];
}
