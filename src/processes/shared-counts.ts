/**
 * Counts that the processes of a server add up: results of changesets, and coverage. The first process stores the
 * sums; the others send it their counts and ask it for the sum. Counts that are sent while it restarts are lost, like
 * the unwritten counts of a killed server.
 */
import type { LiveKeyRing } from '../actor/key-ring.ts';
import type { LiveShopDirectory } from '../actor/shop-directory.ts';
import type { LiveCoverage, OtherCounters } from '../coverage/live-coverage.ts';
import type { Prometheus } from '../metrics/prometheus.ts';
import type { LiveShadow } from '../shadow/live-shadow.ts';
import type { ShadowKeeper } from '../shadow/shadow-tally.ts';
import type { RecentSimulation } from '../shadow/watched-shop.ts';
import type { Handlers } from './process-message.ts';
import type { Siblings } from './siblings.ts';
import type { WriteTurns } from './write-turns.ts';

/** The parts of this process that answer the questions of other processes. */
export interface AnsweringParts {
  /** The index of this process. */
  readonly index: number;
  readonly turns: WriteTurns;
  readonly shops: LiveShopDirectory;
  readonly keys: Pick<LiveKeyRing, 'forgetShop'>;
  readonly shadow: LiveShadow;
  readonly coverage: LiveCoverage;
  readonly numbers: Prometheus['numbers'];
  readonly metricsText: () => Promise<string>;
}

export function answersFrom(parts: AnsweringParts): Handlers {
  const { index, turns, shops, keys, shadow, coverage, numbers, metricsText } = parts;
  return {
    written: ({ shopId, sequenceNumber, mayRevoke }) => {
      if (mayRevoke) keys.forgetShop(shopId);
      shops.noteWritten(shopId, sequenceNumber);
      return turns.heardOf(shopId);
    },
    metricsText,
    metrics: () => ({ index, pid: process.pid, metrics: numbers() }),
    busy: ({ shopId }) => shops.peek(shopId)?.isBusy ?? false,
    recent: ({ shopId }) => shadow.recentOf(shopId),
    collect: ({ shopId }) => coverage.collected(shopId),
    // The shop may be in the memory of another process only.
    used: async ({ shopId, uses }) => {
      await shops.load(shopId);
      coverage.take(shopId, uses);
    },
    coverage: async ({ shopId }) => {
      await shops.load(shopId);
      return coverage.stored(shopId);
    },
    shadowed: async ({ report }) => {
      await shops.load(report.shopId);
      shadow.take(report);
    },
    shadow: async ({ shopId, stagingId }) => {
      await shops.load(shopId);
      return shadow.stored(shopId, stagingId);
    },
  };
}

export const shadowKeeper = (siblings: Siblings): ShadowKeeper => ({
  add: async (report) => void (await siblings.askFirst({ kind: 'shadowed', report })),
  results: (shopId, stagingId) => siblings.askFirst({ kind: 'shadow', shopId, stagingId }),
});

export const otherCounters = (siblings: Siblings): OtherCounters => ({
  collect: async (shopId) => void (await siblings.askAll({ kind: 'collect', shopId })),
  keeper: siblings.isFirst
    ? null
    : {
        add: async (shopId, uses) => void (await siblings.askFirst({ kind: 'used', shopId, uses })),
        coverage: (shopId) => siblings.askFirst({ kind: 'coverage', shopId }),
      },
});

export async function recentOfOthers(
  siblings: Siblings,
  shopId: string,
): Promise<readonly RecentSimulation[]> {
  const lists = await siblings.askAll({ kind: 'recent', shopId });
  return lists.flatMap((list) => list ?? []);
}
