/** Bisect over a history whose old records were removed before, or are removed while it reads (contract section 10.3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeImage } from '../../../src/engine/change/state-image.ts';
import { accepted, openShop, refusal, request, SHOP } from '../actor/shop-stage.ts';

const VERSIONS = 12;
const CART = {
  request: { destination: { country: 'US' }, items: [{ quantity: 1, grams: 100, price: 1_000 }] },
  nowMs: Date.UTC(2026, 0, 5),
  serviceCode: null,
};

/** A shop whose only rate costs as many cents as the version has as its number, from version 2 on; its ids by number. */
async function pricedShop() {
  const { stage, shop } = await openShop();
  const write = async (command: Parameters<typeof request>[0]) =>
    accepted(await shop.write(request(command))).versionId;
  const ids = ['', shop.state.version.id];
  const zones = [{ id: 'zone_us', name: 'US', countries: ['US'] }];
  const method = { id: 'method_a', name: 'A', zoneId: 'zone_us', rateType: 'flat' as const };
  for (let number = 2; number <= VERSIONS; number++) {
    const config = { price: number };
    ids.push(
      await write(
        number === 2
          ? { kind: 'executeConfig', data: { zones, methods: [{ ...method, config }] } }
          : { kind: 'updateMethod', id: method.id, body: { config } },
      ),
    );
    // Record 7 makes no version: version 6 is in force where a log begins that is trimmed there.
    if (number === 6) await write({ kind: 'updateShop', body: { name: 'B' } });
    const sequenceNumber = stage.log.lastSequenceNumber(SHOP);
    if (number !== 5 && number !== 6) continue;
    await stage.log.writeCheckpoint(SHOP, { sequenceNumber, image: writeImage(shop.state) });
  }
  const flips = (from: string | null) => {
    const outcome = shop.bisect(CART, from, ids[VERSIONS] ?? '');
    assert.ok(outcome.ok, JSON.stringify(outcome));
    assert.equal(outcome.value.limited, false);
    return outcome.value.flips.map(({ version, before, after }) => {
      assert.deepEqual(
        [after[0]?.totalPrice, before[0]?.totalPrice ?? 1],
        [version.number, version.number - 1],
      );
      return version.number;
    });
  };
  return { log: stage.log, shop, ids, flips };
}

const numbers = (first: number): number[] =>
  Array.from({ length: VERSIONS - first + 1 }, (_, index) => first + index);

test('begins with the oldest version that is kept; a removed one is unknown', async () => {
  const { log, shop, ids, flips } = await pricedShop();
  assert.deepEqual(flips(null), numbers(2));
  assert.equal(await log.trim(SHOP, 7), 7);
  assert.deepEqual(flips(null), numbers(8));
  assert.deepEqual(flips(ids[9] ?? ''), numbers(10));
  assert.equal(refusal(shop.bisect(CART, ids[6] ?? '', ids[VERSIONS] ?? '')), 'NOT_FOUND');
});

test('reads again when records are removed meanwhile: from the oldest that is left, or a named one is unknown', async () => {
  for (const named of [false, true]) {
    const { log, shop, ids, flips } = await pricedShop();
    const read = log.read.bind(log);
    let reads = 0;
    log.read = (shopId, after, upTo) => {
      // Only the changes are read up to the last record.
      if (upTo === VERSIONS + 1 && ++reads === 1) void log.trim(SHOP, 7);
      return read(shopId, after, upTo);
    };
    if (named) assert.equal(refusal(shop.bisect(CART, ids[2] ?? '', ids[VERSIONS] ?? '')), 'NOT_FOUND');
    else assert.deepEqual(flips(null), numbers(8));
    assert.equal(reads, named ? 1 : 2);
  }
});
