/**
 * `/docs`: the description of the interface as a page to read and try. The build copies the files of the renderer
 * (swagger-ui-dist) beside this program. They are served from here: the page loads nothing from any other host, and its
 * policy forbids it to.
 */
import { readFileSync } from 'node:fs';
import { answerBytes } from '../answer.ts';
import type { ContentType } from '../output.ts';
import type { PublicRoute } from '../route.ts';
import { PAGE_HEADERS, pagePartRoute } from './page-part.ts';

/** Filled by the build. */
const RENDERER_FOLDER = new URL('../docs-page/', import.meta.url);

// Relative addresses: behind a proxy that adds a prefix the page still finds its parts.
const PAGE = `<!doctype html>
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

const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

interface Part {
  readonly name: string;
  readonly path: string;
  readonly type: ContentType;
  readonly summary: string;
  readonly read: () => string | Uint8Array;
}

const fileOf = (name: string) => (): Uint8Array => readFileSync(new URL(name, RENDERER_FOLDER));

const PARTS: readonly Part[] = [
  {
    name: 'getDocs',
    path: '/docs',
    type: 'html',
    summary: 'This description as a page to read and try',
    read: () => PAGE,
  },
  {
    name: 'getDocsStart',
    path: '/docs/start.js',
    type: 'script',
    summary: 'Part of the page',
    read: () => START,
  },
  {
    name: 'getDocsRenderer',
    path: '/docs/renderer.js',
    type: 'script',
    summary: 'Part of the page',
    read: fileOf('swagger-ui-bundle.js'),
  },
  {
    name: 'getDocsStyle',
    path: '/docs/renderer.css',
    type: 'style',
    summary: 'Part of the page',
    read: fileOf('swagger-ui.css'),
  },
];

const docsRoute = ({ read, ...part }: Part): PublicRoute => {
  let body: Uint8Array | undefined;
  return pagePartRoute({
    ...part,
    handle: () => {
      // Read when first asked for, and kept: readers share the bytes.
      body ??= Buffer.from(read());
      return answerBytes(200, part.type, body, PAGE_HEADERS);
    },
  });
};

export const docsRoutes = (): readonly PublicRoute[] => PARTS.map(docsRoute);
