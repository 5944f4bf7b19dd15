/** The end of a serving process: after a signal, after a failure, or after a start that failed. */

import { settledWithin } from '../base/pace/settled-within.ts';
import { closeInReverse } from '../base/runtime/close-in-reverse.ts';
import type { Logger } from '../base/runtime/logger.ts';
import { UnusableDataFileError } from '../store/log/event-log.ts';
import { EXIT_CODES, reportError } from './command-line/exit-code.ts';
import type { HttpServer } from './http/server.ts';

/** Milliseconds of a stop that are reserved for flushing after the last answers. */
const FLUSH_MS_MIN = 100;
/** Milliseconds before that in which what is not answered yet is refused. */
const REFUSE_MS = 1_000;
/** Milliseconds in which a stop answers what clients send over connections that they have kept. */
const LATE_MS = 300;
/** Time to send pending answers after the log has failed. */
const FAIL_MS_MAX = 200;

export class Lifecycle {
  readonly #logger: Logger;
  readonly #stopMs: number;
  /** Functions that close the opened parts, in the order of opening. */
  readonly #opened: (() => Promise<void>)[] = [];
  #server: HttpServer | null = null;
  #isStopping = false;
  #hasFailed = false;

  /** `stopMs`: how long a stop may take. */
  constructor(logger: Logger, stopMs: number) {
    this.#logger = logger;
    this.#stopMs = stopMs;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** A part was opened: `close` closes it. */
  readonly opened = (close: () => Promise<void>): void => {
    this.#opened.push(close);
  };

  /** The server listens: from now on a stop answers what is pending; `refuse` refuses what takes too long for that. */
  serves(server: HttpServer, refuse: () => void): void {
    this.#server = server;
    this.opened(async () => {
      await settledWithin(this.#stopMs - FLUSH_MS_MIN - REFUSE_MS - LATE_MS, server.drain());
      await settledWithin(LATE_MS, server.quiet());
      refuse();
      await closeServer(server, REFUSE_MS);
    });
  }

  /** Closes all opened parts, the last first. Resolves with false when one of them could not be closed. */
  close(): Promise<boolean> {
    return closeInReverse(this.#opened, (error) => this.#logger.error('service.close_failed', { error }));
  }

  /**
   * Stops accepting, answers pending requests, flushes and exits with 0; during the start it exits at once. Ignores further
   * signals: after Ctrl-C two arrive, from the terminal and from npm.
   */
  readonly stop = (signal: NodeJS.Signals): void => {
    if (this.#isStopping) return;
    if (this.#server === null) process.exit(EXIT_CODES.done);
    this.#isStopping = true;
    this.#logger.info('service.stopping', { signal });
    const exit = (isComplete: boolean): void => {
      // The failure ends the process.
      if (this.#hasFailed) return;
      this.#logger[isComplete ? 'info' : 'warn']('service.stopped', { isComplete });
      process.exit(EXIT_CODES.done);
    };
    setTimeout(exit, this.#stopMs, false).unref();
    void this.close().then(exit);
  };

  /**
   * After a failure of the log, or a bug: nothing is retried or written any more. Pending answers are sent for a moment,
   * then the process exits with 70, and the next start recovers; or with 64 or 65 when the database must not be used.
   */
  readonly fail = (cause: Error): void => {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const isRefusal = cause instanceof UnusableDataFileError;
    if (!isRefusal) this.#logger.fatal('service.failed', { error: cause });
    const exit = (): void => {
      const exitCode = isRefusal ? reportError('serve', cause) : EXIT_CODES.internal;
      void Promise.resolve(exitCode).then((code) => process.exit(code));
    };
    if (this.#server === null) exit();
    else void closeServer(this.#server, FAIL_MS_MAX).then(exit);
  };
}

/** Answers pending requests for at most `ms` milliseconds, then closes all connections. */
async function closeServer(server: HttpServer, ms: number): Promise<void> {
  await settledWithin(ms, server.drain());
  server.close();
}
