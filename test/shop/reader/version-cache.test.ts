/** Earlier versions in memory: as many as fit, those used last. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLength } from '../../../src/base/bytes/json-length.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { VersionCache } from '../../../src/shop/reader/version-cache.ts';
import { shop } from '../../support/small-shop.ts';

const CONFIG = shop([]) as unknown as PlacedConfig;
const BYTES = jsonLength(CONFIG, Number.MAX_SAFE_INTEGER);

test('versions that fit exactly are cached, a smaller bound evicts, and a version larger than the bound is not cached', () => {
  for (const [bytesMax, kept] of [
    [BYTES - 1, []],
    [BYTES, ['c']],
    [2 * BYTES - 1, ['c']],
    [2 * BYTES, ['b', 'c']],
    [3 * BYTES, ['a', 'b', 'c']],
  ] as const) {
    const cache = new VersionCache({ versionCacheBytesMax: bytesMax });
    for (const id of ['a', 'b', 'c']) assert.equal(cache.keep('shop', id, CONFIG, BYTES).config, CONFIG);
    const found = ['a', 'b', 'c'].filter((id) => cache.find('shop', id) !== undefined);
    assert.deepEqual(found, kept, String(bytesMax));
  }
});

test('the most recently used version stays, and versions of different shops are different entries', () => {
  const cache = new VersionCache({ versionCacheBytesMax: 2 * BYTES });
  cache.keep('shop', 'a', CONFIG, BYTES);
  cache.keep('shop', 'b', CONFIG, BYTES);
  assert.ok(cache.find('shop', 'a') !== undefined);
  cache.keep('other', 'b', CONFIG, BYTES);
  assert.equal(cache.find('shop', 'b'), undefined);
  assert.ok(cache.find('shop', 'a') !== undefined && cache.find('other', 'b') !== undefined);
});
