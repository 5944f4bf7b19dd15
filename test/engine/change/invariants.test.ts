/** Random runs of commands: what holds in every state that a shop can reach (contract sections 1 to 3, 6, 8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEvent } from '../../../src/engine/change/apply.ts';
import type { Command, Decision } from '../../../src/engine/change/command.ts';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import type { Outcome } from '../../../src/engine/domain/failure.ts';
import type { PlanLimits, PlanTable } from '../../../src/engine/domain/plan.ts';
import type { ShopEvent, ShopState } from '../../../src/engine/domain/shop-event.ts';
import { countsOf } from '../../../src/engine/domain/version.ts';
import { compileSchema, type SchemaCheck } from '../../../src/engine/wire/schema-check.ts';
import {
  BlendedCreate,
  BlendedUpdate,
  ConfigData,
  checkCreateSchema,
  checkUpdateSchema,
  GroupCreate,
  GroupUpdate,
  KeyUpdate,
  MethodCreate,
  MethodUpdate,
  RuleCreate,
  RuleUpdate,
  ShopUpdate,
  ZoneCreate,
  ZoneUpdate,
} from '../../../src/engine/wire/write-bodies.ts';
import { type CommandIntent, commandIntent, commandOf } from '../../support/command-arbitraries.ts';
import { changeBetween } from './changes-applied.ts';
import { assertValidState, assertWithinPlan } from './state-invariants.ts';
import { PLANS, shopWithZones, type TrialShop } from './trial-shop.ts';

/** Small enough that random runs meet its limits. */
const TIGHT: PlanTable = {
  tight: {
    ...(PLANS['enterprise'] as PlanLimits),
    methods: 6,
    groups: 3,
    zones: 6,
    blendedRates: 2,
    checks: 2,
    rulesPerMethod: 3,
    keys: 2,
  },
};

const intents = fc.array(commandIntent, { minLength: 8, maxLength: 30, size: 'max' });

type Step = (command: Command, outcome: Outcome<Decision>, before: ShopState, shop: TrialShop) => void;

/** Runs random commands against a shop; `step` sees each with the state before it, after it was kept. */
function holdsInEveryRun(
  step: Step,
  atEnd: (shop: TrialShop) => void = () => undefined,
  parameters: { readonly seed?: number; readonly numRuns?: number } = {},
): void {
  fc.assert(
    fc.property(intents, (run: readonly CommandIntent[]) => {
      const shop = shopWithZones('tight', TIGHT);
      for (const intent of run) {
        const before = shop.state;
        const command = commandOf(intent, before);
        const outcome = shop.try(command);
        if (outcome.ok) shop.keep(outcome.value);
        step(command, outcome, before, shop);
      }
      atEnd(shop);
    }),
    { numRuns: 150, ...parameters },
  );
}

test('no sequence of commands makes a configuration that breaks a rule of the contract', () => {
  holdsInEveryRun((_, outcome) => outcome.ok && assertValidState(outcome.value.state));
});

test('no sequence of commands exceeds a limit of the plan', () => {
  holdsInEveryRun((_, outcome) => outcome.ok && assertWithinPlan(outcome.value.state, TIGHT));
});

test('a refused command is refused with one of four codes and a message', () => {
  const codes = ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PLAN_LIMIT_EXCEEDED'];
  holdsInEveryRun((_, outcome) => {
    if (outcome.ok) return;
    assert.ok(codes.includes(outcome.code), outcome.code);
    assert.ok(outcome.message.length > 5);
    assert.doesNotMatch(outcome.message, /undefined|\[object|NaN/);
  });
});

const SHOP_COMMANDS: readonly Command['kind'][] = [
  'updateShop',
  'setPlan',
  'createKey',
  'updateKey',
  'revokeKey',
];

test('a shop keeps an admin key without an end, once it has one', () => {
  const hasOne = ({ keys }: ShopState) =>
    keys.some(({ permission, expiresAt }) => permission === 'admin' && expiresAt === undefined);
  holdsInEveryRun((_, outcome, before) => {
    if (outcome.ok && hasOne(before)) assert.ok(hasOne(outcome.value.state));
  });
});

test('every accepted configuration write makes exactly one version, numbered without gaps, and no other write does', () => {
  holdsInEveryRun((command, outcome, before) => {
    if (!outcome.ok) return;
    const { version } = outcome.value.state;
    if (SHOP_COMMANDS.includes(command.kind)) {
      assert.equal(version, before.version);
      return;
    }
    assert.equal(outcome.value.events.length, 1);
    assert.equal(version.number, before.version.number + 1);
    assert.ok(version.createdAt >= before.version.createdAt);
    assert.ok(version.description.length > 0);
  });
});

test('the counts of a version are those of a comparison of before and after', () => {
  holdsInEveryRun((command, outcome, before) => {
    if (!outcome.ok || SHOP_COMMANDS.includes(command.kind)) return;
    const { config, version } = outcome.value.state;
    assert.deepEqual(version.changes, countsOf(compareConfigs(before.config, config)));
  });
});

const replay = (events: readonly ShopEvent[]): ShopState | null =>
  events.reduce<ShopState | null>(applyEvent, null);

test('the events of a run, read back from JSON, replay to the same state', () => {
  holdsInEveryRun(
    () => undefined,
    (shop) => {
      assert.deepEqual(replay(shop.events), shop.state);
      assert.deepEqual(replay(JSON.parse(JSON.stringify(shop.events))), shop.state);
    },
  );
});

test('the same command on the same state with the same context gives the same decision', () => {
  holdsInEveryRun((command, _, before, shop) => {
    shop.context = { seed: 'again', now: '2026-05-05T05:05:05.000Z' };
    const [first, second] = [shop.tryOn(before, command), shop.tryOn(before, command)];
    shop.context = {};
    assert.deepEqual(first, second);
  });
});

test('sending the configuration back that was read changes nothing', () => {
  holdsInEveryRun(
    () => undefined,
    (shop) => {
      const before = shop.state;
      const { version, summary } = shop.execute(shop.snapshot());
      assert.deepEqual(summary, { added: 0, modified: 0, removed: 0 });
      assert.equal(version.number, before.version.number + 1);
      assert.deepEqual(shop.config, before.config);
      for (const kind of ['zones', 'productGroups', 'methods', 'blendedRates', 'checks'] as const) {
        assert.equal(shop.config[kind], before.config[kind]);
      }
    },
  );
});

test('preview shows exactly what execute does, and is refused with the same messages', () => {
  holdsInEveryRun((command, outcome, before, shop) => {
    if (command.kind !== 'executeConfig') return;
    const preview = shop.previewOn(before, command.data);
    if (!outcome.ok) assert.deepEqual(preview, outcome);
    else if (outcome.value.result.kind === 'executed') {
      assert.deepEqual(preview.ok && preview.value.summary, outcome.value.result.summary);
    }
  });
});

test('a change does not depend on which records the two configurations share by identity', () => {
  holdsInEveryRun((_, outcome, before) => {
    if (!outcome.ok) return;
    const [from, to] = [before.config, outcome.value.state.config].map((config) => structuredClone(config));
    assert.ok(from !== undefined && to !== undefined);
    for (const event of outcome.value.events) {
      if (event.kind !== 'configChanged' || outcome.value.events.length > 1) continue;
      assert.deepEqual(event.change, changeBetween(from, to));
      assert.deepEqual(event.version.changes, countsOf(compareConfigs(from, to)));
    }
  });
});

test('random commands have bodies that pass their schemas, and each kind is accepted and refused at times', () => {
  const checks: Partial<Record<Command['kind'], SchemaCheck<unknown>>> = {
    createZone: compileSchema(ZoneCreate),
    updateZone: compileSchema(ZoneUpdate),
    createGroup: compileSchema(GroupCreate),
    updateGroup: compileSchema(GroupUpdate),
    createMethod: compileSchema(MethodCreate),
    updateMethod: compileSchema(MethodUpdate),
    createRule: compileSchema(RuleCreate),
    updateRule: compileSchema(RuleUpdate),
    createBlended: compileSchema(BlendedCreate),
    updateBlended: compileSchema(BlendedUpdate),
    createCheck: compileSchema(checkCreateSchema(ITEMS_MAX_DEFAULT)),
    updateCheck: compileSchema(checkUpdateSchema(ITEMS_MAX_DEFAULT)),
    updateKey: compileSchema(KeyUpdate),
    executeConfig: compileSchema(ConfigData),
    updateShop: compileSchema(ShopUpdate),
  };
  const seen = new Set<string>();
  const look: Step = (command, outcome) => {
    seen.add(`${command.kind} ${outcome.ok ? 'accepted' : 'refused'}`);
    const body = 'body' in command ? command.body : 'data' in command ? command.data : undefined;
    const check = checks[command.kind];
    if (check !== undefined) assert.deepEqual(check.defects(body, 3), [], JSON.stringify(body));
  };
  // One seed: what is seen must not depend on luck.
  holdsInEveryRun(look, undefined, { seed: 3, numRuns: 300 });
  const kinds = [...seen].map((text) => text.split(' ')[0]);
  for (const kind of kinds) {
    assert.ok(seen.has(`${kind} accepted`), `${kind} is accepted at times`);
    assert.ok(seen.has(`${kind} refused`), `${kind} is refused at times`);
  }
  assert.equal(new Set(kinds).size, 23);
});
