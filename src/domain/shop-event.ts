/**
 * What the log keeps: every accepted write of a shop as one event. Replaying a shop's events in order
 * gives its state; nothing else is ever needed. Field names are part of the stored format.
 */
import type { ApiKey } from './api-key.ts';
import type { BlendedRate } from './blended-rate.ts';
import type { ProductGroup } from './product-group.ts';
import type { Rule } from './rule.ts';
import type { ShippingMethod } from './shipping-method.ts';
import type { ShopSettings } from './shop.ts';
import type { ChangeCounts, Version } from './version.ts';
import type { Zone } from './zone.ts';

/**
 * Where a record stands in its list was decided by the write with this version number: by creating it or
 * by moving it, never by moving a neighbour. Two states in which a record has the same placement agree on
 * its place relative to every other such record, so a comparison can tell who was moved explicitly.
 */
export interface Placement {
  readonly placement: number;
}

export type PlacedZone = Zone & Placement;
export type PlacedGroup = ProductGroup & Placement;
export type PlacedRule = Rule & Placement;
export type PlacedMethod = Omit<ShippingMethod, 'rules'> &
  Placement & { readonly rules: readonly PlacedRule[] } & Pick<ShippingMethod, 'rateType' | 'config'>;
export type PlacedBlendedRate = BlendedRate & Placement;

/** A shop's configuration with the placement of every record; the form in which it is kept. */
export interface PlacedConfig {
  readonly zones: readonly PlacedZone[];
  readonly productGroups: readonly PlacedGroup[];
  readonly methods: readonly PlacedMethod[];
  readonly blendedRates: readonly PlacedBlendedRate[];
}

/**
 * A change of one ordered list. Applied in this order: drop `removed` and every record that is placed,
 * put each of `replaced` where its old self stands, then insert each of `placed` at its final index,
 * lowest index first. A record that stays untouched is not named.
 */
export interface ListChange<T> {
  readonly removed?: readonly string[];
  readonly replaced?: readonly T[];
  readonly placed?: readonly { readonly index: number; readonly record: T }[];
}

/** A method in a change comes without its rules: those of an existing one stay, a new one has none. */
export type MethodInChange = Omit<PlacedMethod, 'rules'>;

/** A change of the configuration: one write, however much it touches. */
export interface ConfigChange {
  readonly zones?: ListChange<PlacedZone>;
  readonly productGroups?: ListChange<PlacedGroup>;
  /** Applied before `rules`; removing a method removes its rules. */
  readonly methods?: ListChange<MethodInChange>;
  /** Method id -> change of its rules. */
  readonly rules?: Readonly<Record<string, ListChange<PlacedRule>>>;
  readonly blendedRates?: ListChange<PlacedBlendedRate>;
}

/** A configuration write that waits in a changeset for its promotion. */
export interface StagedWrite {
  readonly change: ConfigChange;
  /** Those of the version that it may become. */
  readonly description: string;
  readonly counts: ChangeCounts;
  /** The key that wrote it; null on the command line. */
  readonly keyId: string | null;
  /** ISO time. */
  readonly at: string;
  /** About the characters of the change as JSON text. */
  readonly size: number;
}

/** An active changeset as its entrance made it (contract section 7). */
export interface StagingOrigin {
  readonly id: string;
  /** The live version that it stands on. The live configuration cannot change while a changeset is active. */
  readonly baseVersionId: string;
  /** ISO time. */
  readonly enteredAt: string;
  /** The key that entered; null on the command line. */
  readonly enteredBy: string | null;
}

export interface StagingState extends StagingOrigin {
  /** The live configuration with every staged write applied. */
  readonly config: PlacedConfig;
  /**
   * In order. The n-th of them becomes version live number + n; the placements that it gave are that number
   * already.
   */
  readonly writes: readonly StagedWrite[];
}

export type ShopEvent =
  | {
      readonly kind: 'shopCreated';
      readonly settings: ShopSettings;
      readonly config: PlacedConfig;
      readonly version: Version;
    }
  | { readonly kind: 'configChanged'; readonly change: ConfigChange; readonly version: Version }
  | { readonly kind: 'stagingEntered'; readonly staging: StagingOrigin }
  | { readonly kind: 'stagedWritten'; readonly write: StagedWrite }
  /** Promoted: the versions stand before it in the same group. */
  | { readonly kind: 'stagingEnded'; readonly outcome: 'promoted' | 'discarded' }
  | { readonly kind: 'settingsChanged'; readonly settings: ShopSettings }
  | { readonly kind: 'keyCreated'; readonly key: ApiKey }
  | { readonly kind: 'keyRevoked'; readonly keyId: string }
  /** The secret that Shopify signs its callbacks with, sealed; null takes it away. */
  | { readonly kind: 'shopifySecretSet'; readonly sealed: string | null };

/** Everything a shop's events add up to. */
export interface ShopState {
  readonly settings: ShopSettings;
  readonly keys: readonly ApiKey[];
  readonly config: PlacedConfig;
  /** The version that `config` is. */
  readonly version: Version;
  /** The active changeset, if there is one. */
  readonly staging: StagingState | null;
  /** Sealed, so that neither log nor checkpoint nor backup gives it away; absent when none was set. */
  readonly shopifySecret?: string;
}
