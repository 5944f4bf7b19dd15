/**
 * Stored forms of a shop. The log stores every accepted write as one event; replaying the events of a shop in order gives
 * its state, without any other source. The image of a checkpoint is that state as JSON text. Field names are part of the
 * stored format.
 */
import type { ApiKey } from './api-key.ts';
import type { AuditNote } from './audit.ts';
import type { BlendedRate } from './blended-rate.ts';
import type { Check } from './check.ts';
import type { ProductGroup } from './product-group.ts';
import type { Rule } from './rule.ts';
import type { ShippingMethod } from './shipping-method.ts';
import type { ShopSettings } from './shop.ts';
import type { ShopConfig } from './shop-config.ts';
import type { ChangeCounts, Version } from './version.ts';
import type { Zone } from './zone.ts';

/**
 * Number of the version that created the record or last moved it; moving a neighbour does not change it. Two records
 * whose placements are the same in two states have the same order in both, so a comparison can tell which records were
 * moved explicitly.
 */
export interface Placement {
  readonly placement: number;
}

/**
 * Number of the version that last changed the record: the newest one whose comparison with the version before it names
 * the record (contract section 10.3). The state keeps it, events do not: replaying them gives it.
 */
export interface LastChange {
  readonly changedIn?: number;
}

export type PlacedZone = Zone & Placement;
export type PlacedGroup = ProductGroup & Placement;
/** A rule as a change holds it. */
export type RuleInChange = Rule & Placement;
export type PlacedRule = RuleInChange & LastChange;
export type PlacedMethod = Omit<ShippingMethod, 'rules'> &
  Placement &
  LastChange & { readonly rules: readonly PlacedRule[] } & Pick<ShippingMethod, 'rateType' | 'config'>;
export type PlacedBlendedRate = BlendedRate & Placement;
export type PlacedCheck = Check & Placement;

/** Configuration of a shop with the placement of every record: the stored form. */
export interface PlacedConfig {
  readonly zones: readonly PlacedZone[];
  readonly productGroups: readonly PlacedGroup[];
  readonly methods: readonly PlacedMethod[];
  readonly blendedRates: readonly PlacedBlendedRate[];
  readonly checks: readonly PlacedCheck[];
}

/**
 * Type-safe: the type of a stored method does not state that its rate config fits its rate type, but the decision of
 * the write checked that.
 */
export const shopConfigOf = (config: PlacedConfig): ShopConfig => config as ShopConfig;

/** The form in the log: `checks` is absent when there are none. */
type StoredConfig = Omit<PlacedConfig, 'checks'> & Partial<Pick<PlacedConfig, 'checks'>>;

export function storedOfConfig({ checks, ...others }: PlacedConfig): StoredConfig {
  return checks.length === 0 ? others : { ...others, checks };
}

export const configOfStored = ({ checks = [], ...others }: StoredConfig): PlacedConfig => ({
  ...others,
  checks,
});

/**
 * A change of one ordered list. It is applied in this order: drop every record of `removed` and `placed`, put each
 * record of `replaced` in the place of its predecessor, then insert each record of `placed` at its final index, lowest
 * index first. The change does not name unchanged records.
 */
export interface ListChange<T> {
  readonly removed?: readonly string[];
  readonly replaced?: readonly T[];
  readonly placed?: readonly { readonly index: number; readonly record: T }[];
}

/** A change holds a method without its rules: an existing method keeps its rules, a new method has none. */
export type MethodInChange = Omit<PlacedMethod, 'rules' | keyof LastChange>;

/** A change of the configuration by one write, of any size. */
export interface ConfigChange {
  readonly zones?: ListChange<PlacedZone>;
  readonly productGroups?: ListChange<PlacedGroup>;
  /** Applied before `rules`; removing a method removes its rules. */
  readonly methods?: ListChange<MethodInChange>;
  /** Method id -> change of its rules. */
  readonly rules?: Readonly<Record<string, ListChange<RuleInChange>>>;
  readonly blendedRates?: ListChange<PlacedBlendedRate>;
  readonly checks?: ListChange<PlacedCheck>;
}

/** A configuration write that waits in a changeset for its promotion. */
export interface StagedWrite {
  readonly change: ConfigChange;
  /** Description and counts of the version that a promotion will make of this write. */
  readonly description: string;
  readonly counts: ChangeCounts;
  /** The key that wrote it; null on the command line. */
  readonly keyId: string | null;
  /** ISO time. */
  readonly at: string;
  /** Approximate characters of the change as JSON text. */
  readonly size: number;
}

/** An active changeset as `enter` made it (contract section 7). */
interface StagingOrigin {
  readonly id: string;
  /** The live version that it was forked from; the live configuration cannot change while a changeset is active. */
  readonly baseVersionId: string;
  /** ISO time. */
  readonly enteredAt: string;
  /** The key that entered; null on the command line. */
  readonly enteredBy: string | null;
  /** Absent when they are empty. */
  readonly name?: string;
  readonly note?: string;
}

export interface StagingState extends StagingOrigin {
  /** The live configuration with every staged write applied. */
  readonly config: PlacedConfig;
  /**
   * Staged writes in order. A promotion makes version (live number + n) of the n-th write; its placements already have
   * that number.
   */
  readonly writes: readonly StagedWrite[];
}

/** An event that the audit tells of (contract section 12.3). Those of earlier releases have no note, and are not in it. */
interface Audited {
  /** Absent when the write changed nothing. */
  readonly audit?: AuditNote;
}

export type ShopEvent =
  | {
      readonly kind: 'shopCreated';
      readonly settings: ShopSettings;
      readonly config: StoredConfig;
      readonly version: Version;
    }
  | { readonly kind: 'configChanged'; readonly change: ConfigChange; readonly version: Version }
  | ({ readonly kind: 'stagingEntered'; readonly staging: StagingOrigin } & Audited)
  | { readonly kind: 'stagedWritten'; readonly write: StagedWrite }
  /** After a promotion the same group of records holds the versions, before this event. */
  | ({ readonly kind: 'stagingEnded'; readonly outcome: 'promoted' | 'discarded' } & Audited)
  | ({ readonly kind: 'settingsChanged'; readonly settings: ShopSettings } & Audited)
  | ({ readonly kind: 'keyCreated'; readonly key: ApiKey } & Audited)
  | ({
      readonly kind: 'keyChanged';
      readonly keyId: string;
      readonly label: string;
      /** ISO time; null for a key without an end. */
      readonly expiresAt: string | null;
    } & Audited)
  | ({ readonly kind: 'keyRevoked'; readonly keyId: string } & Audited)
  /** The sealed secret with which Shopify signs its callbacks; null removes it. */
  | ({ readonly kind: 'shopifySecretSet'; readonly sealed: string | null } & Audited);

/** What the audit tells of an event; null when it tells nothing. */
export const auditNoteOf = (event: ShopEvent): AuditNote | null =>
  'audit' in event ? (event.audit ?? null) : null;

/** State of a shop: the result of all its events. */
export interface ShopState {
  readonly settings: ShopSettings;
  readonly keys: readonly ApiKey[];
  readonly config: PlacedConfig;
  /** The version that `config` is. */
  readonly version: Version;
  /** The active changeset, if there is one. */
  readonly staging: StagingState | null;
  /** Sealed, so that log, checkpoint and backup do not reveal it; absent when no secret was set. */
  readonly shopifySecret?: string;
}

/** Raised with every change of the image; a checkpoint of another format is skipped. */
const IMAGE_FORMAT = 3;

interface ShopImage extends Omit<ShopState, 'staging'> {
  readonly staging: Omit<StagingState, 'config'> | null;
}

/** The value that the text of an image encodes. */
export const shopImageData = (state: ShopImage) => ({
  format: IMAGE_FORMAT,
  state: { ...state, config: storedOfConfig(state.config) },
});

/** Parses the text of an image; throws when it is no image of a known format. */
export const parseShopImage = (text: string): ShopImage => shopImageOf(JSON.parse(text));

/** The image in a parsed value; throws when its format is unknown. */
export function shopImageOf(data: unknown): ShopImage {
  const { format, state: stored } = data as {
    readonly format?: number;
    readonly state: Omit<ShopImage, 'config'> & { readonly config: StoredConfig };
  };
  if (format !== IMAGE_FORMAT) throw new Error(`checkpoint image of format ${format}`);
  return { ...stored, config: configOfStored(stored.config) };
}
