/** For servers without worker threads: no request is heavy, and a replay has no carts. */
import { success } from '../../src/domain/failure.ts';
import type { ReplayResult } from '../../src/shadow/replay-carts.ts';
import type { HeavyAccess } from '../../src/worker/heavy-work.ts';

const NOTHING_REPLAYED: ReplayResult = { evaluated: 0, different: 0, lost: 0, gained: 0, samples: [] };

export const NO_HEAVY_WORK: HeavyAccess = {
  heavyFromUs: Number.POSITIVE_INFINITY,
  answer: async ({ state }, { kind }) => {
    if (kind !== 'replay') throw new Error(`${kind} is not heavy`);
    const outcome = success(Buffer.from(JSON.stringify(NOTHING_REPLAYED)));
    return { outcome, versionId: state.version.id, isOfBody: false };
  },
  answerUnread: async () => null,
};
