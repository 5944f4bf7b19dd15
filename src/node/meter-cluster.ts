/** What a node counts of its cluster, in the metrics of the process. */
import type { Metrics } from '../metrics/metrics.ts';
import { systemClock } from '../runtime/clock.ts';
import type { SharedNode } from './shared-node.ts';

/** Notes what the node counts of the cluster; returns what brings the rest of it into the numbers. */
export function meterCluster(shared: SharedNode, { durations, values }: Metrics): () => void {
  const { meter } = shared;
  meter.clockRead = (wallMs) => {
    values.cluster_clock_offset_seconds = Math.abs(systemClock.nowMs() - wallMs) / 1_000;
  };
  meter.barrierPassed = (waitedMs) => durations.barrier.observe(waitedMs);
  return () => {
    values.cluster_nodes = shared.liveNodes;
    values.cluster_lag_seconds = (shared.lagMs ?? 0) / 1_000;
    values.cluster_lapses = meter.lapses;
    values.appends_unknown = meter.unknownOutcomes;
    values.mirrors_damaged = meter.mirrorsDamaged;
    values.mirrors_differing = meter.mirrorsDiffering;
  };
}
