import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseIsoTime } from '../../../src/engine/domain/iso-time.ts';

test('a date, a time of day and an offset are accepted', () => {
  const noon = Date.parse('2026-11-18T12:00:00.000Z');
  const forms = [
    ...['2026-11-18T12:00Z', '2026-11-18T12:00:00Z', '2026-11-18T12:00:00.000Z'],
    ...['2026-11-18T13:00:00+01:00', '2026-11-18T06:30:00-05:30', '2026-11-18T12:00:00.000999999Z'],
    ...['2026-11-18T12:00:00-00:00'],
  ];
  for (const form of forms) assert.equal(parseIsoTime(form), noon, form);
  assert.equal(parseIsoTime('2024-02-29T00:00Z'), Date.parse('2024-02-29'));
  assert.equal(parseIsoTime('0000-01-01T00:00Z'), Date.parse('0000-01-01'));
});

test('a text that lacks one of them, or names a time that does not exist, is refused', () => {
  const others = [
    ...['', 'now', '2026-11-18', '2026-11-18T12:00', '2026-11-18 12:00Z', '2026-11-18t12:00z'],
    ...['2026-11-18T12Z', '2026-11-18T24:00Z', '2026-11-18T12:60Z', '2026-11-18T12:00:60Z'],
    ...['2026-11-18T12:00:00,5Z', '2026-11-18T12:00:00.Z', '2026-11-18T12:00:00.1234567890Z'],
    ...['2026-11-18T12:00+0100', '2026-11-18T12:00+24:00', '2026-11-18T12:00 01:00'],
    ...['2026-00-18T12:00Z', '2026-13-18T12:00Z', '2026-11-00T12:00Z', '2026-11-31T12:00Z'],
    ...['2025-02-29T12:00Z', '2026-02-30T12:00Z', '+002026-11-18T12:00Z', '2026-11-18T12:00Z '],
    ...['2026-11-18T12:00Z\n'],
  ];
  for (const other of others) assert.equal(parseIsoTime(other), null, other);
});

test('every time is read back from its own text', () => {
  const bounds = { min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(bounds), (date) => {
      assert.equal(parseIsoTime(date.toISOString()), date.getTime());
    }),
  );
});
