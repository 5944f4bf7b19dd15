/** Types and helpers of all decisions: their input, their result, and the part that each kind of record decides. */

import type { Outcome } from '../domain/failure.ts';
import type { IdMaker } from '../domain/id.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { ConfigChange, PlacedConfig, ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { ChangeCounts, Version, VersionAuthor } from '../domain/version.ts';
import { versionIdOf } from '../domain/version-id.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { Command, CommandResult, ConfigCommand } from './command.ts';
import type { MethodIndex } from './method-index.ts';

/** Everything that a decision may use besides the state. */
export interface DecisionContext {
  /** ISO time in UTC with milliseconds. */
  readonly now: string;
  /**
   * Sortable text from which new ids are generated (`idsFromSeed`). It is used only once and hard to guess: if a client
   * guessed it, the client could give its own record an id that is generated later.
   */
  readonly seed: string;
  /** The key of the request; null for the command line and the system. */
  readonly keyId: string | null;
  readonly batchId: string | null;
  readonly plans: PlanTable;
  /** An earlier version by its id; null when it does not exist or has expired. */
  readonly findVersion: (versionId: string) => EarlierVersion | null;
  /** The index of the writer, so that a decision in a large shop need not build its own. */
  readonly index?: MethodIndex;
}

/** A version of the past with its configuration. */
export interface EarlierVersion {
  readonly number: number;
  readonly config: PlacedConfig;
}

/** An accepted command: the events to log, the next state, and the result for the answer. */
export interface Decision {
  readonly events: readonly ShopEvent[];
  readonly state: ShopState;
  readonly result: CommandResult;
}

export type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>;

/** The starting point of a configuration write. */
export interface WriteScope {
  readonly config: PlacedConfig;
  /**
   * The number that the version of the write will have; in a changeset, after its promotion. Records that the write
   * creates or moves get it as their placement.
   */
  readonly placement: number;
  readonly seed: string;
  /** Index of the methods in `config`. */
  readonly index: MethodIndex;
  readonly shouldYield: ShouldYield;
}

/** An accepted configuration write, before the check against the plan and before it becomes a version. */
export interface ConfigWrite {
  readonly change: ConfigChange;
  /** The `changes` of its version. */
  readonly counts: ChangeCounts;
  /** One line for the version list. */
  readonly description: string;
  readonly createdBy: VersionAuthor;
  /** Makes the answer. `version` is null in a changeset, because a staged write makes no version yet. */
  readonly result: (version: Version | null) => CommandResult;
}

/** What decides a configuration write, by its kind. */
export type ConfigWrites<K extends ConfigCommand['kind']> = {
  readonly [C in K]: (
    scope: WriteScope,
    command: CommandOf<C>,
    state: ShopState,
    findVersion: DecisionContext['findVersion'],
  ) => Outcome<ConfigWrite> | WorkSteps<Outcome<ConfigWrite>>;
};

/**
 * The version that a write makes after `previous`. Its time is never earlier than that of `previous`, even if the clock
 * was set back.
 */
export const versionAfter = (
  previous: Version,
  ids: IdMaker,
  { now, keyId }: DecisionContext,
  { createdBy, description, batchId, changes }: VersionFields,
): Version => ({
  id: versionIdOf(ids, previous.number + 1),
  number: previous.number + 1,
  createdAt: now < previous.createdAt ? previous.createdAt : now,
  createdBy,
  keyId,
  description,
  batchId,
  changes,
});
type VersionFields = Pick<Version, 'createdBy' | 'description' | 'batchId' | 'changes'>;
