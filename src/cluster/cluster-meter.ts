/** What an operator wants to know of a node: written by the protocol, read when the numbers are asked for. */

export interface ClusterMeter {
  /** Times that the node had lost its lease when it renewed it. */
  lapses: number;
  /** Attempts of appends whose outcome was unknown, each of which was made again. */
  unknownOutcomes: number;
  /** A write waited so many milliseconds until every node showed it. */
  barrierPassed: (waitedMs: number) => void;
}

export const newMeter = (): ClusterMeter => ({ lapses: 0, unknownOutcomes: 0, barrierPassed: () => {} });
