/**
 * The times of the protocol and what they assume of clocks. All are milliseconds of monotonic clocks; the wall clock
 * plays no part.
 */

/** A lease counts from the moment before its beat was sent. */
export const LEASE_MS = 2_000;
/** The clocks of two nodes run at rates that differ by at most this part. */
const CLOCK_RATE_DIFFERENCE = 0.05;
/** A clock may stand still for this long within a lease, as that of a virtual machine does while it is moved. */
const CLOCK_FREEZE_MS = 1_000;
/** A lease that was counted from before now has ended this much later by the clock of any other node. */
export const LAPSE_MS = (LEASE_MS + CLOCK_FREEZE_MS) * (1 + CLOCK_RATE_DIFFERENCE);

/** From the end of one beat to the next. */
export const BEAT_MS = 50;
/** How long a beat waits for the shops that it named; those that take longer are held out of the lease. */
export const CATCH_UP_MS = 500;
/** Before what was not reached, or has an unknown outcome, is tried again. */
export const RETRY_MS = 50;
/** A node without a beat for this long is taken off the list: far beyond `LAPSE_MS`. */
export const NODE_KEPT_MS = 600_000;
