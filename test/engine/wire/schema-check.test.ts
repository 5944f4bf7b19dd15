import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type, { type TSchema } from '#typebox';
import { ITEMS_MAX_DEFAULT, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import { RATE_TYPE_NAMES } from '../../../src/engine/domain/rate-type.ts';
import { Name, PostalCodesText } from '../../../src/engine/domain/text.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import {
  BlendedCreate,
  configActionSchema,
  GroupUpdate,
  KeyCreate,
  MethodCreate,
  RuleCreate,
  versionActionSchema,
} from '../../../src/engine/wire/write-bodies.ts';

const ConfigAction = configActionSchema(ITEMS_MAX_DEFAULT);
const VersionAction = versionActionSchema(ITEMS_MAX_DEFAULT);

const defectsOf = (schema: TSchema, value: unknown, max = 20) => compileSchema(schema).defects(value, max);

const COMPARED =
  'an id of a version, its number in decimal as text, live, or staged while a changeset is active';

describe('messages', () => {
  const cases: readonly (readonly [string, TSchema, unknown, readonly string[]])[] = [
    ['kinds of the same words are named once', VersionAction, [], ['the body must be an object']],
    [
      'a body is checked as the kind that its action names',
      VersionAction,
      { action: 'compare', versionA: 1, targetVersionId: 'version_1' },
      [
        `/versionB is required: ${COMPARED}`,
        `/versionA must be ${COMPARED}`,
        '/targetVersionId is not a field that is accepted here',
      ],
    ],
    [
      'an action that no kind has',
      VersionAction,
      { action: 'undo' },
      ['/action must be compare or rollback or bisect'],
    ],
    ['no action', VersionAction, {}, ['/action is required: compare or rollback or bisect']],
    ['a body that is no object', GroupUpdate, [], ['the body must be an object']],
    ['a body that is null', GroupUpdate, null, ['the body must be an object']],
    [
      'fields that are missing come first, with what they accept',
      KeyCreate,
      { label: 3 },
      [
        '/permission is required: one of simulate, read, write, admin',
        '/label must be text of 1 to 200 characters without control characters',
      ],
    ],
    [
      'the value of an adjustment, whose type is another field',
      RuleCreate,
      { action: 'adjust_add', adjustmentType: 'percentage', adjustmentValue: 12.5 },
      [
        '/adjustmentValue must be whole cents, 0 to 9,007,199,254,740,991, or whole points, 0 to 1,000, when adjustmentType is percentage',
      ],
    ],
    [
      'defects come in the order of the body',
      MethodCreate,
      { rateType: 'cheap', colour: 1, name: 'A', zoneId: 'a b' },
      [
        `/rateType must be one of ${RATE_TYPE_NAMES.join(', ')}`,
        '/colour is not a field that is accepted here',
        '/zoneId must be an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -',
      ],
    ],
    [
      'a place within arrays is named by its index',
      SimulateRequest,
      {
        destination: { country: 'US' },
        items: [
          { quantity: 1, grams: 0, price: 0 },
          { quantity: 1.5, grams: 0, price: -1 },
        ],
      },
      [
        '/items/1/quantity must be a whole number from 1 to 1,000,000 (pieces)',
        '/items/1/price must be a whole number from 0 to 1,000,000,000 (cents of one piece)',
      ],
    ],
    [
      'one of several alternatives is one defect, with what all of them accept',
      RuleCreate,
      { action: 'hide', conditions: [{ conditionType: 'cart_total', operator: 'equals', value: [] }] },
      [
        '/conditions/0/value must be text of 0 to 10,000 characters without control characters other than white space, or a number',
      ],
    ],
    [
      'within the only alternative that can hold it the field is named',
      SimulateRequest,
      {
        destination: { country: 'US' },
        items: [{ quantity: 1, grams: 0, price: 0, properties: { tag: 1 } }],
      },
      ['/items/0/properties/tag must be comma-separated tags'],
    ],
    [
      'a length out of bounds is told once, and its elements are not looked at',
      SimulateRequest,
      { destination: { country: 'US' }, items: Array(1_001).fill(0) },
      [`/items must be an array of 1 to ${ITEMS_MAX_DEFAULT} items`],
    ],
    [
      'an array without words of its own',
      BlendedCreate,
      { name: 'A', zoneId: 'z', preferences: {} },
      ['/preferences must be an array of 0 to 2,000 elements'],
    ],
    [
      'names are written as JSON Pointer wants them, in print, and no longer than 64',
      GroupUpdate,
      { 'a/b~c': 1, 'größe😀': 1, 'é\n\u202e\u2028\ud83d': 1, ['x'.repeat(70)]: 1 },
      [
        '/a~1b~0c is not a field that is accepted here',
        '/größe😀 is not a field that is accepted here',
        '/é???? is not a field that is accepted here',
        `/${'x'.repeat(64)} is not a field that is accepted here`,
      ],
    ],
    [
      'names that every object has are fields like any other',
      GroupUpdate,
      JSON.parse('{"__proto__":{},"constructor":1,"toString":2}'),
      ['__proto__', 'constructor', 'toString'].map((name) => `/${name} is not a field that is accepted here`),
    ],
    [
      'a record with patterns for its names',
      Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Integer()),
      { a: 'x' },
      ['/a must be a whole number'],
    ],
    [
      'a text at the root',
      Name,
      '',
      ['the body must be text of 1 to 200 characters without control characters'],
    ],
  ];
  for (const [what, schema, value, expected] of cases) {
    test(what, () => assert.deepEqual(defectsOf(schema, value), expected));
  }

  test('a valid value has no defects', () => {
    assert.deepEqual(defectsOf(GroupUpdate, {}), []);
  });

  test('a failure names as many defects as requested, by default one', () => {
    const check = compileSchema(GroupUpdate);
    const value = { a: 1, b: 2, c: 3 };
    assert.equal(check.failure(value).message, '/a is not a field that is accepted here');
    assert.equal(check.failure(value, 2).message.split('; ').length, 2);
    assert.equal(check.failure(value).code, 'VALIDATION_ERROR');
  });

  test('accepted values are described in words', () => {
    assert.equal(compileSchema(Name).accepts, 'text of 1 to 200 characters without control characters');
    assert.equal(compileSchema(Type.Array(Type.String())).accepts, 'an array');
    assert.equal(compileSchema(Type.Union([Type.Boolean(), Type.Null()])).accepts, 'true or false or null');
  });
});

test('there is a defect exactly when the check fails, and never more than were asked for', () => {
  const schemas = [SimulateRequest, MethodCreate, RuleCreate, BlendedCreate, ConfigAction, KeyCreate];
  const names = [
    ...['destination', 'items', 'name', 'data', 'action', 'methods', 'rules', 'conditions', 'id'],
    ...['zoneId'],
  ];
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom<unknown>(null, true, 0, 1.5, '', 'hide', 'preview', 'flat', 'a b'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.constantFrom(...schemas), value, fc.integer({ min: 1, max: 5 }), (schema, body, max) => {
      const check = compileSchema(schema);
      const defects = check.defects(body, max);
      assert.equal(defects.length === 0, check.check(body));
      assert.ok(defects.length <= max);
      assert.ok(defects.every((defect) => /^(?:the body|\/\S+) (?:must be|is) /.test(defect)));
    }),
    { numRuns: 500 },
  );
});

test('one wrong field in a large body is found without searching the rest', () => {
  const rules = Array.from({ length: 50_000 }, () => ({ action: 'hide', conditions: [] }));
  const method = { name: 'A', zoneId: 'z', rateType: 'flat', config: { price: 1 }, rules };
  const body = { action: 'execute', data: { methods: [method, { ...method, name: '' }] } };
  assert.deepEqual(defectsOf(ConfigAction, body), [
    '/data/methods/1/name must be text of 1 to 200 characters without control characters',
  ]);
});

describe('texts', () => {
  const name = compileSchema(Name);

  test('characters are counted, not UTF-16 units', () => {
    assert.ok(name.check('😀'.repeat(200)));
    assert.ok(!name.check('😀'.repeat(201)));
    assert.ok(!name.check(`a${'\u0301'.repeat(200)}`));
  });

  test('a text of a mebibyte is checked whole', () => {
    const postalCodes = compileSchema(PostalCodesText);
    assert.ok(postalCodes.check('9'.repeat(1_048_576)));
    assert.ok(!postalCodes.check('9'.repeat(1_048_577)));
    assert.ok(!postalCodes.check(`${'9'.repeat(1_048_575)}\b`));
  });
});
