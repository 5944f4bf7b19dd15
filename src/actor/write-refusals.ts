/** What a client is told of a write that was not stored, or may not have been. */
import { conflict, type Failure, failure } from '../domain/failure.ts';

/** The mailbox is full: the caller gets 429 now instead of a time-out later. Cheap on purpose: no log line. */
export const shopBusy = (shopId: string): Failure => ({
  ...failure('RATE_LIMITED', `shop ${shopId} is busy: too many writes wait`),
  retryAfterSeconds: 1,
});

export const TOO_LARGE = conflict('the change is more than one version can hold: send it in parts');

export const logFailed = (): Failure =>
  failure('INTERNAL_ERROR', 'the write could not be stored; it may or may not be there after the restart');

export const OUTCOME_UNKNOWN = failure(
  'INTERNAL_ERROR',
  'the write may or may not be stored: its outcome is not known yet',
);
