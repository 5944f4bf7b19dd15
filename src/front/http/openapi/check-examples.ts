/** Examples of checks, and the ids of the records of the example shop. */

export const EXAMPLE_IDS = {
  zone: 'zone_01JD3V8RZK6Q9W5T7X2Y4B8N0A',
  subzone: 'sub_01JD3V8RZK6Q9W5T7X2Y4B8N0B',
  group: 'group_01JD3V8RZK6Q9W5T7X2Y4B8N0C',
  method: 'method_01JD3V8RZK6Q9W5T7X2Y4B8N0D',
  rule: 'rule_01JD3V8RZK6Q9W5T7X2Y4B8N0E',
  blendedRate: 'blended_01JD3V8RZK6Q9W5T7X2Y4B8N0F',
  check: 'check_01JD3V8RZK6Q9W5T7X2Y4B8N0L',
  version: 'version_01JD3V8RZK6Q9W5T7X2Y4B8N0G',
  key: 'key_01JD3V8RZK6Q9W5T7X2Y4B8N0H',
  shop: 'shop_01JD3V8RZK6Q9W5T7X2Y4B8N0J',
} as const;

export const EXAMPLE_CHECK_BODY = {
  name: 'Two mugs to California',
  request: {
    destination: { country: 'US', province: 'CA', postalCode: '90210' },
    items: [{ sku: 'MUG-001', quantity: 2, grams: 500, price: 2999 }],
  },
  expectations: [
    { kind: 'rate', serviceCode: 'standard-shipping', totalPrice: 999 },
    { kind: 'no_rate', serviceCode: 'overnight' },
  ],
};
export const EXAMPLE_CHECK_FIELDS = { id: EXAMPLE_IDS.check, ...EXAMPLE_CHECK_BODY, at: null, enabled: true };
export const EXAMPLE_CHECK = { ...EXAMPLE_CHECK_FIELDS, position: 0 };

export const EXAMPLE_CHECK_RESULTS = {
  versionId: EXAMPLE_IDS.version,
  passed: 0,
  failed: 1,
  results: [
    {
      checkId: EXAMPLE_IDS.check,
      name: EXAMPLE_CHECK.name,
      passed: false,
      failures: [
        {
          expectation: EXAMPLE_CHECK_BODY.expectations[0],
          actual: [],
          reason:
            'standard-shipping is not offered: rule "Not to California" ' +
            '(rule_01JD3V8RZK6Q9W5T7X2Y4B8N0E) hides "Standard shipping".',
        },
      ],
    },
  ],
};

export const EXAMPLE_GATE_REPORT = {
  passed: false,
  criteria: [
    {
      criterion: 'checksPass',
      limit: 0,
      actual: 1,
      passed: false,
      evidence: EXAMPLE_CHECK_RESULTS.results,
    },
    { criterion: 'noLostCarts', limit: 0, actual: 0, passed: true, evidence: [] },
    { criterion: 'evaluatedMin', limit: 200, actual: 412, passed: true, evidence: [] },
  ],
  dropped: 0,
  effects: {
    probes: 412,
    changed: 1,
    lost: 0,
    gained: 0,
    samples: [
      {
        request: {
          destination: { country: 'US' },
          items: [{ quantity: 1, grams: 500, price: 2000 }],
        },
        at: '2026-11-18T17:00:00.000Z',
        before: [{ serviceCode: 'standard', totalPrice: 500 }],
        after: [{ serviceCode: 'standard', totalPrice: 600 }],
      },
    ],
    limited: false,
  },
};
