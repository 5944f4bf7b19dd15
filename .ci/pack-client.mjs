// Packs the client as a package of its own, without the server and its dependencies: `npm run client:pack`. An argument
// names the folder that gets the tarball, otherwise dist/. The package has the name of the service, so that a program
// imports `ratewright/client` whether it has the client alone or the whole service.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = join(root, 'dist/src');
const folder = join(root, 'dist/client');
const destination = resolve(process.argv[2] ?? join(root, 'dist'));

/** The compiled file and all that it imports, as they are in the package: paths below dist/src and texts. */
function withImports(path, ending, found = new Map()) {
  if (found.has(path)) return found;
  const text = readFileSync(join(compiled, `${path}${ending}`), 'utf8').replace(
    /\n\/\/# sourceMappingURL=.*\n?$/,
    '\n',
  );
  const imports = /(\b(?:from|import)\s*\(?')(\.[^']+?)\.[jt]s'/g;
  found.set(path, text.replace(imports, "$1$2.js'"));
  for (const [, , target] of text.matchAll(imports)) {
    withImports(relative(compiled, resolve(compiled, dirname(path), target)), ending, found);
  }
  return found;
}

rmSync(folder, { recursive: true, force: true });
for (const ending of ['.js', '.d.ts']) {
  for (const [path, text] of withImports('front/client/client', ending)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, `${path}${ending}`), text);
  }
}
copyFileSync(join(root, 'src/front/client/README.md'), join(folder, 'README.md'));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = {
  name,
  version,
  description: 'Typed client of the Ratewright shipping-rate service, without the service',
  license,
  type: 'module',
  private: true,
  engines: { node: '>=20.15.0' },
  sideEffects: false,
  exports: {
    './client': { types: './front/client/client.d.ts', default: './front/client/client.js' },
    './package.json': './package.json',
  },
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

const packed = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], {
  cwd: folder,
  encoding: 'utf8',
});
if (packed.status !== 0) {
  process.stderr.write(packed.stderr);
  process.exit(1);
}
// The tarball of the whole service would have the same name.
const tarball = join(destination, `${name}-client-${version}.tgz`);
renameSync(join(destination, `${name}-${version}.tgz`), tarball);
process.stdout.write(`${tarball}\n`);
