/**
 * What the front end and the commands may ask of a shop: the types between them and the actors. All
 * refusals are values; a rejected promise means a damaged log or a bug.
 */

import type { AnswerText } from '../bytes/answer-text.ts';
import type { Command, CommandResult } from '../change/command.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { Failure, Outcome } from '../domain/failure.ts';
import type { LintReport } from '../domain/finding.ts';
import type { Permission } from '../domain/permission.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import type { Comparison, Version } from '../domain/version.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { AnswerFields } from '../wire/answer.ts';
import type { PreviewAnswer } from '../wire/answer-schemas.ts';
import type { ShapeDefect } from '../wire/schema-check.ts';
import type { Staging } from '../wire/staging.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import type { WatchedText } from './simulation-watch.ts';
import type { Work } from './work-cost.ts';

/** A client's promise that a repeated request is the same request (contract section 1). */
export interface Idempotency {
  /** At most 255 characters. */
  readonly key: string;
  /** Digest of verb, path and body. */
  readonly requestDigest: string;
  /** For an answer that holds a secret: makes the text that is stored instead. */
  readonly seal?: (body: string) => string;
  /** Reads a stored text again; null when this caller cannot. */
  readonly open?: (stored: string) => string | null;
}

export interface WriteRequest {
  readonly command: Command;
  /** The key that asks; null on the command line. */
  readonly keyId: string | null;
  readonly batchId: string | null;
  /** The version that must be current, or the write is refused with CONFLICT. */
  readonly ifMatch: string | null;
  readonly idempotency: Idempotency | null;
  /**
   * Makes the answer from the result and the state that the write leads to. Called before the append, because the
   * answer is kept with the write.
   */
  readonly render: (
    result: CommandResult,
    state: ShopState,
  ) => { readonly status: number; readonly body: string };
}

export interface WriteAnswer {
  readonly status: number;
  readonly body: string;
  /** The version that is current after the write. */
  readonly versionId: string;
  /** True when this is the answer of an earlier, equal request. */
  readonly replayed: boolean;
}

/** One row of a list of versions: a version, or the newest of a run with one batch id. */
export interface VersionRow extends Version {
  /** Of every row with a batch id: how many consecutive versions share it. */
  readonly batch?: { readonly id: string; readonly size: number };
}

export interface VersionPage {
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  /** The cursor of the next page; null when this is the last. */
  readonly nextCursor: string | null;
}

export interface VersionListQuery {
  /** Rows. */
  readonly limit: number;
  /** The id of the version to go on behind; null begins with the newest. */
  readonly cursor: string | null;
  /** Gives every version of a batch a row. */
  readonly includeBatched: boolean;
}

export interface VersionDetail {
  readonly version: Version;
  /** What it changed in the version before it. */
  readonly diff: Comparison;
  readonly config: PlacedConfig;
}

/** The versions that are kept (contract section 6), by id. An unknown one is NOT_FOUND. */
export interface ShopHistory {
  /**
   * The id of the version that a request names by its id, its number in decimal, or `live`; the text itself when that
   * names no version that readers see.
   */
  idOf(reference: string): string;
  list(query: VersionListQuery): Outcome<VersionPage>;
  read(versionId: string): Outcome<VersionDetail>;
  /** Either may be `staged`, the active changeset: CONFLICT without one. */
  compare(versionA: string, versionB: string): Outcome<Comparison>;
  /** The first version that is kept. */
  oldest(): Version;
}

/** The configuration that a simulation answers from. */
export type SimulationSource = 'live' | 'staged' | { readonly versionId: string };

export interface ShopAccess {
  readonly shopId: string;
  /** What is on disk and visible to readers. */
  readonly state: ShopState;
  /** The record of the log that `state` is as of. */
  readonly sequenceNumber: number;
  /**
   * Microseconds that a plain simulation would take on this thread, as a guess: a rough one below
   * `closerLookUs`.
   */
  simulationCost(source: SimulationSource, request: SimulateRequest, closerLookUs: number): number;
  /** The same of other work. */
  costOf(work: Work): number;
  /**
   * A simulation was answered in another thread: it is counted. `watched` is the request of one that the live
   * configuration answered, of which those are told who watch them; `isStripped`: as far as it may be kept.
   */
  simulatedElsewhere(watched: WatchedText | null, nowMs: number, isStripped: boolean): void;
  /** Resolves once the write is on disk or refused; RATE_LIMITED at once when the mailbox is full. */
  write(request: WriteRequest): Promise<Outcome<WriteAnswer>>;
  /** What execute would change; changes nothing. */
  preview(data: ConfigData): Outcome<PreviewAnswer>;
  /**
   * The refusal of a bulk write whose body does not have its shape, as of this moment: it names also what else is
   * wrong. `defects` are the first `CONFIG_DEFECTS_MAX`.
   */
  refuseConfig(body: unknown, defects: readonly ShapeDefect[], shouldYield: ShouldYield): WorkSteps<Failure>;
  /** What is wrong or doubtful in a configuration. CONFLICT without a changeset. */
  lint(view: 'live' | 'staged'): Outcome<LintReport>;
  /**
   * Null when a simulation of this request finds compiled what it needs, which is almost always; else what
   * compiles it beside other work, and resolves when the simulation is worth asking for. One that is asked
   * for all the same compiles at once. `isElsewhere` tells, once `simulationCost` is cheap to ask, that another
   * thread will answer: then no zone is compiled.
   */
  prepare(
    source: SimulationSource,
    request: SimulateRequest,
    isElsewhere?: () => boolean,
  ): Promise<void> | null;
  /**
   * The answer as JSON text, ASCII only; `nowMs` is the clock of time conditions. `text` is the request as it
   * came, if it did as text: it spares those who watch simulations from making it. `fields` is `all` when absent.
   */
  simulate(
    request: SimulateRequest,
    nowMs: number,
    text?: string | null,
    fields?: AnswerFields,
  ): Outcome<AnswerText>;
  /** As `simulate`, from another configuration: CONFLICT without a changeset, NOT_FOUND for an unknown version. */
  simulateFrom(
    source: SimulationSource,
    request: SimulateRequest,
    nowMs: number,
    fields?: AnswerFields,
  ): Outcome<AnswerText>;
  /**
   * The same answer with price steps, what would change each refusal, and what was not considered. From live it
   * is a live simulation like any other, to those who watch them.
   */
  explain(
    source: SimulationSource,
    request: SimulateRequest,
    nowMs: number,
    text?: string | null,
  ): Outcome<string>;
  /** The active changeset of this moment as clients see it, or null. */
  staging(shouldYield: ShouldYield): WorkSteps<Staging | null>;
  readonly history: ShopHistory;
}

export interface ShopDirectory {
  /** The shop if it is in memory: the path of almost every request. */
  loaded(shopId: string): ShopAccess | undefined;
  /** The shop, recovered from the log when it is not in memory. Rejects with `DamagedLogError`. */
  load(shopId: string): Promise<ShopAccess>;
}

export interface KeyGrant {
  readonly shopId: string;
  readonly keyId: string;
  readonly permission: Permission;
  /** The secret as it was presented. */
  readonly secret: string;
}

export interface KeyRing {
  /**
   * Who an `Authorization` header speaks for: `Bearer <key>` in any case, or the bare key. null when it
   * is missing, malformed, unknown or revoked. Cached by header text, so that the digest is not paid on
   * each request; a revoked key leaves the cache before its revocation is acknowledged.
   */
  find(authorization: string): KeyGrant | null;
  /** When the key was last used, or null. */
  lastUsedAtMs(keyId: string): number | null;
}

export type NewShop = Omit<ShopSettings, 'id'> & { readonly id?: string };
