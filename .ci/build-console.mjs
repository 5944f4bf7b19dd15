// Bundles src/front/console for browsers into dist/program/console-page: script and style with a hash of their content in the
// name, and the page that names them. The service puts a fresh nonce in the place of `{nonce}`.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

// Relative addresses: behind a proxy that adds a prefix the page still finds its parts.
const pageOf = (script, style, others) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ratewright console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="console/${style}" nonce="{nonce}">
${others.map((part) => `<link rel="modulepreload" href="console/${part}">\n`).join('')}<script src="console/${script}" type="module"></script>
</head>
<body><div id="console"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;

export async function buildConsole(root) {
  const folder = join(root, 'dist/program/console-page');
  mkdirSync(folder, { recursive: true });
  const source = join(root, 'src/front/console');
  const { metafile } = await build({
    entryPoints: { console: join(source, 'main.tsx'), style: join(source, 'styles/main.css') },
    outdir: folder,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    // What a page loads only when it needs it, such as a map, is in parts of its own.
    splitting: true,
    chunkNames: 'part-[hash]',
    loader: { '.woff2': 'file' },
    assetNames: '[name]-[hash]',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    tsconfig: join(source, 'tsconfig.json'),
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
    metafile: true,
  });
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const named = (start) => files.find((file) => file.startsWith(start));
  const script = named('console-');
  /** Parts that the script cannot start without. */
  const needed = new Set([script]);
  for (const part of needed) {
    const { imports } = Object.entries(metafile.outputs).find(([path]) => basename(path) === part)[1];
    for (const { path, kind } of imports) if (kind === 'import-statement') needed.add(basename(path));
  }
  needed.delete(script);
  writeFileSync(join(folder, 'console.html'), pageOf(script, named('style-'), [...needed]));
  copyFileSync(join(root, 'node_modules/@fontsource-variable/inter/LICENSE'), join(folder, 'LICENSE-inter'));
  // Those of the last build; a program that starts meanwhile finds a whole set.
  const isCurrent = (name) => ['console.html', 'LICENSE-inter'].includes(name) || files.includes(name);
  for (const name of readdirSync(folder)) if (!isCurrent(name)) rmSync(join(folder, name));
}
