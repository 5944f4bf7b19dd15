/** What an operator wants to know of a node: written by the protocol, read when the numbers are asked for. */

export interface ClusterMeter {
  /** Times that the node had lost its lease when it renewed it. */
  lapses: number;
  /** Attempts of appends whose outcome was unknown, each of which was made again. */
  unknownOutcomes: number;
  /** Times that the mirror of a shop was damaged, or the whole mirror, and was begun anew. */
  mirrorsDamaged: number;
  /** Shops whose mirror had records that the authority lacks. */
  mirrorsDiffering: number;
  /** The wall clock of the authority, as a beat has just read it. */
  clockRead: (wallMs: number) => void;
  /** A write waited so many milliseconds until every node showed it. */
  barrierPassed: (waitedMs: number) => void;
}

export const newMeter = (): ClusterMeter => ({
  lapses: 0,
  unknownOutcomes: 0,
  mirrorsDamaged: 0,
  mirrorsDiffering: 0,
  clockRead: () => {},
  barrierPassed: () => {},
});
