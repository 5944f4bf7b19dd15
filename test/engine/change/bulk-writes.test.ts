/** Writes of a large configuration: the state before them stays as it was, and the size of a staged one is known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEvent } from '../../../src/engine/change/apply.ts';
import type { Command, Decision } from '../../../src/engine/change/command.ts';
import { decide } from '../../../src/engine/change/decide.ts';
import type { ShopState } from '../../../src/engine/domain/shop-event.ts';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { deepFreeze, PLANS } from './trial-shop.ts';

const METHODS = 2_000;

let seeds = 0;

function decided(state: ShopState | null, command: Command): Decision {
  const outcome = decide(state, command, {
    now: '2026-01-01T00:00:00.000Z',
    seed: String(++seeds).padStart(22, '0'),
    keyId: null,
    batchId: null,
    plans: PLANS,
    findVersion: () => null,
  });
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

const largeData = (subtitle: string): ConfigData => ({
  zones: [{ id: 'zone_a', name: 'A', countries: ['US'] }],
  methods: Array.from({ length: METHODS }, (_, at) => ({
    id: `method_${at}`,
    name: `M${at}`,
    subtitle,
    zoneId: 'zone_a',
    rateType: 'flat' as const,
    config: { price: at },
    rules: Array.from({ length: 5 }, (_, rule) => ({
      id: `rule_${at}_${rule}`,
      action: 'hide' as const,
      conditions: [{ conditionType: 'cart_total' as const, operator: 'equals' as const, value: `${at}` }],
    })),
  })),
});

function largeShop(): ShopState {
  const settings = { id: 'a', name: 'A', currency: 'USD', timezone: 'UTC', plan: 'enterprise' };
  const { state } = decided(null, { kind: 'createShop', settings });
  return decided(state, { kind: 'executeConfig', data: largeData('') }).state;
}

test('a bulk write leaves the state before it as it was', () => {
  const state = deepFreeze(largeShop());
  const text = JSON.stringify(state);
  const { state: after } = decided(state, { kind: 'executeConfig', data: largeData('new') });
  assert.equal(JSON.stringify(state), text);
  assert.equal(after.config.methods.length, METHODS);
  assert.ok(after.config.methods.every(({ subtitle }) => subtitle === 'new'));
});

test('the size of a staged bulk write is about that of its text', () => {
  const { state } = decided(largeShop(), { kind: 'enterStaging' });
  const { state: after } = decided(state, { kind: 'executeConfig', data: largeData('new') });
  const [write] = after.staging?.writes ?? [];
  assert.ok(write !== undefined);
  const { length } = JSON.stringify(write.change);
  assert.ok(length > 100_000 && Math.abs(write.size - length) < length / 10, `${write.size} for ${length}`);
});

test('a bulk change and a small one, read from the log, give the state of their decisions', () => {
  const before = largeShop();
  const data = largeData('');
  const methods = (data.methods ?? []).map(({ rules, ...method }) => ({
    ...method,
    rules: rules?.slice(1) ?? [],
  }));
  const bulk = decided(before, { kind: 'executeConfig', data: { ...data, methods } });
  const small = decided(bulk.state, { kind: 'deleteRule', id: 'rule_7_1' });
  let state: ShopState = JSON.parse(JSON.stringify(before));
  for (const { events, state: after } of [bulk, small]) {
    for (const event of JSON.parse(JSON.stringify(events)) as typeof events) state = applyEvent(state, event);
    assert.deepEqual(state, after);
  }
});
