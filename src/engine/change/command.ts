/**
 * Commands are changes to a shop that a client or an operator requests; their bodies have passed their schemas.
 * A decision accepts or refuses a command: here are its input, its result, and the types of its parts.
 */
import type { ApiKey } from '../domain/api-key.ts';
import type { Outcome } from '../domain/failure.ts';
import type { Permission } from '../domain/permission.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { PromotionGate } from '../domain/promotion-gate.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { PlacedConfig, ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { ChangeCounts, Version, VersionAuthor } from '../domain/version.ts';
import type {
  BlendedRateView,
  CheckView,
  GroupView,
  MethodWithRulesView,
  RuleView,
  ZoneView,
} from '../wire/record-view.ts';
import type { Staging } from '../wire/staging.ts';
import type {
  BlendedCreate,
  BlendedUpdate,
  CheckCreate,
  CheckUpdate,
  ConfigData,
  GroupCreate,
  GroupUpdate,
  KeyUpdate,
  MethodCreate,
  MethodUpdate,
  RuleCreate,
  RuleUpdate,
  ShopUpdate,
  ZoneCreate,
  ZoneUpdate,
} from '../wire/write-bodies.ts';

type UpdateOrDelete<N extends string, U> =
  | { readonly kind: `update${N}`; readonly id: string; readonly body: U }
  | { readonly kind: `delete${N}`; readonly id: string };
type RecordWrite<N extends string, C, U> =
  | { readonly kind: `create${N}`; readonly body: C }
  | UpdateOrDelete<N, U>;

/** Writes of the configuration. */
export type ConfigCommand =
  | RecordWrite<'Zone', ZoneCreate, ZoneUpdate>
  | RecordWrite<'Group', GroupCreate, GroupUpdate>
  | RecordWrite<'Method', MethodCreate, MethodUpdate>
  | { readonly kind: 'createRule'; readonly methodId: string; readonly body: RuleCreate }
  | UpdateOrDelete<'Rule', RuleUpdate>
  | RecordWrite<'Blended', BlendedCreate, BlendedUpdate>
  | RecordWrite<'Check', CheckCreate, CheckUpdate>
  | { readonly kind: 'executeConfig'; readonly data: ConfigData }
  | { readonly kind: 'rollback'; readonly targetVersionId: string };

/** What the gate said about a changeset in one state. */
export interface JudgedChangeset {
  readonly stagingId: string;
  /** Number of staged writes. */
  readonly writes: number;
  /** The gate that judged it. */
  readonly gate: PromotionGate | null;
  /** Why it may not be promoted; null when it may. */
  readonly refusal: string | null;
}

/** The settings of a new shop; with `promotionGate` null it has no gate, without it that of new shops. */
export type NewShop = Pick<ShopSettings, 'name' | 'currency' | 'timezone' | 'plan'> & {
  readonly id?: string;
  readonly promotionGate?: PromotionGate | null;
};

export interface NewKey {
  readonly label: string;
  readonly permission: Permission;
  /** First characters of the secret and its SHA-256 in hex; the secret itself stays with the caller. */
  readonly prefix: string;
  readonly secretSha256: string;
  /** ISO time; null or absent for a key without an end. */
  readonly expiresAt?: string | null | undefined;
}

export type Command =
  | ConfigCommand
  | { readonly kind: 'enterStaging'; readonly name?: string; readonly note?: string }
  /** Without either the gate of the shop, if it has one, refuses the promotion. */
  | { readonly kind: 'promoteStaging'; readonly judged?: JudgedChangeset; readonly isForced?: boolean }
  | { readonly kind: 'discardStaging' }
  | { readonly kind: 'createShop'; readonly settings: NewShop }
  | { readonly kind: 'updateShop'; readonly body: ShopUpdate }
  | { readonly kind: 'setPlan'; readonly plan: string }
  /** The caller seals the secret; null removes it. */
  | { readonly kind: 'setShopifySecret'; readonly sealed: string | null }
  | ({ readonly kind: 'createKey' } & NewKey)
  | { readonly kind: 'updateKey'; readonly id: string; readonly body: KeyUpdate }
  | { readonly kind: 'revokeKey'; readonly id: string };

/** Result of an accepted command. */
export type CommandResult =
  | { readonly kind: 'zone'; readonly zone: ZoneView }
  | { readonly kind: 'group'; readonly group: GroupView }
  | { readonly kind: 'method'; readonly method: MethodWithRulesView }
  | { readonly kind: 'rule'; readonly rule: RuleView }
  | { readonly kind: 'blendedRate'; readonly blendedRate: BlendedRateView }
  | { readonly kind: 'check'; readonly check: CheckView }
  | { readonly kind: 'deleted'; readonly id: string }
  /** `version` is null when the write went to a changeset. */
  | { readonly kind: 'executed'; readonly version: Version | null; readonly summary: ChangeCounts }
  | { readonly kind: 'rolledBack'; readonly version: Version; readonly summary: ChangeCounts }
  | { readonly kind: 'stagingEntered'; readonly staging: Staging }
  /** The newest version, and the counts of its differences from the version before the promotion. */
  | { readonly kind: 'promoted'; readonly version: Version; readonly summary: ChangeCounts }
  | { readonly kind: 'discarded' }
  | { readonly kind: 'shop'; readonly settings: ShopSettings }
  | { readonly kind: 'key'; readonly key: ApiKey };

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
  readonly plans: PlanTable;
  readonly plan: string;
}

/** An accepted configuration write, before the check against the plan and before it becomes a version. */
export interface ConfigWrite {
  /** The configuration after it; what it did not change is the same object as before. */
  readonly config: PlacedConfig;
  /** One line for the version list. */
  readonly description: string;
  readonly createdBy: VersionAuthor;
  /** Makes the answer. `version` is null in a changeset, because a staged write makes no version yet. */
  readonly result: (version: Version | null, counts: ChangeCounts) => CommandResult;
}

/** What decides a configuration write, by its kind. */
export type ConfigWrites<K extends ConfigCommand['kind']> = {
  readonly [C in K]: (
    scope: WriteScope,
    command: CommandOf<C>,
    state: ShopState,
    findVersion: DecisionContext['findVersion'],
  ) => Outcome<ConfigWrite>;
};
