/** An earlier commit of the project beside the checkout, built and ready to run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command-line.ts';
import { PROJECT_FOLDER, projectPath } from '../project-paths.ts';

export interface CommitCheckout {
  /** Hexadecimal, shortened. */
  readonly commit: string;
  readonly folder: string;
  remove(): void;
}

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

/** `parent` is the folder to make it in. The packages of the checkout serve both where the lock files agree. */
export function checkOut(commit: string, parent: string): CommitCheckout {
  const folder = join(parent, commit);
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    spawnSync('git', ['worktree', 'prune'], { cwd: PROJECT_FOLDER });
  };
  remove();
  mkdirSync(parent, { recursive: true });
  run('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], PROJECT_FOLDER);
  try {
    const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
    if (lockOf(folder) === lockOf(PROJECT_FOLDER)) {
      symlinkSync(projectPath('node_modules'), join(folder, 'node_modules'));
    } else {
      run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
    }
    run('npm', ['run', '--silent', 'build'], folder);
  } catch (cause) {
    remove();
    throw cause;
  }
  return { commit, folder, remove };
}
