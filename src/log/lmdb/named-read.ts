/** Adds the record to errors that LMDB throws on a read. */

import { asError } from '../../runtime/thrown-error.ts';
import { DamagedLogError } from '../event-log.ts';

/** Returns the result of `read`. Throws `DamagedLogError` when it throws. */
export function readNamed<T>(shopId: string, sequenceNumber: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedLogError(shopId, sequenceNumber, `it cannot be read: ${asError(error).message}`);
  }
}
