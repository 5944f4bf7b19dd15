/**
 * The peers of the comparison: their packages are no dependency of the service, so they are installed and
 * built apart, below `dist`, and only with `--peers`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { projectPath } from './project-paths.ts';

const SOURCE = projectPath('bench/peers');
const INSTALLED = projectPath('dist/peers');

export const PEER_NAMES = ['peer-1', 'peer-2'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

export const peerScript = (peer: PeerName): string => projectPath(`dist/peers/build/${peer}.js`);

export const arePeersInstalled = (): boolean => existsSync(projectPath('dist/peers/node_modules/fastify'));

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: INSTALLED, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? (stdout + stderr).slice(-1_000)}`);
  }
}

/** Compiles the peers as they stand now, with the compiler of the project. */
export function buildPeers(): void {
  rmSync(projectPath('dist/peers/src'), { recursive: true, force: true });
  cpSync(SOURCE, INSTALLED, { recursive: true });
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  run(process.execPath, [compiler.replace('package.json', 'bin/tsc'), '-p', '.']);
}

/** Installs exactly what the lock file of the peers names. Needs the network once. */
export function installPeers(): void {
  cpSync(SOURCE, INSTALLED, { recursive: true });
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}
