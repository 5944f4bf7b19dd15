/**
 * Passes writes to LMDB and answers each exactly once. A write for which the disk has no room is refused before LMDB sees it.
 *
 * The first failed commit ends all writing: pending writes have an unknown outcome, later ones are refused, and nothing is
 * retried, because only recovery can show what is on disk. A commit without an outcome counts as failed after `commitMsMax`:
 * LMDB drops queued writes when it cannot begin a transaction. Time in which the whole process was suspended does not count.
 */
import { asError } from '../../../base/runtime/thrown-error.ts';
import { type AppendResult, DiskFullError } from '../event-log.ts';
import type { FileRoom } from './file-room.ts';
import { applyChanges, type Change } from './log-tables.ts';

type CommitResult =
  /** On disk. `isApplied` is false when the condition of the write did not hold and nothing was written. */
  | { readonly kind: 'committed'; readonly isApplied: boolean }
  | Extract<AppendResult, { readonly kind: 'diskFull' | 'unavailable' | 'outcomeUnknown' }>;

/** Queues `write` in one transaction, under a condition or without one; resolves with false when the condition did not hold. */
type Transaction = (write: () => void) => Promise<boolean>;

/** The timer fires this often in `commitMsMax`. A suspension of any length counts as one interval. */
const TICKS_MAX = 4;

interface PendingCommit {
  /** Number of timer ticks since the start. */
  ticks: number;
  readonly settle: (result: CommitResult) => void;
}

export class LogWriter {
  readonly #room: Pick<FileRoom, 'take' | 'release' | 'close'>;
  readonly #commitMsMax: number;
  readonly #pending = new Set<PendingCommit>();
  readonly #watch: NodeJS.Timeout;
  #failure: Error | null = null;
  #isClosed = false;

  constructor(room: Pick<FileRoom, 'take' | 'release' | 'close'>, commitMsMax: number) {
    this.#room = room;
    this.#commitMsMax = commitMsMax;
    this.#watch = setInterval(() => this.#failWhenStuck(), commitMsMax / TICKS_MAX);
    this.#watch.unref();
  }

  /** Why no more writes are accepted, or null. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Why a write now would be refused, or null. */
  get refusal(): Error | null {
    return this.#failure ?? (this.#isClosed ? new Error('the log is closed') : null);
  }

  /** Writes the changes and resolves with the outcome of their commit. Never rejects. */
  async commit(changes: readonly Change[], transaction: Transaction): Promise<CommitResult> {
    try {
      const { refusal } = this;
      if (refusal !== null) return { kind: 'unavailable', cause: refusal };
      const growing = this.#room.take(changes);
      if (growing !== null) await growing;
    } catch (error) {
      if (error instanceof DiskFullError) return { kind: 'diskFull', cause: error };
      // Nothing was written, but a disk that fails otherwise is trusted with nothing more.
      await this.#fail(error);
    }
    const result = await this.#queue(changes, transaction);
    this.#room.release(changes);
    return result;
  }

  #queue(changes: readonly Change[], transaction: Transaction): Promise<CommitResult> {
    const { refusal } = this;
    if (refusal !== null) return Promise.resolve({ kind: 'unavailable', cause: refusal });
    return new Promise((settle) => {
      const commit: PendingCommit = { ticks: 0, settle };
      this.#pending.add(commit);
      this.#run(changes, transaction).then(
        (isApplied) => {
          this.#pending.delete(commit);
          settle({ kind: 'committed', isApplied });
        },
        (error: unknown) => this.#fail(error),
      );
    });
  }

  /** As `commit`, but rejects with the cause when nothing was committed. Resolves with `isApplied`. */
  async commitOrThrow(changes: readonly Change[], transaction: Transaction): Promise<boolean> {
    const result = await this.commit(changes, transaction);
    if (result.kind !== 'committed') throw result.cause;
    return result.isApplied;
  }

  /** Refuses further writes and resolves when the earlier ones are answered. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#pending.size > 0 && this.#failure === null) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    clearInterval(this.#watch);
    await this.#room.close();
  }

  async #run(changes: readonly Change[], transaction: Transaction): Promise<boolean> {
    return transaction(() => applyChanges(changes));
  }

  async #fail(error: unknown): Promise<void> {
    const isFirst = this.#failure === null;
    this.#failure ??= asError(error);
    const cause = await causeOf(asError(error));
    if (isFirst) this.#failure = cause;
    const commits = [...this.#pending];
    this.#pending.clear();
    for (const commit of commits) commit.settle({ kind: 'outcomeUnknown', cause });
  }

  #failWhenStuck(): void {
    let most = 0;
    for (const commit of this.#pending) most = Math.max(most, ++commit.ticks);
    if (most <= TICKS_MAX) return;
    this.#fail(new Error(`a commit did not end within ${this.#commitMsMax} ms`));
  }
}

/**
 * The cause of a failed commit. The binding stores it in a second promise on the error, and rejects that promise before
 * the error arrives; without a handler it would be an unhandled rejection.
 */
async function causeOf(error: Error): Promise<Error> {
  const { commitError } = error as { readonly commitError?: unknown };
  if (!(commitError instanceof Promise)) return error;
  const reason = commitError.then(() => error, asError);
  return Promise.race([reason, new Promise<Error>((resolve) => setImmediate(resolve, error))]);
}
