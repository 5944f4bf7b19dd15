/** `/carriers/shopify/:id`: the rates of a shop for a checkout of Shopify, which calls it. */

import { joinedText } from '../../../base/bytes/answer-text.ts';
import { ShopifyAnswer, shopifyAnswerOf } from '../../../engine/carriers/shopify-answer.ts';
import {
  type ShopifyRequest,
  shopifyRequestSchema,
  simulateRequestOf,
} from '../../../engine/carriers/shopify-request.ts';
import type { CarrierRate } from '../../../engine/wire/answer.ts';
import { answerValue } from '../answer.ts';
import { EXAMPLE_SHOPIFY_ANSWER, EXAMPLE_SHOPIFY_REQUEST } from '../openapi/examples.ts';
import { answerDoc, bodyRow, type CallbackRoute } from '../route.ts';

const LIVE_RATES = { source: 'live', form: 'carrier' } as const;

/** `itemsMax` is the operator's limit on items of one request. */
export const shopifyRoute = (itemsMax: number): CallbackRoute => ({
  kind: 'callback',
  name: 'answerShopifyCarrierService',
  verb: 'POST',
  paths: ['/carriers/shopify/:id'],
  tag: 'Carriers',
  summary: 'Rates for a checkout at Shopify (CarrierService callback)',
  description:
    'Shopify calls it with the id of the shop in this service. The rates are those of `/api/simulate` for the same ' +
    'cart, an empty list if there are none. After any refusal Shopify shows its backup rates.',
  query: {},
  body: bodyRow({ schema: shopifyRequestSchema(itemsMax), examples: { checkout: EXAMPLE_SHOPIFY_REQUEST } }),
  success: answerDoc('The rates in the format of Shopify', ShopifyAnswer, EXAMPLE_SHOPIFY_ANSWER),
  sealedSecretOf: ({ shopifySecret }) => shopifySecret,
  handle: (shop, body, { clock }) => {
    const mapped = simulateRequestOf(body as ShopifyRequest, shop.state.settings.currency);
    if (!mapped.ok) return mapped;
    if (mapped.value === null) return answerValue({ rates: [] });
    const cart = mapped.value;
    const simulated = shop.simulate(cart, clock.nowMs(), LIVE_RATES);
    if (!simulated.ok) return simulated;
    const { rates } = JSON.parse(joinedText(simulated.value)) as { readonly rates: readonly CarrierRate[] };
    return answerValue(shopifyAnswerOf(rates, shop.state.settings.timezone));
  },
});
