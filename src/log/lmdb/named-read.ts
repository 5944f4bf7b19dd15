/** Errors that LMDB throws on a read, with the record added. */

import { DamagedLogError } from '../event-log.ts';
import { messageOf } from './data-file.ts';

/** The result of `read`; adds shop and record to its error. */
export function readNamed<T>(shopId: string, sequenceNumber: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedLogError(shopId, sequenceNumber, `it cannot be read: ${messageOf(error)}`);
  }
}
