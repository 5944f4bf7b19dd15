/** Currencies: codes in force and recently withdrawn codes are accepted, other codes are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCurrency } from '../../../src/engine/domain/currency.ts';

test('codes in force that the runtime lacks and recently withdrawn codes are accepted', () => {
  for (const code of ['VED', 'XCG', 'CLF', 'CHW', 'BOV', 'USN', 'HRK', 'BGN'])
    assert.ok(isCurrency(code), code);
});

test('common currencies of shops are accepted', () => {
  for (const code of 'USD EUR GBP JPY CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN INR ZAR XOF XDR'.split(
    ' ',
  )) {
    assert.ok(isCurrency(code), code);
  }
});

test('metals, test codes, unassigned codes and lower case are refused', () => {
  for (const code of ['XAU', 'XTS', 'QQQ', 'ZZZ', 'usd', 'US', 'USDX', '', ' ']) {
    assert.ok(!isCurrency(code), code);
  }
});
