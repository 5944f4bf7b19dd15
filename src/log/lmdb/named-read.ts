/** Damage that LMDB notices itself, named by the record that was read. */

import { DamagedLogError } from '../event-log.ts';
import { messageOf } from './data-file.ts';

/** What `read` gives; its error does not say whose record it was, so that is added. */
export function readNamed<T>(shopId: string, sequenceNumber: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedLogError(shopId, sequenceNumber, `it cannot be read: ${messageOf(error)}`);
  }
}
