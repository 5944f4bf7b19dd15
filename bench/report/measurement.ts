/** The results of a run: measurements by id, grouped in sections, and the machine that they are from. */
import type { Machine } from './machine.ts';
import { type Spread, spread } from './statistics.ts';

/** More `perSecond` is better, a shorter time or fewer bytes are too; `ratio` and `count` have no better side. */
export type Unit = 'ns' | 'us' | 'ms' | 'perSecond' | 'bytes' | 'ratio' | 'count';

export interface Measurement {
  /** `part/what/variant`; the same from run to run, so that runs can be compared. */
  readonly id: string;
  /** Row of the table. */
  readonly label: string;
  readonly unit: Unit;
  /** One per round, in order, so that measurements of one part can be paired. */
  readonly samples: readonly number[];
}

export interface Section {
  /** Id of the part that made it. */
  readonly id: string;
  readonly title: string;
  readonly measurements: readonly Measurement[];
  /** What a reader must know to read the figures right. */
  readonly notes: readonly string[];
  /** Why the part was left out or stopped; its measurements are then incomplete. */
  readonly failure?: string;
}

export interface TargetOutcome {
  readonly what: string;
  readonly bound: string;
  /** null when this run did not measure it. */
  readonly measured: number | null;
  readonly isReached: boolean | null;
}

export const REPORT_FORMAT = 1;

export interface Report {
  readonly format: typeof REPORT_FORMAT;
  /** ISO time. */
  readonly startedAt: string;
  readonly tookMs: number;
  readonly isQuick: boolean;
  readonly machine: Machine;
  readonly sections: readonly Section[];
  readonly targets: readonly TargetOutcome[];
}

/** Read access to the measurements of a run by id. */
export class Measurements {
  readonly #byId: ReadonlyMap<string, Measurement>;

  constructor(sections: readonly Section[]) {
    this.#byId = new Map(
      sections.flatMap(({ measurements }) => measurements.map((one) => [one.id, one] as const)),
    );
  }

  ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  find(id: string): Measurement | undefined {
    return this.#byId.get(id);
  }

  samples(id: string): readonly number[] {
    return this.#byId.get(id)?.samples ?? [];
  }

  /** null when this run did not measure it. */
  spread(id: string): Spread | null {
    const samples = this.samples(id);
    return samples.length === 0 ? null : spread(samples);
  }
}
