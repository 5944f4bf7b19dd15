/** A pool without threads: it answers from the shop as it is when it is asked. A replay has no carts. */
import { ITEMS_MAX_DEFAULT, simulateRequestSchema } from '../../src/engine/domain/cart.ts';
import { success } from '../../src/engine/domain/failure.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import type { PoolAccess } from '../../src/shop/pool/answer-pool.ts';
import { type AnsweringShop, answerQuestion } from '../../src/shop/pool/answer-question.ts';
import type { ReplayResult } from '../../src/shop/shadow/replay-carts.ts';

const NOTHING_REPLAYED: ReplayResult = { evaluated: 0, different: 0, lost: 0, gained: 0, samples: [] };

const check = compileSchema(simulateRequestSchema(ITEMS_MAX_DEFAULT));

export const POOL_IN_THIS_THREAD: PoolAccess = {
  ask: async (shop, question) => {
    const versionId = shop.state.version.id;
    const text =
      question.kind === 'replay'
        ? success(JSON.stringify(NOTHING_REPLAYED))
        : answerQuestion(shop as unknown as AnsweringShop, question, check).text;
    const outcome = text.ok ? success(Buffer.from(text.value)) : text;
    // The shop has counted its simulations itself.
    return { outcome, versionId, answered: [], uses: null };
  },
};
