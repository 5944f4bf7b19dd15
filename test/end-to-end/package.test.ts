/**
 * Installations for production: the files of the package, its installation without development dependencies, and a
 * build whose development dependencies were removed. Each serves, and stops at SIGTERM.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { ENGINE_FLAGS } from '../../src/base/runtime/engine-flags.ts';
import { projectRoot, readText } from '../house/project-files.ts';
import {
  copyPackage,
  IS_UNREACHABLE,
  installedPlaces,
  RunningService,
} from '../support/installed-package.ts';
import { cleanEnvironment, DEMO_KEY, temporaryFolder } from '../support/server-process.ts';

const QUIET_NPM = ['--no-audit', '--no-fund', '--no-update-notifier'];

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function npm(folder: string, args: readonly string[]): Ended & { readonly stdout: string } {
  const { status, stdout, stderr } = spawnSync('npm', [...args, ...QUIET_NPM], {
    cwd: folder,
    encoding: 'utf8',
    env: cleanEnvironment(),
  });
  return { code: status, stdout, output: stdout + stderr };
}

async function newFolder(context: TestContext): Promise<string> {
  const { path, discard } = await temporaryFolder();
  context.after(discard);
  return path;
}

const source = await temporaryFolder();
after(source.discard);

/** The package of the build that the tests run from, packed beside a data folder. */
const packed = pack(source.path);

function pack(folder: string): { readonly archive: string; readonly paths: readonly string[] } {
  copyPackage(folder);
  mkdirSync(join(folder, 'data/db'), { recursive: true });
  for (const name of ['data.mdb', 'lock.mdb', 'secret.key']) {
    writeFileSync(join(folder, 'data/db', name), 'must stay here');
  }
  const { code, output, stdout } = npm(folder, ['pack', '--ignore-scripts', '--json']);
  assert.equal(code, 0, output);
  const [made] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  assert.ok(made !== undefined);
  return { archive: join(folder, made.filename), paths: made.files.map(({ path }) => path) };
}

/** The program answers with the demo shop, has its page and the flags of the engine, and ends in order at SIGTERM. */
async function assertServes(service: RunningService): Promise<number | null> {
  assert.equal(await service.status('/api/shop', DEMO_KEY), 200);
  for (const part of ['/docs', '/docs/renderer.js', '/docs/renderer.css', '/console']) {
    assert.equal(await service.status(part), 200, part);
  }
  const code = await service.stop();
  await assert.rejects(fetch(`${service.url}/healthz`), 'the server runs on');
  assert.match(service.output.text, /"isComplete":true,"event":"service\.stopped"/);
  assert.doesNotMatch(service.output.text, /engine\.flags_missing/);
  return code;
}

test('the package contains the program and its data, and nothing of a data folder', () => {
  const { paths } = packed;
  const part = (path: string) => path.split('/').slice(0, 2).join('/');
  const parts = [...new Set(paths.map(part))].sort();
  assert.deepEqual(
    parts.filter((path) => !path.startsWith('dist/')),
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'data/carts',
      'data/demo-shop.json',
      'data/deploy',
      'data/examples',
      'data/grafana-dashboard.json',
      'data/migration',
      'data/plans.json',
      'data/prometheus-alerts.yml',
      'data/recipes',
      'data/start.md',
      'package.json',
    ],
  );
  assert.deepEqual(
    parts.filter((path) => path.startsWith('dist/')),
    ['dist/program', 'dist/src'],
  );
  for (const needed of [
    'dist/program/cli.js',
    'dist/program/docs-page/swagger-ui-bundle.js',
    'dist/program/docs-page/LICENSE',
    'dist/program/console-page/console.html',
    'dist/program/LICENSE-typebox',
    'dist/src/front/client/client.d.ts',
  ]) {
    assert.ok(paths.includes(needed), needed);
  }
  assert.deepEqual(
    paths.filter((path) => path.endsWith('.map')),
    [],
  );
});

test('the package, installed without development dependencies, serves and makes no connections of its own', async (context) => {
  const folder = await newFolder(context);
  const installed = npm(folder, [
    'install',
    '--omit=dev',
    '--prefer-offline',
    '--fetch-retries=1',
    packed.archive,
  ]);
  if (installed.code !== 0 && IS_UNREACHABLE.test(installed.output)) {
    return context.skip('the registry of npm cannot be reached');
  }
  assert.equal(installed.code, 0, installed.output);
  assert.equal(existsSync(join(folder, 'node_modules/@scarf')), false);
  assert.equal(existsSync(join(folder, 'node_modules/swagger-ui-dist')), false);
  const client =
    "import { createClient } from 'ratewright/client'; createClient({ url: 'http://x', key: 'k' });";
  const imported = spawnSync(process.execPath, ['--input-type=module', '-e', client], { cwd: folder });
  assert.equal(imported.status, 0, String(imported.stderr));
  const service = await RunningService.start(context, folder, ['node_modules/.bin/ratewright', 'serve']);
  assert.equal(await assertServes(service), 0);
});

test('a build whose development dependencies were removed serves with npm start', async (context) => {
  const folder = await newFolder(context);
  copyPackage(folder);
  for (const path of ['package-lock.json', 'tsconfig.json', '.ci', 'src']) {
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true, preserveTimestamps: true });
  }
  const unneeded = 'node_modules/@biomejs/biome';
  for (const place of [...installedPlaces(), unneeded]) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    cpSync(join(projectRoot, place), join(folder, place), { recursive: true });
  }
  const pruned = npm(folder, ['prune', '--omit=dev', '--offline']);
  assert.equal(pruned.code, 0, pruned.output);
  assert.equal(existsSync(join(folder, unneeded)), false);
  await assertServes(await RunningService.start(context, folder, ['npm', 'start']));
});

test('an installation for production from the lock file runs no compiler', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const runByInstall = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
  ];
  assert.deepEqual(
    runByInstall.filter((name) => Object.hasOwn(scripts, name)),
    [],
  );
});

test('the launcher passes exactly the documented flags of the engine', () => {
  const [launcher = ''] = readFileSync(join(projectRoot, 'dist/program/cli.js'), 'utf8').split('\n');
  const [env, split, node, ...flags] = launcher.split(' ');
  assert.deepEqual([env, split, node], ['#!/usr/bin/env', '-S', 'node']);
  assert.deepEqual(flags.sort(), Object.keys(ENGINE_FLAGS).sort());
});

test('a server that was started without the launcher logs the missing flags', async (context) => {
  const folder = await newFolder(context);
  const program = join(projectRoot, 'dist/program/cli.js');
  const service = await RunningService.start(context, folder, [process.execPath, program, 'serve']);
  assert.equal(await service.stop(), 0);
  const [, flags = ''] =
    /"flags":"([^"]*)","hint":"[^"]*","event":"engine\.flags_missing"/.exec(service.output.text) ?? [];
  assert.deepEqual(flags.split(' ').sort(), Object.keys(ENGINE_FLAGS).sort());
});
