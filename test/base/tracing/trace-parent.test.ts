/** What counts as a `traceparent`, by W3C Trace Context. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTraceParent } from '../../../src/base/tracing/trace-parent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const text = (version: string, flags: string, rest = ''): string =>
  `${version}-${TRACE}-${SPAN}-${flags}${rest}`;

test('trace, span and the bit that says sampled are read, whatever the other bits are', () => {
  const named = { traceId: TRACE, spanId: SPAN };
  for (const flags of ['01', '03', 'ff']) {
    assert.deepEqual(parseTraceParent(text('00', flags)), { ...named, isSampled: true });
  }
  for (const flags of ['00', '02', 'fe']) {
    assert.deepEqual(parseTraceParent(text('00', flags)), { ...named, isSampled: false });
  }
});

test('a later version may have more after a dash, version 00 may not, and ff is none', () => {
  const expected = { traceId: TRACE, spanId: SPAN, isSampled: true };
  for (const later of [
    text('01', '01'),
    text('cc', '01', '-what-the-future-brings'),
    text('fe', '01', '-'),
  ]) {
    assert.deepEqual(parseTraceParent(later), expected, later);
  }
  for (const bad of [
    text('00', '01', '-'),
    text('00', '01', '-x'),
    text('01', '01', 'x'),
    text('ff', '01'),
  ]) {
    assert.equal(parseTraceParent(bad), null, bad);
  }
});

test('ids of zeros alone, capitals, other lengths, other characters and two values are ignored', () => {
  const good = text('00', '01');
  assert.notEqual(parseTraceParent(good), null);
  for (const bad of [
    '',
    good.replace(TRACE, '0'.repeat(32)),
    good.replace(SPAN, '0'.repeat(16)),
    good.toUpperCase(),
    good.replace(TRACE, TRACE.slice(1)),
    good.replace(SPAN, `${SPAN}0`),
    good.replace('f', 'g'),
    good.replaceAll('-', '_'),
    good.slice(0, -1),
    ` ${good}`,
    `${good},${good}`,
  ]) {
    assert.equal(parseTraceParent(bad), null, bad);
  }
});
