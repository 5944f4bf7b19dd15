/** The one way in which actors append: whatever the log does comes back as a value. */
import { type AppendResult, DamagedLogError, type EventLog, type NewRecord } from '../log/event-log.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { asError } from '../runtime/thrown-error.ts';

/** Nothing was written and the log is well: the records or what is stored of this shop are not. */
export interface AppendRejected {
  readonly kind: 'rejected';
  readonly cause: Error;
}

/** Never rejects. What the port does not foresee may have written: its outcome is unknown. */
export async function appendRecords(
  log: Pick<EventLog, 'append'>,
  shopId: string,
  expectedSequenceNumber: number,
  records: readonly NewRecord[],
): Promise<AppendResult | AppendRejected> {
  failpoint('before-append');
  let result: AppendResult | AppendRejected;
  try {
    result = await log.append(shopId, expectedSequenceNumber, records);
  } catch (error) {
    const isKnown = error instanceof RangeError || error instanceof DamagedLogError;
    result = { kind: isKnown ? 'rejected' : 'outcomeUnknown', cause: asError(error) };
  }
  failpoint('after-append');
  return result;
}
