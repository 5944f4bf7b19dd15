/** Tasks about a whole log, which a process of their own does, one at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { programPath } from '../../base/runtime/package-files.ts';
import { AuthorityUnavailableError } from '../log/authority.ts';
import { CopyRefusedError } from '../log/log-copy.ts';
import type { DatabaseCopies } from '../log/postgres/primary-link.ts';
import type { LogReport } from '../log/verification.ts';

export type LogTask =
  | { readonly kind: 'verify'; readonly dataFolder: string }
  | { readonly kind: 'verifyDatabase'; readonly url: string; readonly copies: DatabaseCopies }
  /** Copies the log into this folder, which must be empty. */
  | { readonly kind: 'backup'; readonly dataFolder: string; readonly to: string };

export type LogTaskResult =
  | { readonly report: LogReport }
  | { readonly name: string; readonly message: string };

export class LogTasks {
  #process: ChildProcess | null = null;

  get isBusy(): boolean {
    return this.#process !== null;
  }

  /** Rejects with `AuthorityUnavailableError`, or with `CopyRefusedError` for what else prevents it. */
  async run(task: LogTask): Promise<LogReport> {
    const child = fork(programPath('log-process.js'), { execArgv: [], stdio: 'ignore' });
    this.#process = child;
    try {
      const result = await new Promise<LogTaskResult>((resolve, reject) => {
        child.once('message', (message) => resolve(message as LogTaskResult));
        child.once('error', reject);
        child.once('exit', (code, signal) =>
          reject(new Error(`reading the log ends with ${signal ?? code}`)),
        );
        child.send(task);
      });
      if ('report' in result) return result.report;
      const isOutage = result.name === AuthorityUnavailableError.name;
      throw new (isOutage ? AuthorityUnavailableError : CopyRefusedError)(result.message);
    } finally {
      this.#process = null;
    }
  }

  /** Ends the task that is under way. */
  close(): void {
    this.#process?.kill('SIGKILL');
  }
}
