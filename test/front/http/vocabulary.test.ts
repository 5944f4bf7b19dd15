/** The vocabulary lists exactly what the checks accept. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TSchema } from '#typebox';
import {
  CONDITION_TYPE_NAMES,
  type Condition,
  findConditionDefect,
  OPERATOR_NAMES,
  SCOPE_NAMES,
} from '../../../src/engine/domain/condition.ts';
import { EXPECTATION_KINDS } from '../../../src/engine/domain/expectation.ts';
import { FINDING_CODE_NAMES } from '../../../src/engine/domain/finding.ts';
import { PromotionGate } from '../../../src/engine/domain/promotion-gate.ts';
import { RATE_TYPE_NAMES, RATE_TYPES } from '../../../src/engine/domain/rate-type.ts';
import { RULE_ACTIONS } from '../../../src/engine/domain/rule.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { PLANS } from '../../engine/change/trial-shop.ts';
import { TestServer } from '../../support/test-server.ts';

interface Vocabulary {
  readonly conditionTypes: readonly {
    readonly name: string;
    readonly kind: string;
    readonly operators: readonly string[];
    readonly scopes: readonly string[];
  }[];
  readonly operators: readonly {
    readonly name: string;
    readonly valuesMin: number;
    readonly valuesMax: number | null;
  }[];
  readonly scopes: readonly { readonly name: string }[];
  readonly rateTypes: readonly { readonly name: string; readonly config: TSchema }[];
  readonly actions: readonly { readonly name: string }[];
  readonly expectations: readonly { readonly kind: string; readonly schema: TSchema }[];
  readonly gateCriteria: readonly string[];
  readonly findings: readonly { readonly code: string }[];
  readonly limits: { readonly plan: { readonly name: string; readonly limits: unknown } };
}

let server: TestServer;
let vocabulary: Vocabulary;
before(async () => {
  server = await TestServer.start();
  const reply = await server.call('/api/vocabulary', { key: 'shop_a-read' });
  assert.equal(reply.status, 200);
  vocabulary = (reply.body as { vocabulary: Vocabulary }).vocabulary;
});
after(() => server.stop());

const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

const VALUES: Readonly<Record<string, readonly string[]>> = {
  number: ['1', '2'],
  day: ['monday', 'friday'],
  time: ['08:00', '09:30'],
  date: ['2026-01-01', '2026-12-31'],
};
const textOf = (kind: string, count: number): string =>
  (VALUES[kind] ?? ['AB1', 'CD2']).slice(0, count).join(',');

test('every table is included in full', () => {
  assert.deepEqual(namesOf(vocabulary.conditionTypes), CONDITION_TYPE_NAMES);
  assert.deepEqual(namesOf(vocabulary.operators), OPERATOR_NAMES);
  assert.deepEqual(namesOf(vocabulary.scopes), SCOPE_NAMES);
  assert.deepEqual(namesOf(vocabulary.rateTypes), RATE_TYPE_NAMES);
  assert.deepEqual(namesOf(vocabulary.actions), RULE_ACTIONS);
  assert.deepEqual(
    vocabulary.findings.map(({ code }) => code),
    FINDING_CODE_NAMES,
  );
  assert.deepEqual(
    vocabulary.expectations.map(({ kind }) => kind),
    EXPECTATION_KINDS,
  );
  assert.deepEqual(vocabulary.gateCriteria, Object.keys(PromotionGate.properties));
});

test('a condition is accepted exactly if its operator, scope and number of values are listed', () => {
  for (const type of vocabulary.conditionTypes) {
    for (const { name: operator, valuesMin, valuesMax } of vocabulary.operators) {
      for (const scope of SCOPE_NAMES) {
        for (const count of [0, 1, 2]) {
          const condition = { conditionType: type.name, operator, scope, value: textOf(type.kind, count) };
          const isListed =
            type.operators.includes(operator) &&
            (type.scopes.length === 0 || type.scopes.includes(scope)) &&
            count >= valuesMin &&
            count <= (valuesMax ?? count);
          const defect = findConditionDefect(condition as Condition);
          assert.equal(defect === null, isListed, `${JSON.stringify(condition)}: ${defect}`);
        }
      }
    }
  }
});

test('the schema of a rate config is a plain JSON Schema that accepts what the check accepts', () => {
  const samples: unknown[] = [
    {},
    { price: 1 },
    { price: -1 },
    { price: 1.5 },
    { tiers: [] },
    { tiers: [{ minWeight: 0, maxWeight: null, price: 5 }] },
    { tiers: [{ minPrice: 0, maxPrice: 10, price: 5 }] },
    { tiers: [{ minItems: 0, maxItems: 2, price: 5, more: 1 }] },
    { firstItemPrice: 5, additionalItemPrice: 1 },
    { firstWeight: 1, firstPrice: 2, additionalWeight: 0, additionalPrice: 4 },
    { percentage: 10.5, minPrice: 3 },
    { percentage: 1001 },
  ];
  for (const { name, config } of vocabulary.rateTypes) {
    assert.doesNotMatch(JSON.stringify(config), /\$ref|x-accepts/);
    const listed = compileSchema(config);
    const real = compileSchema(RATE_TYPES[name as keyof typeof RATE_TYPES]);
    for (const sample of samples) {
      assert.equal(listed.check(sample), real.check(sample), `${name} ${JSON.stringify(sample)}`);
    }
  }
});

test("the limits name the shop's own plan", () => {
  assert.equal(vocabulary.limits.plan.name, 'enterprise');
  assert.deepEqual(vocabulary.limits.plan.limits, PLANS['enterprise']);
});

test('an expectation that passes the schema of its kind is accepted in a check', async () => {
  const example = { serviceCode: 'a', totalPrice: 1, minPrice: 0, maxPrice: 1, rates: [] };
  const request = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
  for (const { kind, schema } of vocabulary.expectations) {
    const { properties } = schema as unknown as { readonly properties: Readonly<Record<string, unknown>> };
    const given = Object.entries(example).filter(([field]) => Object.hasOwn(properties, field));
    const expectation = { kind, ...Object.fromEntries(given) };
    assert.ok(compileSchema(schema).check(expectation), kind);
    const body = { name: kind, request, expectations: [expectation] };
    assert.equal((await server.call('/api/checks', { body })).status, 201, kind);
  }
});
