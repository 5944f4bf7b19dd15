/**
 * The versions of a shop. They are listed from an index and read by replaying the log from the nearest checkpoint, so
 * that neither cost grows with the length of the history (contract section 6). A version is unknown when its record was
 * removed because it is older than the plan keeps. A removal during a read looks like damage, so a damaged read is
 * repeated once: it then finds real damage, or an unknown version.
 */

import { jsonLength } from '../../base/bytes/json-length.ts';
import type { EarlierVersion } from '../../engine/change/command.ts';
import { EMPTY_CONFIG } from '../../engine/change/decide-shop.ts';
import { compareConfigs } from '../../engine/change/diff.ts';
import { keyLabelOf } from '../../engine/domain/api-key.ts';
import { invalid, notFound, type Outcome, success } from '../../engine/domain/failure.ts';
import { numberInVersionId } from '../../engine/domain/id.ts';
import type { PlacedConfig, ShopState } from '../../engine/domain/shop-event.ts';
import type { Comparison, Version } from '../../engine/domain/version.ts';
import { LIVE_VERSION, STAGED_CONFIG, versionNumberOf } from '../../engine/domain/version-reference.ts';
import type { LastChanged } from '../../engine/wire/explained-answer.ts';
import { NO_CHANGESET } from '../../engine/wire/staging.ts';
import { DamagedLogError, type EventLog, type VersionEntry } from '../../store/log/event-log.ts';
import type { VersionChange } from './bisect.ts';
import { type ReadableLog, readShop, type ShopAt } from './recovery.ts';
import type { CachedVersion, VersionCache } from './version-cache.ts';

/** A row of a list of versions: a version, or the newest version of a run with the same batch id. */
interface VersionRow extends Version {
  /** In rows with a batch id: how many consecutive versions share it. */
  readonly batch?: { readonly id: string; readonly size: number };
}

export interface VersionPage {
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  /** The cursor of the next page; null when this is the last. */
  readonly nextCursor: string | null;
}

export interface VersionListQuery {
  /** The maximum number of rows. */
  readonly limit: number;
  /**
   * The id of the version after which the page begins, or of any version of the batch whose row it follows; null begins
   * with the newest version.
   */
  readonly cursor: string | null;
  /** Lists every version of a batch in its own row. */
  readonly includeBatched: boolean;
}

export interface VersionDetail {
  readonly version: Version;
  /** The differences from the previous version. */
  readonly diff: Comparison;
  readonly config: PlacedConfig;
}

interface VersionWalk {
  readonly from: Version;
  readonly to: Version;
  /** The configuration of `from`. */
  readonly config: PlacedConfig;
  readonly changes: () => Iterable<VersionChange>;
}

export interface HistoryPorts {
  readonly log: ReadableLog & Pick<EventLog, 'versionAt' | 'oldestVersion' | 'readAudit'>;
  readonly versionCache: VersionCache;
}

/** A change of which at most its number is known. */
const unknownChange = (number: number | null): LastChanged => ({
  ...{ versionId: null, number, at: null },
  ...{ keyId: null, keyLabel: null, createdBy: null },
});

/** The part of the run of a batch that is kept: the numbers of its first and last version. */
interface BatchRun {
  readonly first: number;
  readonly last: number;
}

export class ShopHistory {
  readonly #ports: HistoryPorts;
  readonly #shopId: string;
  readonly #state: () => ShopState;

  /** `state` returns the published state. */
  constructor(ports: HistoryPorts, shopId: string, state: () => ShopState) {
    this.#ports = ports;
    this.#shopId = shopId;
    this.#state = state;
  }

  /**
   * The id of the version that a request names by its id, its decimal number or `live`. Returns the text itself when it
   * names no version that readers can see.
   */
  idOf(reference: string): string {
    const { version } = this.#state();
    if (reference === LIVE_VERSION) return version.id;
    const number = versionNumberOf(reference);
    // The log may hold versions that readers must not see yet.
    if (number === null || number > version.number) return reference;
    const entry = readTwice(() => this.#ports.log.versionAt(this.#shopId, number));
    return entry === null ? reference : entry.version.id;
  }

  list(query: VersionListQuery): Outcome<VersionPage> {
    return readTwice(() => this.#list(query));
  }

  #list({ limit, cursor, includeBatched }: VersionListQuery): Outcome<VersionPage> {
    let next = this.#state().version.number;
    if (cursor !== null) {
      const entry = this.#find(cursor);
      if (entry === null) return notFound('version', cursor);
      const { version, batchRun } = entry;
      // A run is one row, so a cursor anywhere in it leads behind all of it.
      next = version.number - (includeBatched || version.batchId === null ? 1 : batchRun);
    }
    const oldest = this.oldest().number;
    const versions: VersionRow[] = [];
    let run: BatchRun | null = null;
    while (versions.length < limit && next >= oldest) {
      const { version, batchRun } = this.#entryAt(next);
      const { number, batchId } = version;
      if (batchId === null) run = null;
      else if (run === null || number < run.first) run = this.#runAround(version, batchRun, oldest);
      versions.push(
        run === null || batchId === null
          ? version
          : { ...version, batch: { id: batchId, size: run.last - run.first + 1 } },
      );
      next = (includeBatched || run === null ? number : run.first) - 1;
    }
    // The page ends with the oldest version that its last row covers.
    const hasMore = versions.length > 0 && next >= oldest;
    return success({ versions, nextCursor: hasMore ? this.#entryAt(next + 1).version.id : null });
  }

  /**
   * The version with this number as a price step names it (contract section 10.3). A number beyond the current version
   * is that of a staged write, and one beyond those is that of a previewed one. Null for an unknown number.
   */
  lastChanged(number: number | undefined): LastChanged | null {
    if (number === undefined) return null;
    const { version, staging, keys } = this.#state();
    const staged = staging?.writes[number - version.number - 1];
    if (staged !== undefined) {
      const { keyId, at } = staged;
      const keyLabel = keyLabelOf(keyId, keys);
      return { versionId: null, number: null, at, keyId, keyLabel, createdBy: 'promotion' };
    }
    if (number > version.number) return unknownChange(null);
    const found =
      number === version.number
        ? version
        : readTwice(() => this.#ports.log.versionAt(this.#shopId, number))?.version;
    if (found === undefined) return unknownChange(number);
    const { id, createdAt, keyId, createdBy } = found;
    return { versionId: id, number, at: createdAt, keyId, keyLabel: keyLabelOf(keyId, keys), createdBy };
  }

  read(versionId: string): Outcome<VersionDetail> {
    return readTwice(() => this.#read(versionId));
  }

  #read(versionId: string): Outcome<VersionDetail> {
    const entry = this.#find(versionId);
    if (entry === null) return notFound('version', versionId);
    const previous = entry.sequenceNumber - 1;
    const before = previous === 0 ? undefined : this.#at(previous);
    const { config } = this.#at(entry.sequenceNumber, before).state;
    const diff = compareConfigs(before?.state.config ?? EMPTY_CONFIG, config);
    return success({ version: entry.version, diff, config });
  }

  /**
   * Compares two versions; either may be `staged`, the active changeset. CONFLICT for `staged` without a changeset,
   * NOT_FOUND for an unknown version.
   */
  compare(versionA: string, versionB: string): Outcome<Comparison> {
    const from = this.comparedConfig(versionA);
    if (!from.ok) return from;
    const to = this.comparedConfig(versionB);
    return to.ok ? success(compareConfigs(from.value, to.value)) : to;
  }

  /** The configuration of a version, or of the active changeset. Fails as `compare`. */
  comparedConfig(versionId: string): Outcome<PlacedConfig> {
    if (versionId === STAGED_CONFIG) {
      const { staging } = this.#state();
      return staging === null ? NO_CHANGESET : success(staging.config);
    }
    const version = this.configOf(versionId);
    return version === null ? notFound('version', versionId) : success(version.config);
  }

  /**
   * Calls `read` with the versions from one to another, and the changes that lead from each to the next. `fromId` null
   * means the oldest version that is kept. When records are removed meanwhile, `read` is called again with the versions
   * that are left. NOT_FOUND for an unknown version, VALIDATION_ERROR when the first is newer.
   */
  walk<T>(fromId: string | null, toId: string, read: (walk: VersionWalk) => T): Outcome<T> {
    return readTwice(() => {
      const firstId = fromId ?? this.oldest().id;
      const [from, to] = [firstId, toId].map((id) => this.#find(id));
      if (!from) return notFound('version', firstId);
      if (!to) return notFound('version', toId);
      if (from.version.number > to.version.number) return invalid('/from must not be newer than /to');
      const start = this.configOf(firstId);
      if (start === null) return notFound('version', firstId);
      const changes = () => this.#changes(from, to);
      return success(read({ from: from.version, to: to.version, config: start.config, changes }));
    });
  }

  *#changes(from: VersionEntry, to: VersionEntry): Generator<VersionChange> {
    const { log } = this.#ports;
    // Behind a version that outlived its neighbours, records that made no version may be gone.
    const after = Math.max(from.sequenceNumber, Math.min(log.removedUpTo(this.#shopId), to.sequenceNumber));
    for (const { event } of log.read(this.#shopId, after, to.sequenceNumber)) {
      if (event.kind === 'configChanged') yield event;
    }
  }

  /** The oldest version that is kept. */
  oldest(): Version {
    // The record of the current version is never removed.
    return this.#ports.log.oldestVersion(this.#shopId)?.version ?? this.#state().version;
  }

  /** A version and its configuration; null when it is unknown. Throws `DamagedLogError`. */
  earlier(versionId: string): EarlierVersion | null {
    const found = this.configOf(versionId);
    return found && { number: numberInVersionId(versionId) ?? 0, config: found.config };
  }

  /** The configuration of a version with the slot for its compiled form; null when the version is unknown. */
  configOf(versionId: string): CachedVersion | null {
    const { version, config } = this.#state();
    if (versionId === version.id) return { config };
    return readTwice(() => {
      const entry = this.#find(versionId);
      return entry === null ? null : this.#configAt(entry);
    });
  }

  #configAt({ version, sequenceNumber }: VersionEntry): CachedVersion {
    const { versionCache } = this.#ports;
    const known = versionCache.find(this.#shopId, version.id);
    if (known !== undefined) return known;
    const { config } = this.#at(sequenceNumber, undefined, version.id).state;
    return versionCache.keep(this.#shopId, version.id, config, jsonLength(config, versionCache.bytesMax));
  }

  /** The shop after this record; `known` is the shop after an earlier one. Throws as `#checked`. */
  #at(sequenceNumber: number, known?: ShopAt, versionId?: string): ShopAt {
    const read = readShop(this.#ports.log, this.#shopId, sequenceNumber, known);
    return this.#checked(read, sequenceNumber, versionId);
  }

  /** `versionId` is the version that the record must have made. Throws `DamagedLogError`. */
  #checked(read: ShopAt | null, sequenceNumber: number, versionId?: string): ShopAt {
    if (read?.sequenceNumber !== sequenceNumber) throw this.#damaged(sequenceNumber, 'it is missing');
    if (versionId === undefined || read.state.version.id === versionId) return read;
    throw this.#damaged(sequenceNumber, 'it is not what its index says');
  }

  /** Null when it does not exist or its record was removed. Throws `DamagedLogError`. */
  #find(versionId: string): VersionEntry | null {
    const entry = this.#ports.log.versionAt(this.#shopId, numberInVersionId(versionId) ?? 0);
    return entry?.version.id === versionId ? entry : null;
  }

  #entryAt(number: number): VersionEntry {
    const entry = this.#ports.log.versionAt(this.#shopId, number);
    if (entry === null) throw this.#damaged(0, `version ${number} is missing from the index`);
    return entry;
  }

  /**
   * The whole run that a version belongs to, without removed versions: a run of 10,000 versions costs about 25
   * look-ups.
   */
  #runAround({ number, batchId }: Version, batchRun: number, oldest: number): BatchRun {
    const newest = this.#state().version.number;
    const start = number - batchRun;
    const isInRun = (candidate: number): boolean => {
      if (candidate > newest) return false;
      const { version, batchRun: run } = this.#entryAt(candidate);
      return version.batchId === batchId && candidate - run === start;
    };
    return { first: Math.max(start + 1, oldest), last: lastWithin(number, isInRun) };
  }

  #damaged(sequenceNumber: number, what: string): DamagedLogError {
    return new DamagedLogError(this.#shopId, sequenceNumber, what);
  }
}

/**
 * The last number for which `isWithin` holds. It holds for `first` and for every number up to the last one, which is
 * found by doubling steps and then by binary search.
 */
export function lastWithin(first: number, isWithin: (number: number) => boolean): number {
  let last = first;
  let step = 1;
  while (isWithin(last + step)) {
    last += step;
    step *= 2;
  }
  for (; step >= 1; step = Math.floor(step / 2)) if (isWithin(last + step)) last += step;
  return last;
}

/** Calls `read`, and calls it once more if it finds damage. */
function readTwice<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throwUnlessDamaged(error);
    return read();
  }
}

function throwUnlessDamaged(error: unknown): void {
  if (!(error instanceof DamagedLogError)) throw error;
}
