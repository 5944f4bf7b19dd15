/** The text that is passed along with an event is the JSON of the event. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeCounts, Version } from '../../../src/engine/domain/version.ts';
import { EVENT_TEXT, type NewRecord } from '../../../src/store/log/event-log.ts';
import { encodeRecord, eventTextOf, NO_PREVIOUS_HASH } from '../../../src/store/log/record-codec.ts';
import { randomHistory } from './lmdb/log-fixture.ts';

test('a record has the same stored form, whether the text of its event was made before or not', () => {
  for (let seed = 1; seed <= 20; seed++) {
    for (const { atMs, event, answer } of randomHistory(seed, 'shop_a')) {
      const text = eventTextOf(event);
      assert.equal(text.event, JSON.stringify(event));
      assert.equal(text.version, 'version' in event ? JSON.stringify(event.version) : null);
      const record: NewRecord = { atMs, event, ...(answer === undefined ? {} : { answer }) };
      const stored = encodeRecord('shop_a', 7, NO_PREVIOUS_HASH, { ...record, [EVENT_TEXT]: text });
      assert.ok(stored.equals(encodeRecord('shop_a', 7, NO_PREVIOUS_HASH, record)));
    }
  }
});

test('the text of a version has every field that a version has', () => {
  for (const { event } of randomHistory(1, 'shop_a')) {
    const { version } = eventTextOf(event);
    if (version === null) continue;
    const read = JSON.parse(version);
    // Only a promotion of a named changeset has its name and note.
    const expected = Object.keys(Version.properties).filter((name) => name !== 'changeset' || name in read);
    assert.deepEqual(Object.keys(read), expected);
    assert.deepEqual(Object.keys(read.changes), Object.keys(ChangeCounts.properties));
  }
});
