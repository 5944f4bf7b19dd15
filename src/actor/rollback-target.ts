/**
 * Reads the target version of a waiting rollback beside other work, before the write is decided, because deciding is
 * synchronous. It holds one target at a time, to bound the memory for earlier configurations.
 */
import type { EarlierVersion } from '../change/decision.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { WriteRequest } from '../shop/shop-access.ts';
import type { EarlierVersions } from './write-group.ts';

export class RollbackTarget implements EarlierVersions {
  readonly #read: (versionId: string) => Promise<EarlierVersion | null>;
  #versionId: string | null = null;
  #found: EarlierVersion | Error | null = null;

  /** `read` returns a version that is on disk; null when it is unknown. */
  constructor(read: (versionId: string) => Promise<EarlierVersion | null>) {
    this.#read = read;
  }

  /** True when the write can be decided: it is no rollback, or its target has been read. */
  isReadyFor({ command }: WriteRequest): boolean {
    return command.kind !== 'rollback' || command.targetVersionId === this.#versionId;
  }

  /** Reads the target of the write. Never rejects: `find` throws the error. */
  async prepare({ command }: WriteRequest): Promise<void> {
    if (command.kind !== 'rollback') return;
    const { targetVersionId } = command;
    this.#found = await this.#read(targetVersionId).catch(asError);
    this.#versionId = targetVersionId;
  }

  /** The version that was read; throws the error if the read failed. */
  find(versionId: string): EarlierVersion | null {
    if (versionId !== this.#versionId) return null;
    if (this.#found instanceof Error) throw this.#found;
    return this.#found;
  }

  forget(): void {
    this.#versionId = null;
    this.#found = null;
  }
}
