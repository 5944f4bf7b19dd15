/** The channel on which the timer worker reports the number of timers. */
export const TIMERS_CHANNEL = 'timers of a worker';
