/** Examples of answers about coverage, price curves and the audit. */
import {
  EXAMPLE_CURRENT_KEY,
  EXAMPLE_GROUP,
  EXAMPLE_METHOD,
  EXAMPLE_RULE,
  EXAMPLE_SHOP,
  EXAMPLE_ZONE,
} from './examples.ts';

export const EXAMPLE_COVERAGE = {
  since: '2026-10-24T09:00:00.000Z',
  simulations: 51_200,
  days: [{ date: '2026-11-25', simulations: 1_730, withoutRate: 12, cheapestMedian: 795 }],
  zones: [{ zoneId: EXAMPLE_ZONE.id, subzoneId: null, count: 48_000 }],
  methods: [
    {
      methodId: EXAMPLE_METHOD.id,
      considered: 48_000,
      visible: 47_100,
      offered: 47_100,
      lastOfferedAt: '2026-11-25T07:59:58.000Z',
    },
  ],
  rules: [{ ruleId: EXAMPLE_RULE.id, evaluated: 48_000, matched: 0, lastMatchedAt: null }],
  tiers: [],
  groups: [{ productGroupId: EXAMPLE_GROUP.id, count: 51_200 }],
};

export const EXAMPLE_CURVE = {
  vary: 'cart_total',
  segments: [
    {
      from: 0,
      to: 9_999,
      rates: [
        { serviceCode: EXAMPLE_METHOD.serviceCode, serviceName: EXAMPLE_METHOD.name, totalPrice: 1_000 },
      ],
    },
    {
      from: 10_000,
      to: 20_000,
      rates: [{ serviceCode: EXAMPLE_METHOD.serviceCode, serviceName: EXAMPLE_METHOD.name, totalPrice: 0 }],
    },
  ],
  limited: false,
};

export const EXAMPLE_AUDIT_ENTRY = {
  id: 'audit_118',
  at: '2026-11-24T09:12:40.310Z',
  keyId: EXAMPLE_CURRENT_KEY.id,
  keyLabel: EXAMPLE_CURRENT_KEY.label,
  action: 'settings_changed',
  subject: { kind: 'shop', id: EXAMPLE_SHOP.id, name: EXAMPLE_SHOP.name },
  before: { promotionGate: { checksPass: true } },
  after: { promotionGate: null },
};
