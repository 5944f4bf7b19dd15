/** A part of the suite: one question, measured in alternating rounds, answered as one section of the report. */
import type { BenchOptions } from './command-line.ts';
import type { Effort } from './effort.ts';
import type { ChildProcesses } from './process/child-processes.ts';
import type { TemporaryFolders } from './process/temporary-folders.ts';
import type { Profile } from './profiles/profile.ts';
import type { Measurement, Unit } from './report/measurement.ts';
import { pairedRatios } from './report/statistics.ts';

/** What a part needs to run, and where it reports to. */
export interface PartRun {
  readonly effort: Effort;
  readonly options: BenchOptions;
  /** The shop and carts of `--shop` and `--carts`; null without them. */
  readonly ownShop: Profile | null;
  readonly children: ChildProcesses;
  readonly folders: TemporaryFolders;
  /** Shows what is measured now in the progress line. */
  step(text: string): void;
  record(measurement: Measurement): void;
  /** A line below the table: how a figure was made, what bounds it. */
  note(text: string): void;
}

export interface Part {
  /** `area/what`: what the words on the command line are compared with. */
  readonly id: string;
  readonly title: string;
  /** True when the part takes its profiles from `profilesOf`, so that it can measure any shop. */
  readonly takesShop?: boolean;
  run(part: PartRun): Promise<void>;
}

/** The profiles that a part measures: the shop of `--shop`, or else its own. */
export const profilesOf = (
  { ownShop }: Pick<PartRun, 'ownShop'>,
  builtIn: () => readonly Profile[],
): readonly Profile[] => (ownShop === null ? builtIn() : [ownShop]);

/** Samples of several variants, measured in turn: a, b, c, a, b, c, ... */
export class Rounds {
  readonly #samples = new Map<string, { label: string; unit: Unit; samples: number[] }>();

  /** Adds the sample of this round; the first call for an id sets its label and unit. */
  add(id: string, label: string, unit: Unit, sample: number): void {
    const known = this.#samples.get(id);
    if (known === undefined) this.#samples.set(id, { label, unit, samples: [sample] });
    else known.samples.push(sample);
  }

  samplesOf(id: string): readonly number[] {
    return this.#samples.get(id)?.samples ?? [];
  }

  recordTo(part: Pick<PartRun, 'record'>): void {
    for (const [id, { label, unit, samples }] of this.#samples) part.record({ id, label, unit, samples });
  }

  /** Records the ratio of two variants round by round; nothing when either was not measured. */
  recordRatio(part: Pick<PartRun, 'record'>, { id, label, numerator, denominator }: RatioOfRounds): void {
    const samples = pairedRatios(this.samplesOf(numerator), this.samplesOf(denominator));
    if (samples.length > 0) part.record({ id, label, unit: 'ratio', samples });
  }
}

interface RatioOfRounds {
  readonly id: string;
  readonly label: string;
  /** Ids of the two variants. */
  readonly numerator: string;
  readonly denominator: string;
}
