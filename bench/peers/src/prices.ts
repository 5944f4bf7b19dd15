/** Base prices and adjustments in whole cents. */
import type { Totals } from './cart.ts';
import type { Method, Rule } from './model.ts';

/** `amount` x `share` / `whole`, rounded half up, exact beyond what a product of two numbers holds. */
function roundedShare(amount: number, share: number, whole: number): number {
  const product = amount * share;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor((product + whole / 2) / whole);
  return Number((BigInt(amount) * BigInt(share) * 2n + BigInt(whole)) / (2n * BigInt(whole)));
}

export const TABLES: Readonly<Record<string, readonly [keyof Totals, string, string]>> = {
  by_weight_table: ['grams', 'minWeight', 'maxWeight'],
  by_price_table: ['price', 'minPrice', 'maxPrice'],
  by_items_table: ['quantity', 'minItems', 'maxItems'],
};

/** null outside of every tier. */
export function basePrice({ rateType, config }: Method, totals: Totals): number | null {
  switch (rateType) {
    case 'flat':
      return config.price;
    case 'free':
      return 0;
    case 'by_items':
      return config.firstItemPrice + (totals.quantity - 1) * config.additionalItemPrice;
    case 'by_weight': {
      const over = Math.max(0, totals.grams - config.firstWeight);
      return config.firstPrice + Math.ceil(over / config.additionalWeight) * config.additionalPrice;
    }
    case 'percentage': {
      const share = roundedShare(totals.price, Math.round(config.percentage * 100), 10_000);
      return Math.max(config.minPrice ?? 0, Math.min(config.maxPrice ?? share, share));
    }
    default: {
      const [field, low, high] = TABLES[rateType] ?? ['grams', '', ''];
      const total = totals[field];
      const tier = config.tiers.find(
        (row) => (row[low] ?? 0) <= total && total < (row[high] ?? Number.POSITIVE_INFINITY),
      );
      return tier?.['price'] ?? null;
    }
  }
}

export function adjusted(rule: Rule, price: number): number {
  if (rule.action === 'free') return 0;
  const value = rule.adjustmentValue ?? 0;
  const amount = rule.adjustmentType === 'percentage' ? roundedShare(price, value, 100) : value;
  return rule.action === 'adjust_add' ? price + amount : Math.max(0, price - amount);
}
