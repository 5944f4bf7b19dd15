/** The text that goes along with an event is the event's own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewRecord } from '../../src/log/event-log.ts';
import { EVENT_TEXT, eventTextOf } from '../../src/log/event-text.ts';
import { encodeRecord, NO_PREVIOUS_HASH } from '../../src/log/record-codec.ts';
import { randomHistory } from './log-fixture.ts';

test('a record is stored the same, whether the text of its event was made before or not', () => {
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
