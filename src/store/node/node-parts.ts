/** What the parts of a process take from its node; nothing in a process without a database. */
import type { Metrics } from '../../base/metrics/metrics.ts';
import type { SharedNode } from './shared-node.ts';

const WITHOUT_DATABASE = { keys: {}, shops: {}, retention: {}, upkeep: {}, http: {}, metrics: {} };

export function nodeParts(shared: SharedNode | null, metrics: Metrics) {
  if (shared === null) return WITHOUT_DATABASE;
  const { node, authority, noteDamaged: onDamaged } = shared;
  const { follower } = node;
  return {
    keys: { lookup: shared.keyLookup, hasKeysOf: (shopId: string) => shared.hasKeysOf(shopId) },
    shops: { following: follower, onDamaged },
    retention: { bringUpToDate: (shopId: string) => follower.mirrorTail(shopId) },
    upkeep: { alone: (work: () => Promise<void>) => authority.alone('retention', work) },
    http: {
      freshness: (shopId: string) => node.freshness(shopId),
      upToDate: (shopId: string) => node.upToDate(shopId),
      onDamaged,
      planShare: (rate: number) => node.planShare(rate),
    },
    metrics: { refresh: shared.meterIn(metrics) },
  };
}
