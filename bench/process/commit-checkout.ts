/** An earlier commit of the project beside the checkout, built and ready to run. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command-line.ts';
import { PROJECT_FOLDER, projectPath } from '../project-paths.ts';

const COMMIT_LENGTH = 12;
/** Characters of the output of a command that failed. */
const OUTPUT_SHOWN = 1_000;

/** Standard output. Throws with what the command printed. */
function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  const said = error?.message ?? `${stdout}${stderr}`.trim().slice(-OUTPUT_SHOWN);
  throw new Error(`${command} ${args.join(' ')}: ${said}`);
}

/** Throws `UsageError` when git knows no such commit. */
export function resolveCommit(name: string): string {
  try {
    const commit = run(
      'git',
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
      PROJECT_FOLDER,
    );
    return commit.slice(0, COMMIT_LENGTH);
  } catch {
    throw new UsageError(`${name} is no commit of this repository`);
  }
}

/**
 * Makes the checkout in this folder and returns its own. The packages of the project serve it where the lock files
 * agree. Throws with what the failing command printed.
 */
export function checkOut(commit: string, parent: string): string {
  const folder = join(parent, commit);
  run('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], PROJECT_FOLDER);
  const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(PROJECT_FOLDER)) {
    symlinkSync(projectPath('node_modules'), join(folder, 'node_modules'));
  } else {
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  }
  run('npm', ['run', '--silent', 'build'], folder);
  return folder;
}

/** Git forgets the checkouts whose folders were removed. */
export function forgetCheckouts(): void {
  spawnSync('git', ['worktree', 'prune'], { cwd: PROJECT_FOLDER });
}
