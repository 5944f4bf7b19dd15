/** The words of every decision: what it is given, what it gives, and the part that each resource decides. */

import { type Outcome, success } from '../domain/failure.ts';
import { type IdKind, type IdMaker, idsFromSeed } from '../domain/id.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { ConfigChange, PlacedConfig, ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { ChangeCounts, Version, VersionAuthor } from '../domain/version.ts';
import { versionIdOf } from '../domain/version-id.ts';
import type { ShouldYield } from '../pace/work-steps.ts';
import type { Command, CommandResult } from './command.ts';
import type { MethodIndex } from './method-index.ts';
import type { RecordEdit } from './record-edit.ts';

/** What a decision may know beside the state. */
export interface DecisionContext {
  /** ISO time in UTC with milliseconds. */
  readonly now: string;
  /**
   * Sortable text from which new ids are made (`idsFromSeed`). Never used twice and hard to guess: a client that chose
   * the same id for a record of its own would have two of it.
   */
  readonly seed: string;
  /** The key of the request; null for the command line and the system. */
  readonly keyId: string | null;
  readonly batchId: string | null;
  readonly plans: PlanTable;
  /** An earlier version by its id; null when there is none or its time is over. */
  readonly findVersion: (versionId: string) => EarlierVersion | null;
  /** Saves the writer of a large shop from making an index for each decision. */
  readonly index?: MethodIndex;
}

/** A version of the past with its configuration. */
export interface EarlierVersion {
  readonly number: number;
  readonly config: PlacedConfig;
}

/** An accepted command: what to log, the state that it leads to, and what to answer. */
export interface Decision {
  readonly events: readonly ShopEvent[];
  readonly state: ShopState;
  readonly result: CommandResult;
}

export type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>;

/** What a configuration write starts from. */
export interface WriteScope {
  readonly config: PlacedConfig;
  /**
   * The number that the version of the write will have, in a changeset once that is promoted: the placement of records
   * that it creates or moves.
   */
  readonly placement: number;
  readonly seed: string;
  /** Of the methods in `config`. */
  readonly index: MethodIndex;
  readonly shouldYield: ShouldYield;
}

/** An accepted configuration write, before it is checked against the plan and made a version. */
export interface ConfigWrite {
  readonly change: ConfigChange;
  /** The `changes` of its version. */
  readonly counts: ChangeCounts;
  /** One line for the version list. */
  readonly description: string;
  readonly createdBy: VersionAuthor;
  /** The answer; in a changeset no version is made yet. */
  readonly result: (version: Version | null) => CommandResult;
}

type RecordList = Exclude<keyof ConfigChange, 'rules'>;

/** The write of one record by a client. */
export const edited = <L extends RecordList>(
  list: L,
  { change, counts }: RecordEdit<unknown>,
  description: string,
  result: CommandResult,
): Outcome<ConfigWrite> =>
  success({
    change: change === null ? {} : { [list]: change },
    counts,
    description,
    createdBy: 'user',
    result: () => result,
  });

/** The id of the one record that a write creates. */
export const newId = (scope: WriteScope, kind: IdKind): string => idsFromSeed(scope.seed).next(kind);

export const deleted = (id: string): CommandResult => ({ kind: 'deleted', id });

/** The version that a write makes after `previous`. A clock that was set back does not turn history round. */
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
