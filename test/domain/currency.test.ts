/** Currencies: what is in force, or was of late, is taken; what is no money is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCurrency } from '../../src/domain/currency.ts';

test('codes in force that the runtime lacks, and codes withdrawn recently, are currencies', () => {
  for (const code of ['VED', 'XCG', 'CLF', 'CHW', 'BOV', 'USN', 'HRK', 'BGN'])
    assert.ok(isCurrency(code), code);
});

test('currencies of shops are', () => {
  for (const code of 'USD EUR GBP JPY CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN INR ZAR XOF XDR'.split(
    ' ',
  )) {
    assert.ok(isCurrency(code), code);
  }
});

test('metals, codes for tests, unassigned ones and lower case are not', () => {
  for (const code of ['XAU', 'XTS', 'QQQ', 'ZZZ', 'usd', 'US', 'USDX', '', ' ']) {
    assert.ok(!isCurrency(code), code);
  }
});
