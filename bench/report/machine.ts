/** The machine and the versions of the programs that the figures of a run are from. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  readonly v8: string;
  /** Commit of the measured program, `+` appended when files differ from it; "" outside a repository. */
  readonly commit: string;
  /** Load average of the minute before the start; a high one means that other programs ran. */
  readonly loadAverage: number;
}

/** First line of what a command prints, or "" when it cannot be run. */
function firstLine(command: string, args: readonly string[], cwd: string): string {
  try {
    const text = execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return text.split('\n')[0] ?? '';
  } catch {
    return '';
  }
}

function systemName(): string {
  try {
    const name = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    if (name !== undefined) return `${name}, ${type()} ${release()}`;
  } catch {
    // Not a Linux with that file.
  }
  return `${type()} ${release()}`;
}

function commitOf(folder: string): string {
  const commit = firstLine('git', ['rev-parse', '--short=12', 'HEAD'], folder);
  if (commit === '') return '';
  return firstLine('git', ['status', '--porcelain', '--untracked-files=no'], folder) === ''
    ? commit
    : `${commit}+`;
}

/** `folder` is that of the measured program. */
export const describeMachine = (folder: string): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown processor',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  system: systemName(),
  node: process.version,
  v8: process.versions.v8,
  commit: commitOf(folder),
  loadAverage: loadavg()[0] ?? Number.NaN,
});

export function formatMachine(machine: Machine): string {
  const memory = `${(machine.memoryBytes / 1024 ** 3).toFixed(1)} GiB`;
  const commit = machine.commit === '' ? '' : `, commit ${machine.commit}`;
  return [
    `${machine.processor}, ${machine.cores} cores, ${memory}; ${machine.system}`,
    `Node ${machine.node} (V8 ${machine.v8})${commit}; load average at the start ${machine.loadAverage}`,
  ].join('\n');
}
