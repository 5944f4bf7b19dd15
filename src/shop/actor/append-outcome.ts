/** What becomes of an append, as a value. */

import { failpoint } from '../../base/runtime/failpoint.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { type AppendResult, DamagedLogError, DiskFullError } from '../../store/log/event-log.ts';

/** Nothing was written and the log works; the new records or the stored data of this shop are invalid. */
export interface AppendRejected {
  readonly kind: 'rejected';
  readonly cause: Error;
}

/**
 * Shops are appended to only within this function. Never rejects. An unexpected error may have occurred after the write, so the
 * outcome is then unknown.
 */
export async function outcomeOf<T>(append: () => Promise<T>): Promise<T | AppendResult | AppendRejected> {
  failpoint('before-append');
  let result: T | AppendResult | AppendRejected;
  try {
    result = await append();
  } catch (error) {
    const isKnown = error instanceof RangeError || error instanceof DamagedLogError;
    const kind = error instanceof DiskFullError ? 'diskFull' : isKnown ? 'rejected' : 'outcomeUnknown';
    result = { kind, cause: asError(error) };
  }
  failpoint('after-append');
  return result;
}
