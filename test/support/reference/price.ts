/** Prices of methods: rate types and adjusting rules (contract section 3, "Rate types"; contract section 5.3). */
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import { bounded, roundedHalfUp, sumOf } from './amount.ts';
import { type OrderItem, totalsOf } from './order.ts';

interface AnyTier {
  readonly price: number;
  readonly [bound: string]: number | null;
}

/** "The tier with min <= total < max; max null is open"; null outside every tier. */
function tierPrice(
  tiers: readonly AnyTier[],
  quantityName: 'Weight' | 'Price' | 'Items',
  total: bigint,
): bigint | null {
  const tier = tiers.find((each) => {
    const min = each[`min${quantityName}`];
    const max = each[`max${quantityName}`];
    return BigInt(min ?? 0) <= total && (max === null || max === undefined || total < BigInt(max));
  });
  return tier === undefined ? null : BigInt(tier.price);
}

/**
 * Base price from the shippable items of the method's own group, or null outside every tier. A percentage
 * has at most 2 decimals, so it is a whole number of hundredths.
 */
export function basePrice(method: ShippingMethod, groupItems: readonly OrderItem[]): bigint | null {
  const totals = () => totalsOf(groupItems);
  switch (method.rateType) {
    case 'flat':
      return BigInt(method.config.price);
    case 'free':
      return 0n;
    case 'by_weight_table':
      return tierPrice(method.config.tiers, 'Weight', totals().weight);
    case 'by_price_table':
      return tierPrice(method.config.tiers, 'Price', totals().price);
    case 'by_items_table':
      return tierPrice(method.config.tiers, 'Items', totals().quantity);
    case 'by_items': {
      const { firstItemPrice, additionalItemPrice } = method.config;
      return bounded(BigInt(firstItemPrice) + (totals().quantity - 1n) * BigInt(additionalItemPrice));
    }
    case 'by_weight':
      return weightPrice(method.config, totals().weight);
    case 'by_dimensional_weight': {
      const divisor = BigInt(method.config.divisor);
      const grams = groupItems.map((item) => {
        const [length, width, height] = item.sides;
        const dimensional = (length * width * height + divisor - 1n) / divisor;
        return (dimensional > item.grams ? dimensional : item.grams) * item.quantity;
      });
      return weightPrice(method.config, bounded(sumOf(grams)));
    }
    case 'percentage': {
      const { percentage, minPrice, maxPrice } = method.config;
      const hundredths = BigInt(percentage.toFixed(2).replace('.', ''));
      const share = roundedHalfUp(totals().price * hundredths, 10_000n);
      if (minPrice !== undefined && share < BigInt(minPrice)) return BigInt(minPrice);
      if (maxPrice !== undefined && share > BigInt(maxPrice)) return BigInt(maxPrice);
      return bounded(share);
    }
  }
}

interface WeightSteps {
  readonly firstWeight: number;
  readonly firstPrice: number;
  readonly additionalWeight: number;
  readonly additionalPrice: number;
}

function weightPrice(config: WeightSteps, grams: bigint): bigint {
  const beyond = grams - BigInt(config.firstWeight);
  const step = BigInt(config.additionalWeight);
  const steps = beyond <= 0n ? 0n : (beyond + step - 1n) / step;
  return bounded(BigInt(config.firstPrice) + steps * BigInt(config.additionalPrice));
}

/** The running price after a matched rule: hide and show leave it, the other three act (contract section 5.3). */
export function priceAfter(rule: Rule, running: bigint): bigint {
  if (rule.action === 'hide' || rule.action === 'show') return running;
  if (rule.action === 'free') return 0n;
  const value = BigInt(rule.adjustmentValue ?? 0);
  const change = rule.adjustmentType === 'percentage' ? roundedHalfUp(running * value, 100n) : value;
  if (rule.action === 'adjust_add') return bounded(running + change);
  return change > running ? 0n : running - change;
}
