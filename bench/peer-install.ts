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

/** `answers` is the form of the service's answer that has as much in it. */
export const PEERS = [
  { id: 'peer-1', name: 'peer 1', answers: 'ratewright' },
  { id: 'peer-2', name: 'peer 2', answers: 'ratewright' },
  {
    id: 'peer-3',
    name: 'peer 3 (not in it: zones, blends, steps of a price)',
    answers: 'rates',
  },
  { id: 'peer-4', name: 'peer 4 (as peer 3, with its traces)', answers: 'ratewright' },
] as const;
export type Peer = (typeof PEERS)[number];

export const peerScript = ({ id }: Pick<Peer, 'id'>): string => projectPath(`dist/peers/build/${id}.js`);

export const arePeersInstalled = (): boolean =>
  ['fastify', '@gorules/zen-engine'].every((name) =>
    existsSync(projectPath(`dist/peers/node_modules/${name}`)),
  );

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
