/** The examples of the OpenAPI document, all of one believable shop. Tests check each against its schema. */
import { EXAMPLE_CHECK_FIELDS, EXAMPLE_IDS } from './check-examples.ts';

const exampleSubzone = { name: 'Alaska and Hawaii', postalCodes: '995*, 996*, 967*, 968*' };
export const EXAMPLE_ZONE_BODY = { name: 'United States', countries: ['US'], subzones: [exampleSubzone] };
export const EXAMPLE_ZONE = {
  id: EXAMPLE_IDS.zone,
  ...EXAMPLE_ZONE_BODY,
  subzones: [{ id: EXAMPLE_IDS.subzone, ...exampleSubzone }],
};

export const EXAMPLE_GROUP_BODY = { name: 'Heavy items', skus: ['HVY-*'], tags: ['oversized'] };
const exampleGroupFields = {
  id: EXAMPLE_IDS.group,
  name: EXAMPLE_GROUP_BODY.name,
  isDefault: false,
  variantIds: [],
  productIds: [],
  skus: EXAMPLE_GROUP_BODY.skus,
  tags: EXAMPLE_GROUP_BODY.tags,
  vendors: [],
};
export const EXAMPLE_GROUP = { ...exampleGroupFields, position: 1 };

export const EXAMPLE_RULE_BODY = {
  name: 'Alaska and Hawaii cost more',
  action: 'adjust_add',
  adjustmentValue: 1500,
  adjustmentType: 'flat',
  conditions: [
    {
      conditionType: 'destination_state',
      operator: 'equals',
      value: 'AK,HI',
      scope: 'any_product_in_order',
    },
  ],
};
const exampleRuleFields = { id: EXAMPLE_IDS.rule, ...EXAMPLE_RULE_BODY, enabled: true };
export const EXAMPLE_RULE = { ...exampleRuleFields, methodId: EXAMPLE_IDS.method, position: 0 };

export const EXAMPLE_METHOD_BODY = {
  name: 'Standard shipping',
  subtitle: '5-7 business days',
  zoneId: EXAMPLE_IDS.zone,
  productGroupId: EXAMPLE_IDS.group,
  rateType: 'flat',
  config: { price: 999 },
  freeShippingThreshold: 10000,
  delivery: { minDays: 5, maxDays: 7 },
};
const exampleMethodFields = {
  id: EXAMPLE_IDS.method,
  ...EXAMPLE_METHOD_BODY,
  serviceCode: 'standard-shipping',
  enabled: true,
};
export const EXAMPLE_METHOD = { ...exampleMethodFields, position: 0 };
export const EXAMPLE_METHOD_WITH_RULES = { ...EXAMPLE_METHOD, rules: [EXAMPLE_RULE] };

/** A method priced by a table. */
export const EXAMPLE_TABLE_METHOD_BODY = {
  name: 'Freight',
  zoneId: EXAMPLE_IDS.zone,
  rateType: 'by_weight_table',
  config: {
    tiers: [
      { minWeight: 0, maxWeight: 20000, price: 2500 },
      { minWeight: 20000, maxWeight: null, price: 6000 },
    ],
  },
};

export const EXAMPLE_BLENDED_BODY = {
  name: 'Combined shipping',
  zoneId: EXAMPLE_IDS.zone,
  preferences: [{ productGroupId: EXAMPLE_IDS.group, preferredMethodId: null }],
};
const exampleBlendedFields = {
  id: EXAMPLE_IDS.blendedRate,
  ...EXAMPLE_BLENDED_BODY,
  subtitle: '',
  serviceCode: 'combined-shipping',
  freeShippingThreshold: null,
  enabled: true,
};
export const EXAMPLE_BLENDED = { ...exampleBlendedFields, position: 0 };

export const EXAMPLE_SNAPSHOT = {
  versionId: EXAMPLE_IDS.version,
  productGroups: [exampleGroupFields],
  zones: [EXAMPLE_ZONE],
  methods: [{ ...exampleMethodFields, rules: [exampleRuleFields] }],
  blendedRates: [exampleBlendedFields],
  checks: [EXAMPLE_CHECK_FIELDS],
};

const exampleCounts = { added: 1, modified: 0, removed: 0 };
const exampleFinding = {
  code: 'threshold_below_prices',
  severity: 'warning',
  record: { kind: 'method', id: EXAMPLE_IDS.method, name: 'Standard shipping' },
  message: '"Standard shipping" is free from 1.00, which every cart that it has a price for reaches.',
  witness: {
    request: { destination: { country: 'US' }, items: [{ quantity: 1, grams: 500, price: 2000 }] },
    at: '2026-01-07T17:00:00.000Z',
  },
};
export const EXAMPLE_REPORT = { findings: [exampleFinding], omitted: [] };
export const EXAMPLE_EXECUTED = {
  version: {
    id: EXAMPLE_IDS.version,
    number: 7,
    createdAt: '2026-11-18T17:00:00.000Z',
    createdBy: 'import',
    keyId: EXAMPLE_IDS.key,
    keyLabel: 'Back office',
    description: 'Configuration replaced',
    batchId: null,
    changes: exampleCounts,
  },
  summary: exampleCounts,
};

export const EXAMPLE_VERSION = {
  id: EXAMPLE_IDS.version,
  number: 8,
  createdAt: '2026-11-18T17:05:00.000Z',
  createdBy: 'user',
  keyId: EXAMPLE_IDS.key,
  keyLabel: 'Back office',
  description: 'Method "Standard shipping" updated',
  batchId: 'autumn-prices',
  changes: { added: 0, modified: 1, removed: 0 },
  batch: { id: 'autumn-prices', size: 3 },
};
const { batch: _, ...exampleVersionFields } = EXAMPLE_VERSION;
export const EXAMPLE_VERSION_DETAIL = {
  ...exampleVersionFields,
  diff: {
    added: [],
    modified: [
      {
        kind: 'method',
        id: EXAMPLE_IDS.method,
        name: 'Standard shipping',
        changes: [{ field: 'config', from: { price: 899 }, to: { price: 999 } }],
      },
    ],
    removed: [],
  },
  config: EXAMPLE_SNAPSHOT,
};
export const EXAMPLE_ROLLED_BACK = {
  version: {
    ...exampleVersionFields,
    number: 9,
    createdBy: 'rollback',
    description: 'Rolled back to version 7',
    batchId: null,
  },
  summary: exampleVersionFields.changes,
};

const exampleRate = {
  serviceName: 'Standard shipping',
  serviceCode: 'standard-shipping',
  description: '5-7 business days',
  totalPrice: 999,
  currency: 'USD',
  minDeliveryDate: '2026-11-25',
  maxDeliveryDate: '2026-11-27',
};
export const EXAMPLE_SIMULATION = {
  rates: [exampleRate],
  methodEvaluations: [
    {
      methodId: EXAMPLE_IDS.method,
      methodName: 'Standard shipping',
      productGroupId: EXAMPLE_IDS.group,
      visible: true,
      reason: null,
      rate: exampleRate,
      ruleTraces: [
        {
          ruleId: EXAMPLE_IDS.rule,
          action: 'adjust_add',
          matched: false,
          conditions: EXAMPLE_RULE_BODY.conditions.map((condition) => ({ ...condition, matched: false })),
        },
      ],
    },
  ],
  blendedRates: [],
  zone: { id: EXAMPLE_IDS.zone, name: 'United States', subzone: null },
};

const exampleSampleCart = {
  destination: { country: 'US', province: 'CA', postalCode: '90210' },
  items: [{ sku: 'TEE-M', quantity: 2, grams: 180, price: 2500, requiresShipping: true }],
};
export const EXAMPLE_STAGING = {
  id: 'staging_01JD3V8RZK6Q9W5T7X2Y4B8N0K',
  status: 'active',
  baseVersionId: EXAMPLE_IDS.version,
  enteredAt: '2026-11-18T17:10:00.000Z',
  name: 'Autumn prices',
  note: 'New tariffs of the carrier',
  enteredBy: { keyId: EXAMPLE_IDS.key, keyLabel: 'Back office' },
  changes: { added: 1, modified: 1, removed: 0 },
  diff: {
    added: [
      { kind: 'subzone', id: EXAMPLE_IDS.subzone, name: 'Alaska and Hawaii', parentId: EXAMPLE_IDS.zone },
    ],
    modified: [
      {
        kind: 'method',
        id: EXAMPLE_IDS.method,
        name: 'Standard shipping',
        changes: [{ field: 'config', from: { price: 999 }, to: { price: 799 } }],
      },
    ],
    removed: [],
  },
  shadow: {
    simulations: 412,
    evaluated: 412,
    identical: 411,
    different: 1,
    dropped: 0,
    lost: 0,
    gained: 0,
    replayed: { runs: 1, evaluated: 200, different: 3, lost: 0, gained: 0 },
    coverage: { seen: 1, possible: 1, percent: 100, missing: [] },
    byMethod: {
      [EXAMPLE_IDS.method]: {
        name: 'Standard shipping',
        priceUp: 0,
        priceDown: 1,
        appeared: 0,
        disappeared: 0,
        differenceCents: -200,
      },
    },
    byZone: {
      [EXAMPLE_IDS.zone]: { name: 'United States', evaluated: 412, different: 1, differenceCents: -200 },
    },
    byGroup: {
      [EXAMPLE_IDS.group]: { name: 'Heavy items', evaluated: 412, different: 1, differenceCents: -200 },
    },
    samples: [
      {
        at: '2026-11-18T17:12:31.004Z',
        ...exampleSampleCart,
        itemCount: 1,
        cartTotal: 5000,
        live: [exampleRate],
        staged: [{ ...exampleRate, totalPrice: 799 }],
        differences: [
          { serviceCode: 'standard-shipping', serviceName: 'Standard shipping', live: 999, staged: 799 },
        ],
        request: { ...exampleSampleCart, currency: 'USD' },
        replayed: false,
      },
    ],
  },
};

export const EXAMPLE_CURRENT_KEY = {
  id: EXAMPLE_IDS.key,
  label: 'Checkout',
  permission: 'simulate',
  prefix: 'rw_Zk3x9Q',
  createdAt: '2026-11-18T17:00:00.000Z',
  expiresAt: null,
};

export const EXAMPLE_KEY_END = '2027-03-31T22:00:00.000Z';
export const EXAMPLE_KEY = { ...EXAMPLE_CURRENT_KEY, lastUsedAt: null };

export const EXAMPLE_SHOP = {
  id: EXAMPLE_IDS.shop,
  name: 'Harbour Goods',
  currency: 'USD',
  timezone: 'America/New_York',
  plan: 'starter',
  promotionGate: { checksPass: true, noLostCarts: true, evaluatedMin: 200 },
  fulfilment: {
    cutoff: '14:00',
    handlingDays: 0,
    workingDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    holidays: ['2026-12-25'],
  },
  directWrites: true,
  limits: {
    methods: 20,
    groups: 5,
    zones: 10,
    blendedRates: 2,
    checks: 20,
    rulesPerMethod: 10,
    keys: 2,
    requestsPerMinute: 120,
    simulationsPerSecond: 20,
    historyDays: 7,
  },
  usage: {
    methods: 4,
    groups: 2,
    zones: 1,
    blendedRates: 1,
    checks: 12,
    rulesPerMethod: 3,
    keys: 1,
    requestsPerMinute: 12,
    simulationsPerSecond: 3,
    historyDays: 5,
  },
};

const examplePlace = { country: 'US', province: 'CA', city: 'Beverly Hills' };
const exampleItem = {
  name: 'Enamel mug',
  sku: 'MUG-001',
  quantity: 2,
  grams: 500,
  price: 2999,
  vendor: 'Harbour Goods',
};
export const EXAMPLE_CART = {
  currency: 'USD',
  locale: 'en',
  destination: { ...examplePlace, postalCode: '90210' },
  items: [
    {
      ...exampleItem,
      productId: 'prod_123',
      variantId: 'var_456',
      properties: { tag: 'kitchen' },
      requiresShipping: true,
    },
  ],
};

export const EXAMPLE_SHOPIFY_REQUEST = {
  rate: {
    destination: {
      ...examplePlace,
      postal_code: '90210',
      name: 'Ada Example',
      address1: '1 Example Street',
      address2: null,
      address3: null,
      phone: null,
      company_name: null,
    },
    items: [
      {
        ...exampleItem,
        requires_shipping: true,
        product_id: 48447225880,
        variant_id: 258644705304,
        properties: null,
      },
    ],
    currency: 'USD',
    locale: 'en',
  },
};
export const EXAMPLE_SHOPIFY_ANSWER = {
  rates: [
    {
      service_name: exampleRate.serviceName,
      service_code: exampleRate.serviceCode,
      total_price: String(exampleRate.totalPrice),
      description: exampleRate.description,
      currency: exampleRate.currency,
      min_delivery_date: `${exampleRate.minDeliveryDate} 00:00:00 -0500`,
      max_delivery_date: `${exampleRate.maxDeliveryDate} 00:00:00 -0500`,
    },
  ],
};

export const EXAMPLE_BATCH = {
  requests: [EXAMPLE_CART, { ...EXAMPLE_CART, destination: { country: 'AQ' } }],
};
export const EXAMPLE_BATCH_ANSWER = {
  answers: [EXAMPLE_SIMULATION, { rates: [], methodEvaluations: [], blendedRates: [], zone: null }],
};
