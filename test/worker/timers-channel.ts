/** On which a worker of these tests tells how many timers its thread holds. */
export const TIMERS_CHANNEL = 'timers of a worker';
