/**
 * The pages of the service: `/docs`, an interactive description of the API, and `/console`, for people who manage
 * shipping prices. A page loads from and calls this host only, and cannot be framed.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from '#typebox';
import { programPath } from '../../../base/runtime/package-files.ts';
import { success } from '../../../engine/domain/failure.ts';
import { type ContentType, type Headers, POLICY_HEADER } from '../output.ts';
import { answerDoc, type PublicRoute, publicRoute } from '../route.ts';
import { StaticText } from '../static-text.ts';

/** Scripts from and requests to this host only. Icons are `data:` images in a style. `styles`: further ones. */
const policy = (styles = '') =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const pageHeaders = (styles?: string): Headers => [
  [POLICY_HEADER, policy(styles)],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];
const PAGE_HEADERS = pageHeaders();

function fileRoute(
  name: string,
  path: string,
  type: ContentType,
  read: () => string | Uint8Array,
  headers = PAGE_HEADERS,
): PublicRoute {
  const text = new StaticText(type, read, headers);
  return pageRoute(name, path, type, (_dependencies, _isDraining, head) => text.answer(head));
}

const pageRoute = (
  name: string,
  path: string,
  type: ContentType,
  handle: PublicRoute['handle'],
): PublicRoute =>
  publicRoute({
    name,
    path,
    type,
    isFile: true,
    summary: 'A page, or a part of one',
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

const rendererFile = (name: string) => (): Uint8Array => readFileSync(join(RENDERER_FOLDER, name));

export const docsRoutes = (): readonly PublicRoute[] => [
  fileRoute('getDocs', '/docs', 'html', () => DOCS_PAGE),
  fileRoute('getDocsStart', '/docs/start.js', 'script', () => DOCS_START),
  fileRoute('getDocsRenderer', '/docs/renderer.js', 'script', rendererFile('swagger-ui-bundle.js')),
  fileRoute('getDocsStyle', '/docs/renderer.css', 'style', rendererFile('swagger-ui.css')),
];

/** The build writes the page of the console and its parts to it. */
const CONSOLE_FOLDER = programPath('console-page');
const CONSOLE_PAGE = 'console.html';

/** Kind of part -> its type, and its name in the names of routes. */
const PARTS: Readonly<Record<string, readonly [type: ContentType, name: string]>> = {
  js: ['script', 'Script'],
  css: ['style', 'Style'],
  woff2: ['font', 'Font'],
};

/** Names of parts hold a hash of their content. */
const KEPT: Headers = [['Cache-Control', 'public, max-age=31536000, immutable']];

const endingOf = (file: string): string => file.slice(file.lastIndexOf('.') + 1);
const bytesOf = (name: string): Uint8Array => readFileSync(join(CONSOLE_FOLDER, name));

function partRoute(file: string): PublicRoute[] {
  const part = PARTS[endingOf(file)];
  if (part === undefined) return [];
  const [type, name] = part;
  const bytes = bytesOf(file);
  return [fileRoute(`getConsole${name}`, `/console/${file}`, type, () => bytes, KEPT)];
}

/**
 * The component library of the console writes the variables of its theme into a style element. The policy lets it by a
 * nonce that is good for one page, which therefore nobody may keep.
 */
function consolePage(page: string): PublicRoute {
  return pageRoute('getConsole', '/console', 'html', () => {
    const nonce = randomBytes(16).toString('base64url');
    const body = Buffer.from(page.replaceAll('{nonce}', nonce));
    return success({
      kind: 'bytes',
      status: 200,
      type: 'html',
      body,
      headers: pageHeaders(` 'nonce-${nonce}'`),
    });
  });
}

/**
 * The console and its parts; none without a build of it. All are read at the start, so that a new build does not remove the
 * parts of a running server.
 */
export function consoleRoutes(): readonly PublicRoute[] {
  if (!existsSync(join(CONSOLE_FOLDER, CONSOLE_PAGE))) return [];
  const page = Buffer.from(bytesOf(CONSOLE_PAGE)).toString();
  return [consolePage(page), ...readdirSync(CONSOLE_FOLDER).flatMap(partRoute)];
}
