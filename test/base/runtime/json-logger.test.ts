import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJsonLogger } from '../../../src/base/runtime/json-logger.ts';

function linesOf(level: 'info' | 'silent', write: (logger: ReturnType<typeof createJsonLogger>) => void) {
  const lines: string[] = [];
  write(createJsonLogger(level, { write: (line: string) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('each event is one JSON line with time, level and name', () => {
  const [line, ...rest] = linesOf('info', (logger) =>
    logger.warn('shop.loaded', { shopId: 'shop_a', ms: 3 }),
  );
  assert.deepEqual(rest, []);
  assert.equal(line?.['level'], 'warn');
  assert.equal(line?.['event'], 'shop.loaded');
  assert.equal(line?.['shopId'], 'shop_a');
  assert.equal(line?.['ms'], 3);
  assert.match(String(line?.['time']), /^\d{4}-\d\d-\d\dT/);
});

test('lines below the level are not written', () => {
  assert.deepEqual(
    linesOf('info', (logger) => logger.debug('shop.loaded')),
    [],
  );
  assert.deepEqual(
    linesOf('silent', (logger) => logger.fatal('process.failed')),
    [],
  );
});

test('no header, secret or address is logged', () => {
  const fields = {
    authorization: 'x',
    Authorization: 'x',
    requestHeaders: 'x',
    keySecret: 'x',
    'api-key': 'x',
    secretSha256: 'x',
    destinationCity: 'x',
    postalCode: 'x',
    address1: 'x',
    keyId: 'key_1',
  };
  const [line] = linesOf('info', (logger) => logger.info('request.refused', fields));
  assert.deepEqual(Object.keys(line ?? {}).sort(), ['event', 'keyId', 'level', 'pid', 'time']);
});

test('an error is logged with its message and its stack', () => {
  const [line] = linesOf('info', (logger) =>
    logger.error('append.failed', { cause: new Error('disk full') }),
  );
  assert.equal(line?.['cause'], 'disk full');
  assert.match(String(line?.['causeStack']), /^Error: disk full\n/);
});
