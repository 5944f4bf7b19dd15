/** The smallest configuration that has a record of every kind. */
import type { PlacedConfig } from '../../src/engine/domain/shop-event.ts';

export const sampleConfig = (): PlacedConfig => ({
  zones: [
    {
      id: 'zone_us',
      name: 'United States',
      countries: ['US'],
      subzones: [{ id: 'sub_ak', name: 'Alaska', postalCodes: '995*' }],
      placement: 1,
    },
  ],
  productGroups: [
    {
      id: 'group_default',
      name: 'Default',
      isDefault: true,
      variantIds: [],
      productIds: [],
      skus: [],
      tags: [],
      vendors: [],
      placement: 1,
    },
  ],
  methods: [
    {
      id: 'method_std',
      name: 'Standard',
      subtitle: '5-7 days',
      serviceCode: 'standard',
      zoneId: 'zone_us',
      productGroupId: 'group_default',
      rateType: 'flat',
      config: { price: 999 },
      enabled: true,
      freeShippingThreshold: null,
      placement: 1,
      rules: [{ id: 'rule_hide', action: 'hide', conditions: [], enabled: false, placement: 1 }],
    },
  ],
  checks: [
    {
      id: 'check_std',
      name: 'One mug to California',
      request: {
        destination: { country: 'US', province: 'CA', postalCode: '90210' },
        items: [{ sku: 'MUG-001', quantity: 1, grams: 500, price: 2999 }],
      },
      at: null,
      expectations: [{ kind: 'rate', serviceCode: 'standard', totalPrice: 999 }],
      enabled: true,
      placement: 1,
    },
  ],
  blendedRates: [
    {
      id: 'blended_all',
      name: 'Combined',
      subtitle: '',
      serviceCode: 'combined',
      zoneId: 'zone_us',
      freeShippingThreshold: null,
      preferences: [{ productGroupId: 'group_default', preferredMethodId: null }],
      enabled: true,
      placement: 1,
    },
  ],
});
