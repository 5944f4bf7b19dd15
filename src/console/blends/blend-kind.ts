/** Blended rates as the editor of records handles them. */
import type { Schemas } from '../../client/call-table.ts';
import { mapped, type RecordKind, type SavedRecord } from '../parts/use-record.ts';

type Blend = Schemas['BlendedRateRecord'];

export type BlendDraft = Readonly<Omit<Blend, 'id' | 'position'>>;

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

const saved = ({ blendedRate }: { readonly blendedRate: Blend }): SavedRecord<BlendDraft> => {
  const { id, position: _, ...fields } = blendedRate;
  return { id, fields };
};

export const BLEND_KIND: RecordKind<BlendDraft> = {
  page: 'blends',
  noun: 'blended rate',
  read: async (calls, id, options) =>
    mapped(await calls.getBlendedRate(id, options), (read) => saved(read).fields),
  create: async (calls, { serviceCode, ...draft }, options) => {
    // Without a code the service makes one of the name.
    const body = { ...draft, ...(serviceCode === '' ? {} : { serviceCode }) };
    return mapped(await calls.createBlendedRate(body, options), saved);
  },
  update: async (calls, id, changed, options) =>
    mapped(await calls.updateBlendedRate(id, changed, options), saved),
  remove: (calls, id, options) => calls.deleteBlendedRate(id, options),
};
