/** *huge*: *postal* with methods of five rules in other zones, one less in all than the effort says: a bench may add one. */
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { Effort } from '../effort.ts';
import { makePostal } from './postal.ts';
import type { Profile } from './profile.ts';
import { makeGroup, withOtherMethods } from './shop-maker.ts';

export const HUGE_RULES_EACH = 5;

export function makeHuge({ hugePatterns, hugeMethods }: Effort): Profile {
  const postal = makePostal(hugePatterns);
  const others = hugeMethods - 1 - postal.config.methods.length;
  return { ...postal, name: 'huge', config: withOtherMethods(postal.config, others, HUGE_RULES_EACH) };
}

const MATCHERS_EACH = 100;

/** Adds groups of 100 SKUs each, `count` SKUs in all, to which no cart of a profile belongs. */
export function withMatchers(config: ShopConfig, count: number): ShopConfig {
  const groups = Array.from({ length: Math.ceil(count / MATCHERS_EACH) }, (_, at) =>
    makeGroup(`group_other_${at}`, `Other ${at}`, {
      skus: Array.from({ length: MATCHERS_EACH }, (_sku, i) => `OTHER-${at * MATCHERS_EACH + i}`),
    }),
  );
  return { ...config, productGroups: [...config.productGroups, ...groups] };
}
