/** *huge*: *postal* and as many methods of five rules, in other zones, as the effort says; the largest plan has 20,000. */
import type { Effort } from '../effort.ts';
import { makePostal } from './postal.ts';
import type { Profile } from './profile.ts';
import { withOtherMethods } from './shop-maker.ts';

export const HUGE_RULES_EACH = 5;

export function makeHuge({ postalPatterns, hugeMethods }: Effort): Profile {
  const postal = makePostal(postalPatterns.at(-1) ?? 0);
  return { ...postal, name: 'huge', config: withOtherMethods(postal.config, hugeMethods, HUGE_RULES_EACH) };
}
