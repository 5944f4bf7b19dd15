/** A blended rate as a client writes it, checked and completed (contract section 3). */
import type { BlendedRate, Preference } from '../domain/blended-rate.ts';
import type { BlendedCreate } from '../wire/write-bodies.ts';
import type { References, ReportDefect } from './references.ts';
import { checkBlendedReferences } from './references.ts';

type PreferenceInput = Pick<Preference, 'productGroupId'> & Partial<Preference>;

export interface BlendedInput extends Omit<BlendedCreate, 'id' | 'position' | 'preferences'> {
  readonly preferences?: readonly PreferenceInput[];
}

/** `serviceCode` is called only when the body has none. Defects are reported by their path below the record. */
export function readBlended(
  id: string,
  input: BlendedInput,
  references: References,
  serviceCode: () => string,
  report: ReportDefect,
): BlendedRate {
  const blended: BlendedRate = {
    id,
    name: input.name,
    subtitle: input.subtitle ?? '',
    serviceCode: input.serviceCode ?? serviceCode(),
    zoneId: input.zoneId,
    freeShippingThreshold: input.freeShippingThreshold ?? null,
    preferences: (input.preferences ?? []).map(({ productGroupId, preferredMethodId = null }) => ({
      productGroupId,
      preferredMethodId,
    })),
    enabled: input.enabled ?? true,
  };
  checkBlendedReferences(blended, references, report);
  return blended;
}
