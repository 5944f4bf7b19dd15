/** What the peers accept and answer, as JSON Schema for Fastify. */

const text = { type: ['string', 'null'] } as const;
const idText = { type: ['string', 'integer', 'null'] } as const;
const whole = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum }) as const;

export const requestSchema = {
  type: 'object',
  required: ['destination', 'items'],
  properties: {
    destination: {
      type: 'object',
      required: ['country'],
      properties: {
        country: { type: 'string', pattern: '^[A-Za-z]{2}$' },
        province: text,
        city: text,
        postalCode: text,
        name: text,
        address1: text,
        address2: text,
        address3: text,
        phone: text,
        company: text,
      },
    },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: {
        type: 'object',
        required: ['quantity', 'grams', 'price'],
        properties: {
          name: text,
          sku: idText,
          quantity: whole(1, 1_000_000),
          grams: whole(0, 1_000_000_000),
          price: whole(0, 1_000_000_000),
          vendor: text,
          productId: idText,
          variantId: idText,
          properties: { type: ['object', 'null'], properties: { tag: text } },
          requiresShipping: { type: ['boolean', 'null'] },
        },
      },
    },
    currency: { type: ['string', 'null'], pattern: '^[A-Za-z]{3}$' },
    locale: text,
  },
} as const;

const string = { type: 'string' } as const;
const nullableString = { type: 'string', nullable: true } as const;
const integer = { type: 'integer' } as const;
const boolean = { type: 'boolean' } as const;

const rate = {
  type: 'object',
  properties: {
    serviceName: string,
    serviceCode: string,
    description: string,
    totalPrice: integer,
    currency: string,
  },
} as const;
const nullableRate = { ...rate, nullable: true } as const;

const ruleTrace = {
  type: 'object',
  properties: {
    ruleId: string,
    action: string,
    matched: boolean,
    conditions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          conditionType: string,
          operator: string,
          value: string,
          scope: string,
          matched: boolean,
        },
      },
    },
    matchedItems: {
      type: 'array',
      items: { type: 'object', properties: { index: integer, name: string, sku: string } },
    },
  },
} as const;

export const answerSchema = {
  type: 'object',
  properties: {
    rates: { type: 'array', items: rate },
    methodEvaluations: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          methodId: string,
          methodName: string,
          productGroupId: string,
          visible: boolean,
          reason: nullableString,
          rate: nullableRate,
          ruleTraces: { type: 'array', items: ruleTrace },
        },
      },
    },
    blendedRates: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          blendedRateId: string,
          name: string,
          visible: boolean,
          reason: nullableString,
          rate: nullableRate,
          components: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                productGroupId: string,
                methodId: nullableString,
                price: { type: 'integer', nullable: true },
              },
            },
          },
        },
      },
    },
    zone: {
      type: 'object',
      nullable: true,
      properties: {
        id: string,
        name: string,
        subzone: { type: 'object', nullable: true, properties: { id: string, name: string } },
      },
    },
  },
} as const;
