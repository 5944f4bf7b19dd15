/** Random histories with rollbacks and changesets: what holds for every version and between any two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEvent } from '../../../src/engine/change/apply.ts';
import type { Command, Decision } from '../../../src/engine/change/command.ts';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../../../src/engine/domain/shop-event.ts';
import { countsOf } from '../../../src/engine/domain/version.ts';
import { snapshotOf } from '../../../src/engine/wire/record-view.ts';
import { applyComparison } from '../../support/apply-comparison.ts';
import { type HistoryIntent, historyCommandOf, historyIntent } from '../../support/history-arbitraries.ts';
import { changeBetween, withoutLastChanges } from './changes-applied.ts';
import { assertValidState } from './state-invariants.ts';
import { shopWithZones, type TrialShop } from './trial-shop.ts';

const run = fc.array(historyIntent, { minLength: 8, maxLength: 40, size: 'max' });

type Step = (command: Command, decision: Decision, before: ShopState, shop: TrialShop) => void;

function holdsInEveryHistory(step: Step, atEnd: (shop: TrialShop) => void = () => {}): void {
  fc.assert(
    fc.property(run, (intents: readonly HistoryIntent[]) => {
      const shop = shopWithZones();
      for (const intent of intents) {
        const before = shop.state;
        const command = historyCommandOf(intent, before, [...shop.versions.keys()]);
        const outcome = shop.try(command);
        if (!outcome.ok) continue;
        shop.keep(outcome.value);
        step(command, outcome.value, before, shop);
      }
      atEnd(shop);
    }),
    { numRuns: 150 },
  );
}

const snapshot = (config: PlacedConfig) => {
  const { versionId: _, ...lists } = snapshotOf(config as unknown as ShopConfig, '');
  return JSON.parse(JSON.stringify(lists)) as ReturnType<typeof snapshotOf>;
};

function assertExact(from: PlacedConfig, to: PlacedConfig): void {
  const comparison = JSON.parse(JSON.stringify(compareConfigs(from, to)));
  const [before, after] = [snapshot(from), snapshot(to)];
  assert.deepEqual(applyComparison(before, comparison, after), after);
}

test('a comparison of any two versions, either way round, turns the one into the other exactly', () => {
  holdsInEveryHistory(
    () => {},
    (shop) => {
      const configs = [...shop.versions.values()].map(({ config }) => config);
      for (const [index, config] of configs.entries()) {
        // Neighbours, and some far apart.
        for (const distance of [1, 2, 5, 13]) {
          const other = configs[index + distance];
          if (other === undefined) continue;
          assertExact(config, other);
          assertExact(other, config);
        }
      }
    },
  );
});

test('what a write logs and counts is what comparing the configurations before and after it gives', () => {
  holdsInEveryHistory((_, { events }, before) => {
    let state: ShopState = before;
    for (const event of events) {
      const next = applyEvent(state, event);
      if (event.kind === 'configChanged' && event.version.createdBy !== 'promotion') {
        assert.deepEqual(event.change, changeBetween(state.config, next.config));
        assert.deepEqual(event.version.changes, countsOf(compareConfigs(state.config, next.config)));
      }
      if (event.kind === 'stagedWritten' && state.staging !== null && next.staging !== null) {
        assert.deepEqual(event.write.change, changeBetween(state.staging.config, next.staging.config));
        const comparison = compareConfigs(state.staging.config, next.staging.config);
        assert.deepEqual(event.write.counts, countsOf(comparison));
      }
      state = next;
    }
  });
});

test('a comparison of the live configuration and the changeset is exact', () => {
  holdsInEveryHistory((_, __, ___, { state }) => {
    if (state.staging !== null) assertExact(state.config, state.staging.config);
  });
});

test('versions are numbered without gaps, never go back in time, and count what they changed', () => {
  holdsInEveryHistory((_, { events }, before) => {
    let state: ShopState = before;
    for (const event of events) {
      const next = applyEvent(state, event);
      if (event.kind === 'configChanged') {
        assert.equal(event.version.number, state.version.number + 1);
        assert.ok(event.version.createdAt >= state.version.createdAt);
        assert.deepEqual(event.version.changes, countsOf(compareConfigs(state.config, next.config)));
      } else assert.equal(next.version, state.version);
      state = next;
    }
  });
});

test('a decision leads to the state that its events lead to, from memory and from JSON', () => {
  holdsInEveryHistory((_, { events, state }, before) => {
    assert.deepEqual(events.reduce(applyEvent, before), state);
    const stored = JSON.parse(JSON.stringify(events)) as typeof events;
    assert.deepEqual(stored.reduce(applyEvent, JSON.parse(JSON.stringify(before)) as ShopState), state);
  });
});

test('a staged configuration is as valid as a live configuration', () => {
  holdsInEveryHistory((_, { state }) => {
    assertValidState(state);
    if (state.staging === null) return;
    // As it will be: its last write is a version then.
    const { config, writes } = state.staging;
    const version = { ...state.version, number: state.version.number + writes.length };
    assertValidState({ ...state, config, version });
  });
});

test('while a changeset is active the live configuration stands still; a promotion makes it the staged one', () => {
  holdsInEveryHistory((command, { state }, before) => {
    const { staging } = before;
    if (staging === null) return;
    if (command.kind === 'promoteStaging') {
      assert.deepEqual(state.config, staging.config);
      assert.equal(state.version.number, before.version.number + staging.writes.length);
    } else {
      assert.equal(state.config, before.config);
      assert.equal(state.version, before.version);
    }
  });
});

test('a rollback gives the configuration of its target exactly, and nothing is left to compare', () => {
  holdsInEveryHistory((command, { state }, _, shop) => {
    if (command.kind !== 'rollback') return;
    const target = shop.versions.get(command.targetVersionId);
    assert.ok(target !== undefined);
    // Which version last changed a record is history, which a rollback adds to.
    assert.deepEqual(withoutLastChanges(state.config), withoutLastChanges(target.config));
    assert.deepEqual(compareConfigs(target.config, state.config), { added: [], modified: [], removed: [] });
  });
});
