/** What a node asks the authority about keys that it does not know: how much at once, and what it remembers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyLookup } from '../../../src/store/cluster/key-lookup.ts';
import type { KeyHolder } from '../../../src/store/log/event-log.ts';
import { settle } from '../../shop/actor/shop-stage.ts';
import { sha256Of } from '../log/sample-records.ts';

const holderIn = (shopId: string): KeyHolder => ({ shopId, keyId: `key of ${shopId}`, permission: 'read' });

/** A lookup at an authority that answers when the test says so. */
function stage() {
  const world = { nowMs: 0, holders: new Map<string, KeyHolder>() };
  const queries: { readonly digests: readonly Buffer[]; readonly answer: () => void }[] = [];
  const keys = (digests: readonly Buffer[]) => {
    // What is read is what is there when the query is sent.
    const found = digests.map((digest) => world.holders.get(digest.toString('hex')) ?? null);
    return new Promise<readonly (KeyHolder | null)[]>((resolve) => {
      queries.push({ digests, answer: () => resolve(found) });
    });
  };
  const lookup = new KeyLookup({ keys }, () => world.nowMs);
  const answerAll = async () => {
    for (let answered = 0; answered < queries.length; answered++) {
      queries[answered]?.answer();
      await settle();
    }
  };
  const hold = (secret: string, shopId: string) =>
    world.holders.set(sha256Of(secret).toString('hex'), holderIn(shopId));
  return { world, queries, lookup, answerAll, hold };
}

test('one query runs at a time; keys asked for meanwhile go into the next one, up to a thousand', async () => {
  const { lookup, queries, answerAll, hold } = stage();
  hold('first', 'shop_a');
  const first = lookup.ask(sha256Of('first'));
  const others = Array.from({ length: 1_500 }, (_, index) => lookup.ask(sha256Of(`other ${index}`)));
  assert.equal(queries.length, 1);
  await answerAll();
  assert.deepEqual(await first, holderIn('shop_a'));
  assert.deepEqual(new Set(await Promise.all(others)), new Set([null]));
  assert.deepEqual(
    queries.map(({ digests }) => digests.length),
    [1, 1_000, 500],
  );
});

test('an unknown key is remembered for 10 s, or until a key may have been created', async () => {
  const { world, lookup, answerAll } = stage();
  const digest = sha256Of('wrong');
  const miss = async () => {
    const asked = lookup.ask(digest);
    await answerAll();
    assert.equal(await asked, null);
  };
  assert.ok(!lookup.isMiss(digest));
  await miss();
  world.nowMs = 9_999;
  assert.ok(lookup.isMiss(digest));
  world.nowMs = 10_000;
  assert.ok(!lookup.isMiss(digest));
  await miss();
  assert.ok(lookup.isMiss(digest));
  lookup.changed('shop_a');
  assert.ok(!lookup.isMiss(digest));
  const asked = lookup.ask(digest);
  lookup.changed('shop_a');
  await answerAll();
  assert.equal(await asked, null);
  assert.ok(!lookup.isMiss(digest), 'the key may have been made after it was asked for');
});

test('a key is asked for again if the keys of its shop may have changed during the query', async () => {
  for (const changed of ['shop_a', null]) {
    const { lookup, queries, world, answerAll, hold } = stage();
    hold('revoked', 'shop_a');
    const asked = lookup.ask(sha256Of('revoked'));
    world.holders.clear();
    lookup.changed(changed);
    await answerAll();
    assert.equal(await asked, null);
    assert.equal(queries.length, 2);
  }
});

test('writes to other shops do not hold up an answer, however many there are', async () => {
  const { lookup, queries, answerAll, hold } = stage();
  hold('known', 'shop_a');
  const asked = lookup.ask(sha256Of('known'));
  lookup.changed('shop_b');
  await answerAll();
  assert.deepEqual(await asked, holderIn('shop_a'));
  assert.equal(queries.length, 1);
});
