/** Commands: changes to a shop that a client or an operator requests. Their bodies have passed their schemas. */
import type { ApiKey } from '../domain/api-key.ts';
import type { Permission } from '../domain/permission.ts';
import type { PromotionGate } from '../domain/promotion-gate.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import type { ChangeCounts, Comparison, Version } from '../domain/version.ts';
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

export type Command =
  | ConfigCommand
  | { readonly kind: 'enterStaging' }
  /** Without either the gate of the shop, if it has one, refuses the promotion. */
  | { readonly kind: 'promoteStaging'; readonly judged?: JudgedChangeset; readonly isForced?: boolean }
  | { readonly kind: 'discardStaging' }
  | { readonly kind: 'createShop'; readonly settings: Omit<ShopSettings, 'id'> & { readonly id?: string } }
  | { readonly kind: 'updateShop'; readonly body: ShopUpdate }
  | { readonly kind: 'setPlan'; readonly plan: string }
  /** The caller seals the secret; null removes it. */
  | { readonly kind: 'setShopifySecret'; readonly sealed: string | null }
  | {
      readonly kind: 'createKey';
      readonly label: string;
      readonly permission: Permission;
      /** First characters of the secret and its SHA-256 in hex; the secret itself stays with the caller. */
      readonly prefix: string;
      readonly secretSha256: string;
    }
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

/** The differences that execute would make (contract section 8). */
export interface ConfigPreview extends Comparison {
  readonly summary: ChangeCounts;
}

/** The configuration that execute would make. */
export interface PreviewedConfig {
  /** An id that execute will generate is null here. */
  readonly preview: ConfigPreview;
  readonly config: PlacedConfig;
  /** Placeholders in `config` for the ids that execute will generate. */
  readonly madeIds: ReadonlySet<string>;
}
