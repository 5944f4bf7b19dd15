/** The times of the protocol and its assumptions about clocks, all in milliseconds. */

/** A lease counts from the moment before its beat was sent. */
export const LEASE_MS = 2_000;
/**
 * The rates of two clocks differ by at most this fraction. A time daemon may slew one clock forward while another
 * one slews its own back: chrony by 8.3 % each, together 18.2 %.
 */
const CLOCK_RATE_DIFFERENCE = 0.2;
/** Maximum time within a lease for which both clocks of a machine stand still, as during a migration. */
const CLOCK_FREEZE_MS = 1_000;
/**
 * A lease ends when wall clock and monotonic clock have gone apart by more than this since its beat: the monotonic clock
 * stands still while a machine is suspended.
 */
export const CLOCKS_APART_MS_MAX = 500;
/** A lease that began before some moment has ended this long after it, by the clock of any other node. */
export const LAPSE_MS = (LEASE_MS + CLOCK_FREEZE_MS) * (1 + CLOCK_RATE_DIFFERENCE);

/** Pause between the end of one beat and the next while anything waits for beats. */
export const BEAT_MS = 50;
/** The same while nothing happens: a lease outlives three of these pauses. */
export const IDLE_BEAT_MS = 500;
/** How long a beat waits until changed shops have caught up; slower shops are held out of the lease. */
export const CATCH_UP_MS = 500;
/** How long a write on a node without a lease waits until its shop has caught up. */
export const WRITE_CATCH_UP_MS = 5_000;
/** Pause before an attempt with an unknown outcome is repeated. */
export const RETRY_MS = 50;
/** A node without a beat for this long is removed from the list: far beyond `LAPSE_MS`. */
export const NODE_KEPT_MS = 600_000;
