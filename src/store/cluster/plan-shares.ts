/**
 * The part of a plan's rate that this node lets through: the rate divided by the nodes that it knows, itself included,
 * as of its last beat. A node that joins has its share with its first beat. The others shrink theirs with their next
 * one.
 *
 * Bound: in any window all nodes together let through at most the sum of the greatest share that each of them had in
 * that window. While the list of nodes stays as it is, that is the rate. A node that joins or leaves within the window
 * adds at most one share: the rate divided by the nodes after it joined, or before it left; a restart is both. Of n
 * nodes that are started together the k-th to join knows at least k nodes, so they let through at most
 * rate x (1 + 1/2 + ... + 1/n) in their first window.
 *
 * A node without a lease keeps its last share, because a failover of the authority takes the lease of all nodes. One
 * that is cut off alone and still receives requests adds its share, until it is back.
 */

/** Rank of this node among the nodes that share, from 0, and their number. */
export interface Rank {
  readonly index: number;
  readonly count: number;
}

/** Of a node that knows no other. */
export const ALONE: Rank = { index: 0, count: 1 };

/** The rank of one of these runs. */
export const rankAmong = (runs: readonly string[], ownRun: string): Rank => ({
  index: [...runs].sort().indexOf(ownRun),
  count: runs.length,
});

/** The shares of all ranks add up to the rate; the first ranks share the remainder. */
export const shareOf = (rate: number, { index, count }: Rank): number =>
  Math.floor(rate / count) + (index < rate % count ? 1 : 0);
