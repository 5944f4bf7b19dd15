/** The nouns of the peers: a shop as its file holds it, a request, and the answer. */

export interface Condition {
  readonly conditionType: string;
  readonly operator: string;
  readonly value: string;
  readonly scope: string;
}

export interface Rule {
  readonly id: string;
  readonly action: 'hide' | 'show' | 'free' | 'adjust_add' | 'adjust_subtract';
  readonly conditions: readonly Condition[];
  readonly adjustmentValue?: number;
  readonly adjustmentType?: 'flat' | 'percentage';
  readonly enabled: boolean;
}

/** The fields of all rate types; which are there depends on the type. */
export interface RateConfig {
  readonly price: number;
  readonly tiers: readonly Readonly<Record<string, number | null>>[];
  readonly firstItemPrice: number;
  readonly additionalItemPrice: number;
  readonly firstWeight: number;
  readonly firstPrice: number;
  readonly additionalWeight: number;
  readonly additionalPrice: number;
  readonly percentage: number;
  readonly minPrice?: number;
  readonly maxPrice?: number;
}

export interface Method {
  readonly id: string;
  readonly name: string;
  readonly subtitle: string;
  readonly serviceCode: string;
  readonly zoneId: string;
  readonly productGroupId: string;
  readonly rateType: string;
  readonly config: RateConfig;
  readonly enabled: boolean;
  readonly freeShippingThreshold: number | null;
  readonly rules: readonly Rule[];
}

export interface BlendedRate {
  readonly id: string;
  readonly name: string;
  readonly subtitle: string;
  readonly serviceCode: string;
  readonly zoneId: string;
  readonly freeShippingThreshold: number | null;
  readonly preferences: readonly {
    readonly productGroupId: string;
    readonly preferredMethodId: string | null;
  }[];
  readonly enabled: boolean;
}

export interface Subzone {
  readonly id: string;
  readonly name: string;
  readonly postalCodes: string;
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly countries: readonly string[];
  readonly subzones: readonly Subzone[];
}

export interface ProductGroup {
  readonly id: string;
  readonly isDefault: boolean;
  readonly variantIds: readonly string[];
  readonly productIds: readonly string[];
  readonly skus: readonly string[];
  readonly tags: readonly string[];
  readonly vendors: readonly string[];
}

export interface ShopFile {
  readonly settings: { readonly currency: string; readonly timezone: string };
  readonly config: {
    readonly zones: readonly Zone[];
    readonly productGroups: readonly ProductGroup[];
    readonly methods: readonly Method[];
    readonly blendedRates: readonly BlendedRate[];
  };
}

export interface Item {
  readonly name?: string | null;
  readonly sku?: string | number | null;
  readonly quantity: number;
  readonly grams: number;
  readonly price: number;
  readonly vendor?: string | null;
  readonly productId?: string | number | null;
  readonly variantId?: string | number | null;
  readonly properties?: { readonly tag?: string | null } | null;
  readonly requiresShipping?: boolean | null;
}

export interface Destination {
  readonly country: string;
  readonly province?: string | null;
  readonly city?: string | null;
  readonly postalCode?: string | null;
  readonly name?: string | null;
  readonly address1?: string | null;
  readonly address2?: string | null;
  readonly address3?: string | null;
  readonly phone?: string | null;
  readonly company?: string | null;
}

export interface SimulateRequest {
  readonly destination: Destination;
  readonly items: readonly Item[];
  readonly currency?: string | null;
  readonly locale?: string | null;
}

export interface Rate {
  serviceName: string;
  serviceCode: string;
  description: string;
  totalPrice: number;
  currency: string;
}

export interface ConditionTrace extends Condition {
  readonly matched: boolean;
}

export interface MatchedItem {
  readonly index: number;
  readonly name: string;
  readonly sku: string;
}

export interface RuleTrace {
  readonly ruleId: string;
  readonly action: string;
  readonly matched: boolean;
  readonly conditions: readonly ConditionTrace[];
  readonly matchedItems?: readonly MatchedItem[];
}

export interface MethodEvaluation {
  readonly methodId: string;
  readonly methodName: string;
  readonly productGroupId: string;
  readonly visible: boolean;
  readonly reason: string | null;
  readonly rate: Rate | null;
  readonly ruleTraces: readonly RuleTrace[];
}

export interface BlendedEvaluation {
  readonly blendedRateId: string;
  readonly name: string;
  readonly visible: boolean;
  readonly reason: string | null;
  readonly rate: Rate | null;
  readonly components: readonly {
    readonly productGroupId: string;
    readonly methodId: string | null;
    readonly price: number | null;
  }[];
}

export interface Answer {
  readonly rates: readonly Rate[];
  readonly methodEvaluations: readonly MethodEvaluation[];
  readonly blendedRates: readonly BlendedEvaluation[];
  readonly zone: {
    readonly id: string;
    readonly name: string;
    readonly subzone: { readonly id: string; readonly name: string } | null;
  } | null;
}
