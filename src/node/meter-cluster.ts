/** What a node counts of its cluster, in the metrics of the process. */
import type { Metrics } from '../metrics/metrics.ts';
import type { SharedNode } from './shared-node.ts';

/** Notes what the node counts of the cluster; returns what brings the rest of it into the numbers. */
export function meterCluster(shared: SharedNode, { durations, values }: Metrics): () => void {
  const { meter } = shared;
  meter.barrierPassed = (waitedMs) => durations.barrier.observe(waitedMs);
  return () => {
    values.cluster_nodes = shared.liveNodes;
    values.cluster_lag_seconds = (shared.lagMs ?? 0) / 1_000;
    values.cluster_lapses = meter.lapses;
    values.appends_unknown = meter.unknownOutcomes;
  };
}
