/**
 * Converts the answer of a simulation to the answer that Shopify's checkout expects. Pure. A list without rates is a
 * valid answer: this service has no rate to offer.
 */
import Type, { type Static } from '#typebox';
import { LocalCalendar } from '../compile/local-calendar.ts';
import { dayOfText } from '../domain/calendar-day.ts';
import { strict } from '../domain/schema.ts';
import type { CarrierRate } from '../wire/answer.ts';
import { toShopifyAmount } from './currency-units.ts';

const deliveryDate = Type.Optional(
  Type.String({ description: "YYYY-MM-DD 00:00:00 +hhmm in the shop's time zone" }),
);

const ShopifyRate = strict('ShopifyRate', {
  service_name: Type.String(),
  service_code: Type.String({ description: 'Unique within the answer' }),
  total_price: Type.String({ description: 'In hundredths of the currency, also of one that has no subunit' }),
  description: Type.String(),
  currency: Type.String(),
  min_delivery_date: deliveryDate,
  max_delivery_date: deliveryDate,
  phone_required: Type.Optional(
    Type.Boolean({ description: 'True where the method needs a phone number, absent elsewhere' }),
  ),
});

export const ShopifyAnswer = strict('ShopifyAnswer', { rates: Type.Array(ShopifyRate) });
export type ShopifyAnswer = Readonly<Static<typeof ShopifyAnswer>>;

/** The rates in the order of the simulation, each with a unique service code. `timeZone` is that of the shop. */
export function shopifyAnswerOf(rates: readonly CarrierRate[], timeZone: string): ShopifyAnswer {
  const calendar = new LocalCalendar(timeZone);
  const codes = uniqueCodes(rates);
  return {
    rates: rates.map((rate, index) => ({
      service_name: rate.serviceName,
      service_code: codes[index] ?? rate.serviceCode,
      total_price: toShopifyAmount(rate.totalPrice, rate.currency),
      description: rate.description,
      currency: rate.currency,
      ...(rate.minDeliveryDate === undefined || rate.maxDeliveryDate === undefined
        ? {}
        : {
            min_delivery_date: midnightOf(rate.minDeliveryDate, calendar),
            max_delivery_date: midnightOf(rate.maxDeliveryDate, calendar),
          }),
      ...(rate.phoneRequired === true ? { phone_required: true } : {}),
    })),
  };
}

/** A date with the time zone's offset at its midnight. */
function midnightOf(date: string, calendar: LocalCalendar): string {
  const offset = calendar.offsetAtMidnight(dayOfText(date));
  const ahead = Math.abs(offset);
  const digits = String(Math.floor(ahead / 60) * 100 + (ahead % 60)).padStart(4, '0');
  return `${date} 00:00:00 ${offset < 0 ? '-' : '+'}${digits}`;
}

/**
 * When rates share a code, the first by name keeps it and the others get `-2`, `-3`, skipping codes in use. The order
 * is by name and not by price: Shopify identifies services only by their codes, so a price change must not swap the
 * codes of two services.
 */
function uniqueCodes(rates: readonly CarrierRate[]): readonly string[] {
  const codes = rates.map(({ serviceCode }) => serviceCode);
  const taken = new Set(codes);
  if (taken.size === codes.length) return codes;
  const sortText = ({ serviceName, description }: CarrierRate) => `${serviceName}\u0000${description}`;
  const texts = rates.map(sortText);
  const byName = rates.map((_, index) => index).sort((a, b) => compareTexts(texts[a], texts[b]) || a - b);
  const kept = new Set<string>();
  for (const index of byName) {
    const code = codes[index] ?? '';
    if (kept.has(code)) codes[index] = nextFree(code, taken);
    kept.add(code);
  }
  return codes;
}

const compareTexts = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

function nextFree(code: string, taken: Set<string>): string {
  for (let number = 2; ; number++) {
    const candidate = `${code}-${number}`;
    if (taken.has(candidate)) continue;
    taken.add(candidate);
    return candidate;
  }
}
