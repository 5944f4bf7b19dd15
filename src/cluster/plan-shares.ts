/**
 * The part of a plan's rate that this node lets through: the rate divided by the number of live nodes,
 * rebalanced after each beat that renewed the lease. A node that joins has no share until all others count
 * it.
 *
 * Bound: while every node that answers holds its lease, all nodes together let through at most the plan's
 * rate in any window. A larger share counts one window later, so that requests which another node let through
 * before its share shrank are not let through again. A node without a lease keeps its last share, because a
 * failover of the authority takes the lease of all nodes. Where only one node is cut off and still receives
 * requests, the sum may exceed the rate by the share of that node, until its first lease after its return.
 *
 * Price: the share of a node that left lies idle for two beats and one window, that of a lost node for
 * `LAPSE_MS` and one window. A node that joins others lets no limited request through for two beats and one
 * window. A node that finds no other on the list has the whole rate at once, so a cluster that is stopped and
 * started begins its windows anew.
 */

/** Rank of this node among the nodes that share, from 0, and their number; null without a share. */
export type Rank = { readonly index: number; readonly count: number } | null;

interface Change {
  readonly atMs: number;
  readonly rank: Rank;
}

/** The longest window of a plan. */
const WINDOW_MS_MAX = 60_000;

export class PlanShares {
  /** Oldest first; the first one took effect at least `WINDOW_MS_MAX` ago. */
  #changes: Change[] = [{ atMs: Number.NEGATIVE_INFINITY, rank: null }];

  /**
   * There is no other node: the whole rate counts at once. Requests that a departed node let through are not
   * counted.
   */
  startAlone(): void {
    this.#changes = [{ atMs: Number.NEGATIVE_INFINITY, rank: { index: 0, count: 1 } }];
  }

  /** The live nodes with these runs, one of them `ownRun`, share the rate from now on. */
  rebalance(runs: readonly string[], ownRun: string, nowMs: number): void {
    const index = [...runs].sort().indexOf(ownRun);
    this.#change(index < 0 ? null : { index, count: runs.length }, nowMs);
  }

  /** The node has no share from now on. */
  giveUp(nowMs: number): void {
    this.#change(null, nowMs);
  }

  #change(rank: Rank, nowMs: number): void {
    const last = this.#changes.at(-1)?.rank ?? null;
    if (last?.index === rank?.index && last?.count === rank?.count) return;
    this.#changes.push({ atMs: nowMs, rank });
    const firstInWindow = this.#changes.findIndex(({ atMs }) => atMs > nowMs - WINDOW_MS_MAX);
    this.#changes.splice(0, Math.max(0, firstInWindow - 1));
  }

  /**
   * How many of `rate` requests in `windowMs`, at most `WINDOW_MS_MAX`, this node lets through: its smallest
   * share in that window.
   */
  share(rate: number, windowMs: number, nowMs: number): number {
    let smallest = Number.POSITIVE_INFINITY;
    for (let at = this.#changes.length - 1; at >= 0; at--) {
      const change = this.#changes[at];
      if (change === undefined) break;
      smallest = Math.min(smallest, shareOf(rate, change.rank));
      if (change.atMs <= nowMs - windowMs) break;
    }
    return smallest;
  }
}

/** The shares of all ranks add up to the rate; the first ranks share the remainder. */
export const shareOf = (rate: number, rank: Rank): number =>
  rank === null ? 0 : Math.floor(rate / rank.count) + (rank.index < rate % rank.count ? 1 : 0);
