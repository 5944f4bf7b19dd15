/** For servers without worker threads: no request is heavy. */
import type { HeavyAccess } from '../../src/worker/heavy-work.ts';

export const NO_HEAVY_WORK: HeavyAccess = {
  heavyFromUs: Number.POSITIVE_INFINITY,
  answer: () => Promise.reject(new Error('no request is heavy')),
  answerUnread: async () => null,
};
