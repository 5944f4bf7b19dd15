/** The words of every decision: what it is given, what it gives, and the part that each resource decides. */

import { type Outcome, success } from '../domain/failure.ts';
import { type IdKind, idsFromSeed } from '../domain/id.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { PlacedConfig, ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { ChangeCounts, Version, VersionAuthor } from '../domain/version.ts';
import type { Command, CommandResult } from './command.ts';
import type { RecordEdit } from './record-edit.ts';

/** What a decision may know of the world outside the state. */
export interface DecisionContext {
  /** ISO time in UTC with milliseconds. */
  readonly now: string;
  /**
   * Sortable text from which new ids are made (`idsFromSeed`). Never used twice, and not to be guessed: a
   * client that chose the same id for a record of its own would have two of it.
   */
  readonly seed: string;
  /** The key that asks; null for the command line and the system. */
  readonly keyId: string | null;
  readonly batchId: string | null;
  readonly plans: PlanTable;
  /** An earlier version by its id; null when there is none or its time is over. */
  readonly findVersion: (versionId: string) => EarlierVersion | null;
}

/** A version of the past with the configuration that it was. */
export interface EarlierVersion {
  readonly number: number;
  readonly config: PlacedConfig;
}

/** An accepted command: what to log, the state it leads to, and what to answer. */
export interface Decision {
  readonly events: readonly ShopEvent[];
  readonly state: ShopState;
  readonly result: CommandResult;
}

/** A configuration write that the plan allows: what to log and what to answer. */
export interface AcceptedWrite extends Pick<Decision, 'result'> {
  readonly event: ShopEvent;
}

export type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>;

/** What a configuration write starts from. */
export interface WriteScope {
  readonly config: PlacedConfig;
  /**
   * The number that the write's version will have, in a changeset once that is promoted: the placement of
   * what it creates or moves.
   */
  readonly placement: number;
  readonly seed: string;
}

/** A configuration write that is accepted but for the plan; its version is made around it. */
export type ConfigWrite = RecordWrite | WholeWrite;

/** A write of one record that leaves every other where it stands. */
export interface RecordWrite extends WriteWords {
  readonly edit: RecordEdit;
}

/** Any other: the configuration that it leads to. */
export interface WholeWrite extends WriteWords {
  readonly edit?: never;
  readonly config: PlacedConfig;
}

interface WriteWords {
  /** One line for the version list. */
  readonly description: string;
  readonly createdBy: VersionAuthor;
  /** The answer, once the version is made; in a changeset there is none, only its counts. */
  readonly result: (version: Version | null, changes: ChangeCounts) => CommandResult;
}

/** The write of a client that puts `lists` in the place of those in the configuration. */
export const written = (
  { config }: WriteScope,
  lists: Partial<PlacedConfig>,
  description: string,
  result: CommandResult,
): Outcome<WholeWrite> =>
  success({ config: { ...config, ...lists }, description, createdBy: 'user', result: () => result });

/** The write of a client that edits one record. */
export const edited = (edit: RecordEdit, description: string, result: CommandResult): Outcome<RecordWrite> =>
  success({ edit, description, createdBy: 'user', result: () => result });

/** The id of the one record that a write creates. */
export const newId = (scope: WriteScope, kind: IdKind): string => idsFromSeed(scope.seed).next(kind);

export const deleted = (id: string): CommandResult => ({ kind: 'deleted', id });

/** When a version after `previous` is made: a clock that was set back must not turn history round. */
export const versionTime = (previous: Version, { now }: DecisionContext): string =>
  now < previous.createdAt ? previous.createdAt : now;
