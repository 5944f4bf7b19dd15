/** Records and checkpoints are decoded as they were encoded, or refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeCheckpoint, encodeCheckpoint, packImage } from '../../../src/store/log/checkpoint-codec.ts';
import { DamagedLogError, EVENT_TEXT, type NewRecord } from '../../../src/store/log/event-log.ts';
import {
  decodeRecord,
  encodeRecord,
  eventTextOf,
  HASH_BYTES,
  hashRecord,
  NO_HEAD,
  NO_PREVIOUS_HASH,
} from '../../../src/store/log/record-codec.ts';
import { encodeGroup } from './encoded-records.ts';
import { answeredRecord, keyRecord, START_MS, settingsRecord } from './sample-records.ts';

const isDamage = (error: unknown) => error instanceof DamagedLogError && error.shopId === 'shop_a';

const shopId = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const hash = fc
  .uint8Array({ minLength: HASH_BYTES, maxLength: HASH_BYTES })
  .map((bytes) => Buffer.from(bytes));
const anyRecord: fc.Arbitrary<NewRecord> = fc
  .record({ name: fc.string({ unit: 'binary' }), key: fc.option(fc.string()), atMs: fc.maxSafeNat() })
  .map(({ name, key, atMs }) =>
    key === null ? settingsRecord(name, atMs) : answeredRecord(name, key, atMs),
  );

test('any record is decoded with its number, its time and the hash of the record before', () => {
  fc.assert(
    fc.property(shopId, fc.maxSafeNat(), hash, anyRecord, (shop, number, previousHash, record) => {
      const decoded = decodeRecord(encodeRecord(shop, number, previousHash, record), shop, number);
      assert.deepEqual(decoded.record, { ...record, sequenceNumber: number });
      assert.ok(decoded.previousHash.equals(previousHash));
    }),
  );
});

test('groups of the same records have other bytes, whether their records are long, answered or have a known text', () => {
  const known = settingsRecord('known');
  const records: readonly NewRecord[] = [
    settingsRecord('short'),
    settingsRecord('é'.repeat(150_000)),
    { ...known, [EVENT_TEXT]: eventTextOf(known.event) },
    answeredRecord('answered', 'key_1', START_MS),
    {
      ...answeredRecord('both', 'key_1', START_MS),
      [EVENT_TEXT]: eventTextOf(answeredRecord('both', 'key_1', START_MS).event),
    },
  ];
  for (const record of records) {
    const [one, other] = [encodeGroup('shop_a', NO_HEAD, [record]), encodeGroup('shop_a', NO_HEAD, [record])];
    const [mine, theirs] = [one.records[0] ?? assert.fail(), other.records[0] ?? assert.fail()];
    assert.ok(!mine.hash.equals(theirs.hash));
    for (const { stored } of [mine, theirs]) {
      const { [EVENT_TEXT]: _, ...plain } = record;
      assert.deepEqual(decodeRecord(stored, 'shop_a', 1).record, { ...plain, sequenceNumber: 1 });
    }
  }
});

test('a group is a chain of the same records', () => {
  const records = [keyRecord('key_1', 'secret'), settingsRecord('é'.repeat(150_000)), settingsRecord(2)];
  const group = encodeGroup('shop_a', NO_HEAD, records);
  let previousHash = NO_PREVIOUS_HASH;
  for (const [index, { sequenceNumber, hash: own, stored }] of group.records.entries()) {
    const decoded = decodeRecord(stored, 'shop_a', index + 1);
    assert.deepEqual(decoded.record, { ...records[index], sequenceNumber });
    assert.ok(decoded.previousHash.equals(previousHash));
    previousHash = hashRecord(stored);
    assert.ok(own.equals(previousHash));
  }
  assert.equal(group.records.length, records.length);
});

test('any checkpoint is decoded with the hash of its record', async () => {
  await fc.assert(
    fc.asyncProperty(shopId, fc.maxSafeNat(), hash, fc.string(), async (shop, number, recordHash, text) => {
      const image = JSON.stringify(text);
      const stored = encodeCheckpoint(shop, number, await packImage(Buffer.from(image)), recordHash);
      const decoded = decodeCheckpoint(stored, shop, number);
      assert.deepEqual([decoded.sequenceNumber, decoded.image], [number, image]);
      assert.ok(decoded.recordHash.equals(recordHash));
    }),
  );
});

test('every flipped bit of a record and of a checkpoint is detected', async () => {
  const record = encodeRecord('shop_a', 7, hashRecord(Buffer.from('6')), keyRecord('key_1', 'secret'));
  const checkpoint = encodeCheckpoint(
    'shop_a',
    7,
    await packImage(Buffer.from('{"a":"é"}')),
    hashRecord(record),
  );
  for (const [stored, decode] of [
    [record, decodeRecord],
    [checkpoint, decodeCheckpoint],
  ] as const) {
    for (let bit = 0; bit < stored.length * 8; bit++) {
      const flipped = Buffer.from(stored);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.throws(() => decode(flipped, 'shop_a', 7), isDamage, `bit ${bit}`);
    }
  }
});

test('a record that is cut anywhere, or followed by further bytes, is refused', () => {
  const stored = encodeRecord('shop_a', 1, NO_PREVIOUS_HASH, settingsRecord(1));
  for (let length = 0; length < stored.length; length++) {
    assert.throws(() => decodeRecord(stored.subarray(0, length), 'shop_a', 1), isDamage, `${length} bytes`);
  }
  assert.throws(() => decodeRecord(Buffer.concat([stored, Buffer.alloc(1)]), 'shop_a', 1), isDamage);
});

test('a record under another shop or number is refused', () => {
  const stored = encodeRecord('shop_b', 3, NO_PREVIOUS_HASH, settingsRecord(1));
  assert.throws(() => decodeRecord(stored, 'shop_a', 3), /it belongs to another shop/);
  assert.throws(() => decodeRecord(stored, 'shop_b', 4), /it carries the number 3/);
});

test('a record is not read as a checkpoint, and an unknown format version is refused', () => {
  const stored = encodeRecord('shop_a', 1, NO_PREVIOUS_HASH, settingsRecord(1));
  assert.throws(() => decodeCheckpoint(stored, 'shop_a', 1), isDamage);
  stored[3] = 2;
  assert.throws(() => decodeRecord(stored, 'shop_a', 1), /unknown format version 2/);
});

test('the stored image of a large shop is a fraction of its text', async () => {
  const methods = Array.from({ length: 500 }, (_, at) => ({
    id: `method_${at}`,
    name: `Parcel ${at}`,
    price: at,
  }));
  const image = JSON.stringify({ methods });
  assert.ok((await packImage(Buffer.from(image))).length < image.length / 4);
});

test('a checkpoint whose image is cut or not compressed is refused', async () => {
  const plain = encodeCheckpoint('shop_a', 7, Buffer.from('{"a":"é"}'), NO_PREVIOUS_HASH);
  assert.throws(() => decodeCheckpoint(plain, 'shop_a', 7), /its image cannot be unpacked/);
  const packed = await packImage(Buffer.from('{"a":"é"}'));
  const cut = encodeCheckpoint('shop_a', 7, packed.subarray(0, packed.length - 2), NO_PREVIOUS_HASH);
  assert.throws(() => decodeCheckpoint(cut, 'shop_a', 7), isDamage);
});

test('the stored form of a record does not change', () => {
  const withoutNote = (name: string, value: unknown) => (name === 'audit' ? undefined : value);
  const record = JSON.parse(JSON.stringify(settingsRecord('é', START_MS), withoutNote)) as NewRecord;
  const stored = encodeRecord('shop_a', 2 ** 32 + 5, Buffer.alloc(32, 0xab), record);
  assert.equal(
    stored.toString('hex', 0, 63),
    `52575201${stored.toString('hex', 4, 8)}0000000100000005${START_MS.toString(16).padStart(16, '0')}` +
      `${'ab'.repeat(32)}06${Buffer.from('shop_a').toString('hex')}`,
  );
  assert.equal(
    stored.toString('utf8', 63),
    '{"event":{"kind":"settingsChanged","settings":{"id":"shop_x","name":"Shop é","currency":"USD",' +
      '"timezone":"Etc/UTC","plan":"starter"}}}',
  );
  assert.equal(stored.readUInt32BE(4), 2_479_409_510);
});

test('values that no record can hold are a bug of the caller', () => {
  const encode = (shop: string, number: number, atMs: number) =>
    encodeRecord(shop, number, NO_PREVIOUS_HASH, settingsRecord(1, atMs));
  for (const shop of ['', 'a b', 'x'.repeat(65), 'é', '../x'])
    assert.throws(() => encode(shop, 1, 0), RangeError);
  for (const number of [-1, 0.5, Number.NaN, 2 ** 53]) {
    assert.throws(() => encode('shop_a', number, 0), RangeError);
    assert.throws(() => encode('shop_a', 1, number), RangeError);
  }
});
