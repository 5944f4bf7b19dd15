/**
 * Orders of the steps of one write and one renewal, with a join, a lapse and a failover: in none of them an
 * answer without a mark lacks a write that was acknowledged before it. The long form, every order:
 * `RATEWRIGHT_ORDERS=100000 npm test -- cluster/interleavings`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Exploration, SCENARIOS } from './interleavings.ts';
import { outputOf, PROJECT } from './program-output.ts';

const ORDERS = Number(process.env['RATEWRIGHT_ORDERS'] ?? 400);
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? Date.now() % 1_000_000);

test(`none of ${ORDERS} orders of a write and a renewal shows an answer that is stale and not marked`, (context) => {
  context.diagnostic(`seed ${SEED}`);
  const explorations = outputOf<Exploration[]>(PROJECT, 'run-interleavings', [ORDERS, SEED]);
  for (const { scenario, states, orders, told, failed } of explorations) {
    assert.equal(
      failed,
      null,
      failed === null ? '' : `${scenario}: ${failed.promise}\n${failed.order.join('\n')}`,
    );
    context.diagnostic(
      `${scenario}: ${states} states by ${orders} orders; ${told} answers without a mark show the write`,
    );
    assert.ok(told > 0);
  }
  assert.equal(explorations.length, SCENARIOS.length);
});
