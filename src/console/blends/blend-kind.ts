/** Blended rates as the editor of records handles them. */
import type { Schemas } from '../../client/call-table.ts';
import { recordKind } from '../parts/record-kind.ts';

export type BlendDraft = Readonly<Omit<Schemas['BlendedRateRecord'], 'id' | 'position'>>;

export const BLANK_BLEND: BlendDraft = {
  name: '',
  subtitle: '',
  serviceCode: '',
  zoneId: '',
  freeShippingThreshold: null,
  thresholdBasis: 'cart_total',
  preferences: [],
  enabled: true,
};

export const BLEND_KIND = recordKind<BlendDraft>({
  page: 'blends',
  noun: 'blended rate',
  read: (calls, id, options) => calls.getBlendedRate(id, options),
  create: (calls, { serviceCode, ...draft }, options) =>
    // Without a code the service makes one of the name.
    calls.createBlendedRate({ ...draft, ...(serviceCode === '' ? {} : { serviceCode }) }, options),
  update: (calls, id, changed, options) => calls.updateBlendedRate(id, changed, options),
  remove: (calls, id, options) => calls.deleteBlendedRate(id, options),
});
