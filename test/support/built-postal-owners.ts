/** The postal owners of subzones, made without yielding. */
import { type PostalOwners, postalOwnersSteps } from '../../src/compile/postal-owners.ts';
import type { PostalForm } from '../../src/domain/postal-code.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';

export const buildPostalOwners = (
  subzones: readonly { readonly postalCodes: string }[],
  form: PostalForm,
): PostalOwners => finishSteps(postalOwnersSteps(subzones, form, NEVER));
