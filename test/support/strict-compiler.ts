/** The compiler of the project, run with the strictest options over a program in a folder of its own. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const OPTIONS = {
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  // Declarations of packages are checked too.
  skipLibCheck: false,
  types: [],
};

/**
 * What the compiler reports of the TypeScript files in `folder`, which is a package of modules; "" when they compile. The
 * programs are written beside them.
 */
export function compileStrictly(folder: string): string {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }),
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', folder], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}` || `the compiler ended with ${status}`;
}
