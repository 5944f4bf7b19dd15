/** Decisions in steps: pieces of bounded work in a large shop, and no more of it than a write is worth. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { applyEventSteps } from '../../src/change/apply.ts';
import type { Command } from '../../src/change/command.ts';
import { decide, decideSteps } from '../../src/change/decide.ts';
import type { Decision, DecisionContext } from '../../src/change/decision.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import { STEP_UNITS, WorkMeter } from '../../src/pace/work-steps.ts';
import type { ConfigData } from '../../src/wire/write-bodies.ts';
import { deepFreeze, PLANS } from './trial-shop.ts';

const METHODS = 2_000;
/** What one undivided piece of work adds to a step at most: a record with all its lists. */
const RECORD_UNITS_MAX = STEP_UNITS / 4;

let seeds = 0;
const context = (): DecisionContext => ({
  now: '2026-01-01T00:00:00.000Z',
  seed: String(++seeds).padStart(22, '0'),
  keyId: null,
  batchId: null,
  plans: PLANS,
  findVersion: () => null,
});

function decided(state: ShopState | null, command: Command, at = context()): Decision {
  const outcome = decide(state, command, at);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

const largeData = (subtitle: string): ConfigData => ({
  zones: [
    {
      id: 'zone_a',
      name: 'A',
      countries: ['US'],
      subzones: [
        {
          id: 'sub_a',
          name: 'S',
          postalCodes: Array.from({ length: 20_000 }, (_, at) => `${10_000 + at}`).join(),
        },
      ],
    },
  ],
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

/** Decides in steps and at once, each of its own; returns the first with the units of each step. */
function inSteps(
  state: ShopState,
  command: Command,
): { readonly decision: Decision; readonly units: number[] } {
  const at = context();
  const steps = decideSteps(state, command, at, new WorkMeter());
  const units: number[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      assert.ok(step.value.ok, JSON.stringify(step.value));
      return { decision: step.value.value, units };
    }
    units.push(step.value);
    assert.ok(step.value <= STEP_UNITS + RECORD_UNITS_MAX, `a step of ${step.value} units`);
  }
}

test('a bulk write is many steps, each bounded, and leaves the state before it as it was', () => {
  const state = deepFreeze(largeShop());
  const text = JSON.stringify(state);
  const command: Command = { kind: 'executeConfig', data: largeData('new') };
  const { decision, units } = inSteps(state, command);
  assert.ok(units.length > 10, `${units.length} steps`);
  assert.equal(JSON.stringify(state), text);
  assert.equal(decision.state.config.methods.length, METHODS);
  assert.ok(decision.state.config.methods.every(({ subtitle }) => subtitle === 'new'));
});

test('a bulk write that is staged is as many steps, and nothing large is worded to weigh it', () => {
  const state = decided(largeShop(), { kind: 'enterStaging' }).state;
  const command: Command = { kind: 'executeConfig', data: largeData('new') };
  const { units } = inSteps(state, command);
  assert.ok(units.length > 10, `${units.length} steps`);
  const stringify = mock.method(JSON, 'stringify');
  const outcome = decide(state, command, context());
  const worded = Math.max(0, ...stringify.mock.calls.map(({ result }) => String(result).length));
  stringify.mock.restore();
  assert.ok(worded < 10_000, `${worded} characters`);
  assert.ok(outcome.ok);
  const [write] = outcome.value.state.staging?.writes ?? [];
  assert.ok(write !== undefined);
  const { length } = JSON.stringify(write.change);
  assert.ok(length > 100_000 && Math.abs(write.size - length) < length / 10, `${write.size} for ${length}`);
});

test('the first small write pays for the indexes in steps, the next ones for no more than a step', () => {
  let state = largeShop();
  const first = inSteps(state, { kind: 'deleteRule', id: 'rule_7_1' });
  assert.ok(first.units.length > 2, `${first.units.length} steps`);
  state = first.decision.state;
  const small: readonly Command[] = [
    {
      kind: 'createMethod',
      body: { name: 'M7', zoneId: 'zone_a', rateType: 'flat', config: { price: 1 } },
    },
    { kind: 'updateMethod', id: 'method_9', body: { name: 'Other', position: 0 } },
    { kind: 'deleteMethod', id: `method_${METHODS - 1}` },
    { kind: 'updateRule', id: 'rule_9_0', body: { enabled: false } },
    { kind: 'deleteRule', id: 'rule_9_1' },
    { kind: 'createGroup', body: { name: 'G' } },
  ];
  for (const command of small) {
    const { decision, units } = inSteps(state, command);
    assert.deepEqual(units, [], command.kind);
    state = decision.state;
  }
  const group = state.config.productGroups.at(-1);
  assert.ok(group !== undefined);
  assert.deepEqual(inSteps(state, { kind: 'deleteGroup', id: group.id }).units, []);
});

test('the write of a zone is bounded steps, and the next small write pays for the index of zones in steps', () => {
  const patterns = Array.from({ length: 50 }, (_, at) => `${10_000 + at}*`).join();
  const subzones = (count: number, zone: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `sub_${zone}_${at}`, name: 'S', postalCodes: patterns }));
  const zones = Array.from({ length: 100 }, (_, at) => ({
    id: `zone_${at}`,
    name: `Z${at}`,
    countries: ['US'],
    subzones: subzones(100, at),
  }));
  const empty = decided(null, {
    kind: 'createShop',
    settings: { id: 'a', name: 'A', currency: 'USD', timezone: 'UTC', plan: 'enterprise' },
  }).state;
  let { state } = decided(empty, { kind: 'executeConfig', data: { zones } });
  const createMethod: Command = {
    kind: 'createMethod',
    body: { name: 'A', zoneId: 'zone_1', rateType: 'free' },
  };
  state = inSteps(state, createMethod).decision.state;
  const writes: readonly Command[] = [
    { kind: 'createZone', body: { name: 'New', countries: ['CA'], subzones: subzones(200, 0) } },
    { kind: 'updateZone', id: 'zone_1', body: { subzones: subzones(200, 1) } },
    { kind: 'deleteZone', id: 'zone_2' },
  ];
  for (const command of writes) {
    const { decision, units } = inSteps(state, command);
    // To read the patterns, and the ids of the other zones where one is new to this one.
    if (command.kind !== 'deleteZone') assert.ok(units.length > 3, `${command.kind}: ${units.length} steps`);
    const next = inSteps(decision.state, createMethod);
    assert.ok(next.units.length > 3, `after ${command.kind}: ${next.units.length} steps`);
    state = next.decision.state;
    assert.deepEqual(inSteps(state, createMethod).units, []);
  }
  // A name alone: nothing else is looked at.
  assert.deepEqual(inSteps(state, { kind: 'updateZone', id: 'zone_3', body: { name: 'C' } }).units, []);
});

test('changes that were read from the log are applied in steps, also the first small one', () => {
  const before = largeShop();
  const data = largeData('');
  const methods = data.methods?.map(({ rules, ...method }) => ({ ...method, rules: rules?.slice(1) ?? [] }));
  const bulk = decided(before, { kind: 'executeConfig', data: { ...data, methods: methods ?? [] } });
  const small = decided(bulk.state, { kind: 'deleteRule', id: 'rule_7_1' });
  let state: ShopState = JSON.parse(JSON.stringify(before));
  for (const { events, state: after } of [bulk, small]) {
    const meter = new WorkMeter();
    // Half a step is done already: the index of as many methods is less than one.
    meter.spend(STEP_UNITS / 2);
    const [event] = JSON.parse(JSON.stringify(events)) as typeof events;
    assert.ok(event !== undefined);
    const steps = applyEventSteps(state, event, meter);
    const units: number[] = [];
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) units.push(step.value);
    assert.ok(units.length > 0 && Math.max(...units) <= STEP_UNITS + RECORD_UNITS_MAX, `${units}`);
    state = step.value;
    assert.deepEqual(state, after);
  }
});
