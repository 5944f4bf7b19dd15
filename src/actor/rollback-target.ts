/**
 * The version that a waiting rollback goes back to, read beside other work before the write is decided: deciding
 * itself waits for nothing. One at a time, so that no more than one earlier configuration is held for it.
 */
import type { EarlierVersion } from '../change/decision.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { WriteRequest } from '../shop/shop-access.ts';
import type { EarlierVersions } from './write-group.ts';

export class RollbackTarget implements EarlierVersions {
  readonly #read: (versionId: string) => Promise<EarlierVersion | null>;
  #versionId: string | null = null;
  #found: EarlierVersion | Error | null = null;

  /** `read` finds a version that is on disk; null when it is unknown. */
  constructor(read: (versionId: string) => Promise<EarlierVersion | null>) {
    this.#read = read;
  }

  /** True when the write can be decided: it is no rollback, or its version is at hand. */
  isReadyFor({ command }: WriteRequest): boolean {
    return command.kind !== 'rollback' || command.targetVersionId === this.#versionId;
  }

  /** Reads what the write needs. Never rejects: what goes wrong is thrown to who asks for the version. */
  async prepare({ command }: WriteRequest): Promise<void> {
    if (command.kind !== 'rollback') return;
    const { targetVersionId } = command;
    this.#found = await this.#read(targetVersionId).catch(asError);
    this.#versionId = targetVersionId;
  }

  /** The version that was read. */
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
