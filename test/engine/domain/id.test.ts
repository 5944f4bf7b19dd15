/**
 * Ids: their alphabet and prefixes, equal ids from equal seeds, and the number in the id of a version.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ID_LENGTH_MAX,
  ID_PREFIXES,
  type IdKind,
  idsFromSeed,
  isId,
  numberInVersionId,
  versionIdOf,
} from '../../../src/engine/domain/id.ts';
import { Id } from '../../../src/engine/domain/schema.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];
const SEED_LENGTH_MAX = 40;
const seed = fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{1,${SEED_LENGTH_MAX}}$`));

describe('an id', () => {
  it('is 1 to 64 characters of letters, digits, underscore and hyphen', () => {
    const schema = compileSchema(Id);
    for (const good of ['a', 'method_01JD', '-', '_', 'x'.repeat(ID_LENGTH_MAX)]) {
      assert.ok(isId(good) && schema.check(good), good);
    }
    for (const bad of ['', 'a b', 'ä', 'a\n', 'a/b', 'a.b', 'x'.repeat(ID_LENGTH_MAX + 1)]) {
      assert.ok(!isId(bad) && !schema.check(bad), JSON.stringify(bad));
    }
  });
});

describe('ids from a seed', () => {
  it('carry the prefix of their kind, differ from each other and are ids', () => {
    fc.assert(
      fc.property(seed, fc.array(fc.constantFrom(...KINDS), { maxLength: 50 }), (text, kinds) => {
        const maker = idsFromSeed(text);
        const ids = kinds.map((kind) => maker.next(kind));
        assert.equal(new Set(ids).size, ids.length);
        for (const [index, id] of ids.entries()) {
          const kind = kinds[index];
          assert.ok(kind !== undefined && id.startsWith(`${ID_PREFIXES[kind]}${text}`) && isId(id), id);
        }
      }),
    );
  });

  it('are equal for equal seeds', () => {
    const all = (text: string) => {
      const maker = idsFromSeed(text);
      return KINDS.map((kind) => maker.next(kind));
    };
    fc.assert(fc.property(seed, (text) => assert.deepEqual(all(text), all(text))));
  });

  it('sort in the order in which they were made, for a bulk write of a million records', () => {
    const maker = idsFromSeed('01JD3V8RZK');
    let before = maker.next('method');
    assert.equal(before, 'method_01JD3V8RZK');
    for (let count = 1; count < 1_000_000; count++) {
      const id = maker.next('method');
      if (id <= before) assert.fail(`${id} after ${before}`);
      before = id;
    }
  });
});

describe('the id of a version', () => {
  it('ends with the number of the version', () => {
    const ids = idsFromSeed('x'.repeat(26));
    for (const number of [1, 2, 10, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
      const id = versionIdOf(ids, number);
      assert.ok(isId(id), id);
      assert.equal(numberInVersionId(id), number);
    }
  });

  it('gives no number when it does not end with an underscore and a number', () => {
    const seed = '01JD3V8RZK6Q9W5T7X2Y4B8N0C';
    for (const end of ['', '-0001', '_', '_0', '_07', '_-1', '_1e3', '_7x', `_${'9'.repeat(17)}`]) {
      assert.equal(numberInVersionId(`version_${seed}${end}`), null, end);
    }
  });
});
