/** The only functions with which actors append: they return every outcome of the log as a value. */
import { type AppendResult, DamagedLogError, type EventLog, type NewRecord } from '../log/event-log.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { asError } from '../runtime/thrown-error.ts';

/** Nothing was written and the log works; the new records or the stored data of this shop are invalid. */
export interface AppendRejected {
  readonly kind: 'rejected';
  readonly cause: Error;
}

/** Never rejects. An unexpected error may have occurred after the write, so the outcome is then unknown. */
export const appendRecords = (
  log: Pick<EventLog, 'append'>,
  shopId: string,
  expectedSequenceNumber: number,
  records: readonly NewRecord[],
): Promise<AppendResult | AppendRejected> =>
  asOutcome(() => log.append(shopId, expectedSequenceNumber, records));

/** The same for `EventLog.appendAlone`. */
export const appendDecided = (
  log: Required<Pick<EventLog, 'appendAlone'>>,
  shopId: string,
  decide: () => Promise<readonly NewRecord[]>,
): Promise<AppendResult | AppendRejected | null> => asOutcome(() => log.appendAlone(shopId, decide));

async function asOutcome<T>(append: () => Promise<T>): Promise<T | AppendResult | AppendRejected> {
  failpoint('before-append');
  let result: T | AppendResult | AppendRejected;
  try {
    result = await append();
  } catch (error) {
    const isKnown = error instanceof RangeError || error instanceof DamagedLogError;
    result = { kind: isKnown ? 'rejected' : 'outcomeUnknown', cause: asError(error) };
  }
  failpoint('after-append');
  return result;
}
