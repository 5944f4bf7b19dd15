/** For servers without worker threads: no request is heavy. */
import type { HeavyAccess } from '../../src/worker/heavy-work.ts';

export const NO_HEAVY_WORK: HeavyAccess = {
  heavyFromUs: Number.POSITIVE_INFINITY,
  answer: async ({ state }, _question, answerHere) => ({
    outcome: answerHere(),
    versionId: state.version.id,
    isOfBody: false,
    isFromThread: false,
  }),
  answerUnread: async () => null,
};
