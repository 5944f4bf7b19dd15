/** Calls that wait: where the plan of the shop allows no more requests for the moment, they are sent again when it does. */
import type { CallFailure, CallOutcome } from '../client/call-outcome.ts';
import type { CallOptions, Calls } from '../client/call-table.ts';

/** Milliseconds to wait where the service does not say. */
const WAIT_MS = 1_000;
/** Milliseconds that a call without a signal waits at most: two of the plan's minutes. */
const PATIENCE_MS = 120_000;

export interface Patience {
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Why calls wait; null once none does. */
  readonly onWait: (refusal: CallFailure | null) => void;
}

type AnyCall = (...args: readonly unknown[]) => Promise<CallOutcome<unknown>>;

/** Calls that wait until their signal is aborted. A refused write did nothing, so it is sent again as it was. */
export function patientCalls(calls: Calls, { sleep, onWait }: Patience): Calls {
  let waiting = 0;
  const patient =
    (call: AnyCall): AnyCall =>
    async (...args) => {
      const { signal = AbortSignal.timeout(PATIENCE_MS) } = (args.at(-1) ?? {}) as CallOptions;
      let isWaiting = false;
      for (;;) {
        const outcome = await call(...args);
        if (outcome.ok || outcome.code !== 'RATE_LIMITED' || signal.aborted) {
          if (isWaiting && --waiting === 0) onWait(null);
          return outcome;
        }
        if (!isWaiting) waiting++;
        isWaiting = true;
        onWait(outcome);
        await sleep(outcome.retryAfterMs ?? WAIT_MS, signal);
      }
    };
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, patient(call as AnyCall)]),
  ) as unknown as Calls;
}
