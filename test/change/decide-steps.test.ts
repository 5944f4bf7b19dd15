/** Decisions in steps: in a large shop they may yield after each record, and a small write looks at few records. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { applyEventSteps } from '../../src/change/apply.ts';
import type { Command, Decision, DecisionContext } from '../../src/change/command.ts';
import { decide, decideSteps } from '../../src/change/decide.ts';
import { MethodIndex } from '../../src/change/references.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import type { ConfigData } from '../../src/wire/write-bodies.ts';
import { everyNth, runUnderSchedules, runWork } from '../support/yield-schedules.ts';
import { deepFreeze, PLANS } from './trial-shop.ts';

const METHODS = 2_000;
/** More questions than a write asks that looks at few records besides its own. */
const FEW_QUESTIONS = METHODS / 10;

/** The writer of a shop has one index for all writes. */
const index = new MethodIndex();

let seeds = 0;
const context = (): DecisionContext => ({
  now: '2026-01-01T00:00:00.000Z',
  seed: String(++seeds).padStart(22, '0'),
  keyId: null,
  batchId: null,
  plans: PLANS,
  findVersion: () => null,
  index,
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

/** Decides once, and tells how often the decision asked whether it should yield. */
function inSteps(
  state: ShopState,
  command: Command,
): { readonly decision: Decision; readonly questions: number } {
  const at = context();
  const { value, questions } = runWork(
    (shouldYield) => decideSteps(state, command, at, shouldYield),
    everyNth(7),
  );
  assert.ok(value.ok, JSON.stringify(value));
  return { decision: value.value, questions };
}

test('a bulk write may yield after each method, and leaves the state before it as it was', () => {
  const state = deepFreeze(largeShop());
  const text = JSON.stringify(state);
  const command: Command = { kind: 'executeConfig', data: largeData('new') };
  const { decision, questions } = inSteps(state, command);
  assert.ok(questions >= METHODS, `${questions} questions`);
  assert.equal(JSON.stringify(state), text);
  assert.equal(decision.state.config.methods.length, METHODS);
  assert.ok(decision.state.config.methods.every(({ subtitle }) => subtitle === 'new'));
});

test('a staged bulk write may yield after each method, and measuring its size makes no large text', () => {
  const state = decided(largeShop(), { kind: 'enterStaging' }).state;
  const command: Command = { kind: 'executeConfig', data: largeData('new') };
  const { questions } = inSteps(state, command);
  assert.ok(questions >= METHODS, `${questions} questions`);
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

test('the first small write after a load indexes the methods and may yield after each; the next ones look at few records', () => {
  // As read from the log: its lists are new.
  let state: ShopState = structuredClone(largeShop());
  const first = inSteps(state, { kind: 'deleteRule', id: 'rule_7_1' });
  assert.ok(first.questions >= METHODS, `${first.questions} questions`);
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
    const { decision, questions } = inSteps(state, command);
    assert.ok(questions < FEW_QUESTIONS, `${command.kind}: ${questions} questions`);
    state = decision.state;
  }
  const group = state.config.productGroups.at(-1);
  assert.ok(group !== undefined);
  const { questions } = inSteps(state, { kind: 'deleteGroup', id: group.id });
  assert.ok(questions < FEW_QUESTIONS, `${questions} questions`);
});

test('the write of a zone may yield after each subzone', () => {
  const patterns = Array.from({ length: 50 }, (_, at) => `${10_000 + at}*`).join();
  const subzones = (count: number, zone: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `sub_${zone}_${at}`, name: 'S', postalCodes: patterns }));
  const zones = Array.from({ length: 30 }, (_, at) => ({
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
  const writes: readonly Command[] = [
    { kind: 'createZone', body: { name: 'New', countries: ['CA'], subzones: subzones(200, 0) } },
    { kind: 'updateZone', id: 'zone_1', body: { subzones: subzones(200, 1) } },
    { kind: 'deleteZone', id: 'zone_2' },
  ];
  for (const command of writes) {
    const { decision, questions } = inSteps(state, command);
    // To read the patterns, and the ids of the other zones where one is new to this one.
    if (command.kind !== 'deleteZone') assert.ok(questions >= 200, `${command.kind}: ${questions} questions`);
    state = decision.state;
  }
  // A name alone: nothing else is looked at.
  const named = inSteps(state, { kind: 'updateZone', id: 'zone_3', body: { name: 'C' } });
  assert.ok(named.questions < FEW_QUESTIONS, `${named.questions} questions`);
});

test('applying a bulk change read from the log may yield after each method; a small one looks at few records', () => {
  const before = largeShop();
  const data = largeData('');
  const methods = data.methods?.map(({ rules, ...method }) => ({ ...method, rules: rules?.slice(1) ?? [] }));
  const bulk = decided(before, { kind: 'executeConfig', data: { ...data, methods: methods ?? [] } });
  const small = decided(bulk.state, { kind: 'deleteRule', id: 'rule_7_1' });
  let state: ShopState = JSON.parse(JSON.stringify(before));
  for (const [{ events, state: after }, isExpected] of [
    [bulk, (questions: number) => questions >= METHODS],
    [small, (questions: number) => questions < FEW_QUESTIONS],
  ] as const) {
    const [event] = JSON.parse(JSON.stringify(events)) as typeof events;
    assert.ok(event !== undefined);
    const from = state;
    const { value, questions } = runUnderSchedules((shouldYield) =>
      applyEventSteps(from, event, shouldYield),
    );
    assert.ok(isExpected(questions), `${questions} questions`);
    state = value;
    assert.deepEqual(state, after);
  }
});
