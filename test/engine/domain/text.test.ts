/** Text of a configuration: its characters, its length, and how it is compared. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  CONDITION_VALUE_LENGTH_MAX,
  ConditionText,
  comparable,
  MATCHER_LENGTH_MAX,
  MatcherText,
  NAME_LENGTH_MAX,
  Name,
  POSTAL_CODES_LENGTH_MAX,
  PostalCodesText,
  SERVICE_CODE_LENGTH_MAX,
  ServiceCode,
  SUBTITLE_LENGTH_MAX,
  Subtitle,
  splitTags,
} from '../../../src/engine/domain/text.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { compared } from '../../support/reference/text.ts';

const name = compileSchema(Name);

describe('a name', () => {
  it('may hold every character of Unicode that is not a control', () => {
    for (const good of [
      ...['Standard', 'Über "Nacht"', 'back\\slash', '日本語', '\u{1F69A}', 'a\u2028b', '\ufeffa'],
      ...['\uffff', '\u{10ffff}'],
    ]) {
      assert.ok(name.check(good), JSON.stringify(good));
    }
  });

  it('may hold no control character: C0, DEL or C1', () => {
    for (let unit = 0; unit < 0x100; unit++) {
      const isControl = unit < 0x20 || (unit >= 0x7f && unit < 0xa0);
      assert.equal(name.check(`a${String.fromCharCode(unit)}b`), !isControl, `U+${unit.toString(16)}`);
    }
  });

  it('may hold no lone surrogate', () => {
    for (const bad of ['\ud800', 'a\udc00', '\udc00\ud800', '\ud800\ud800\udc00', '\u{1F69A}\ud83d']) {
      assert.ok(!name.check(bad), JSON.stringify(bad));
    }
  });

  it('is accepted exactly when it is well formed and without controls, for any sequence of code units', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd7fe, max: 0xe001 }),
      fc.integer({ min: 0, max: 0xa1 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 6 }), (units) => {
        const text = String.fromCharCode(...units);
        const isWellFormed = !/\p{Surrogate}/u.test(text);
        assert.equal(name.check(text), isWellFormed && !/\p{Cc}/u.test(text), JSON.stringify(text));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('every kind of text', () => {
  it('is refused with one character less or more than its bounds', () => {
    for (const [label, schema, min, max] of [
      ['name', Name, 1, NAME_LENGTH_MAX],
      ['subtitle', Subtitle, 0, SUBTITLE_LENGTH_MAX],
      ['service code', ServiceCode, 1, SERVICE_CODE_LENGTH_MAX],
      ['condition value', ConditionText, 0, CONDITION_VALUE_LENGTH_MAX],
      ['matcher', MatcherText, 1, MATCHER_LENGTH_MAX],
      ['postal codes', PostalCodesText, 0, POSTAL_CODES_LENGTH_MAX],
    ] as const) {
      const { check } = compileSchema(schema);
      assert.equal(check(''), min === 0, `empty ${label}`);
      assert.ok(check('x'.repeat(max)), `longest ${label}`);
      assert.ok(!check('x'.repeat(max + 1)), `${label} too long`);
      assert.ok(!check(5), `${label} that is a number`);
    }
  });

  it('that is compared may have tabs and line breaks, and no other has them', () => {
    const compared = [ConditionText, MatcherText, PostalCodesText].map(
      (schema) => compileSchema(schema).check,
    );
    const others = [Name, Subtitle, ServiceCode].map((schema) => compileSchema(schema).check);
    for (const space of ['\t', '\n', '\v', '\f', '\r', '\u00a0', '\u200b']) {
      const isControl = space < ' ';
      for (const check of compared) assert.ok(check(`a${space}b`), JSON.stringify(space));
      for (const check of others) assert.equal(check(`a${space}b`), !isControl, JSON.stringify(space));
    }
    for (const control of ['\0', '\b', '\u000e', '\u001f', '\u007f', '\u0085', '\ud800'])
      for (const check of [...compared, ...others])
        assert.ok(!check(`a${control}b`), JSON.stringify(control));
  });

  it('has the bounds of the contract', () => {
    assert.deepEqual(
      [NAME_LENGTH_MAX, SUBTITLE_LENGTH_MAX, CONDITION_VALUE_LENGTH_MAX, POSTAL_CODES_LENGTH_MAX],
      [200, 500, 10_000, 1_048_576],
    );
  });
});

describe('texts are compared', () => {
  it('trimmed and in lower case', () => {
    assert.equal(comparable('  ÜBER Nacht\u00a0'), 'über nacht');
    assert.equal(comparable('İ'), 'i\u0307');
    assert.equal(comparable('ΑΣ'), 'ας');
    assert.equal(comparable(' '), '');
  });

  it('in NFC, with each run of white space as one space', () => {
    for (const written of [
      'po box 12',
      'PO  Box 12',
      'PO\u00a0Box\u00a012',
      'po\tbox\r\n12',
      ' PO\u3000Box \u2003 12',
    ])
      assert.equal(comparable(written), 'po box 12', JSON.stringify(written));
    assert.equal(comparable('Sa\u0303o Jose\u0301'), comparable('São José'));
    assert.equal(comparable('A\u030angstro\u0308m'), 'ångström');
  });

  it('as in the reference', () => {
    const unusual = fc
      .array(
        fc.constantFrom(
          'a',
          'E',
          'é',
          '\u0301',
          '\u0308',
          ' ',
          '\t',
          '\u00a0',
          '\u0085',
          '\u1100',
          '\u1161',
          '<',
          '\u0338',
        ),
      )
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), unusual), (text) => {
        assert.equal(comparable(text), compared(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

it('tags are split at commas and trimmed, and blank tags are dropped', () => {
  assert.deepEqual(splitTags(' Fresh, ,COLD,,a b '), ['Fresh', 'COLD', 'a b']);
  const text = fc
    .array(fc.constantFrom('a', 'B', ',', ' ', '\t'), { maxLength: 12 })
    .map((each) => each.join(''));
  const property = fc.property(text, (tags) => {
    const expected = tags.split(',').map((tag) => tag.trim());
    assert.deepEqual(
      splitTags(tags),
      expected.filter((tag) => tag !== ''),
    );
  });
  fc.assert(property);
});
