/**
 * What the processes of a server count together. The first one keeps the results of changesets and what simulations used;
 * the others hand it what they counted, and ask it for the sum. While it is being started anew, what they would hand over
 * is lost, as what a server that was killed had not written.
 */
import type { LiveKeyRing } from '../actor/key-ring.ts';
import type { LiveShopDirectory } from '../actor/shop-directory.ts';
import type { LiveCoverage, OtherCounters } from '../coverage/live-coverage.ts';
import type { Prometheus } from '../metrics/prometheus.ts';
import type { LiveShadow } from '../shadow/live-shadow.ts';
import type { RecentSimulation } from '../shadow/recent-simulations.ts';
import type { ShadowKeeper } from '../shadow/shadow-tally.ts';
import type { Handlers } from './process-message.ts';
import type { Siblings } from './siblings.ts';
import type { WriteTurns } from './write-turns.ts';

/** What questions of other processes are answered from. */
export interface AnsweringParts {
  /** Of this process. */
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
    // Another process may have the shop in memory that this one has not.
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
  const told = await siblings.askAll({ kind: 'recent', shopId });
  return told.flatMap((list) => list ?? []);
}
