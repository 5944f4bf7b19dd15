/**
 * How a write works: this module decides a command against the state of its shop. The decision of an accepted command
 * holds the events, the next state, and the result for the answer. The events go to the log. `apply.ts` makes the next
 * state from the events, here and at every replay.
 *
 * A configuration write is a change of some lists of records. A write of one record builds its change directly
 * (`record-write.ts`, and `decide-record.ts`, `decide-zone.ts` and `decide-rule.ts` by kind); a bulk write or a
 * rollback finds its change by comparison (`decide-config.ts`). This module checks the change against the plan and
 * makes exactly one version of it, even when it changes nothing (contract section 6), or one write of the active
 * changeset (contract section 7).
 *
 * Deciding uses no clock, no randomness and no I/O: the same command, state and context give the same decision.
 */

import { jsonLengthSteps } from '../bytes/json-length.ts';
import { conflict, failure, type Outcome, success } from '../domain/failure.ts';
import { idsFromSeed } from '../domain/id.ts';
import type { PlacedConfig, ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { Version } from '../domain/version.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { STAGED_CHARACTERS_MAX } from '../wire/staging.ts';
import { applyEventSteps } from './apply.ts';
import type {
  Command,
  CommandOf,
  ConfigCommand,
  ConfigWrite,
  ConfigWrites,
  Decision,
  DecisionContext,
  WriteScope,
} from './command.ts';
import { executeConfig, rollback } from './decide-config.ts';
import { RECORD_WRITES } from './decide-record.ts';
import { createRule, deleteRule, updateRule } from './decide-rule.ts';
import { createKey, createShop, revokeKey, setPlan, setShopifySecret, updateShop } from './decide-shop.ts';
import {
  discardStaging,
  enterStaging,
  promoteStaging,
  stagingExcess,
  versionAfter,
} from './decide-staging.ts';
import { createZone, deleteZone, updateZone } from './decide-zone.ts';
import { MethodIndex } from './method-index.ts';
import { configExcess } from './plan-limit.ts';

/**
 * Decides a command whose body passed its schema. `state` is null only for `createShop`. Failures: VALIDATION_ERROR,
 * NOT_FOUND, CONFLICT, PLAN_LIMIT_EXCEEDED (contract sections 1 to 3 and 6 to 8).
 *
 * A write of one record reads few other records. A bulk write is linear in the configuration, and a write of a zone is
 * linear in its subzones.
 */
export function* decideSteps(
  state: ShopState | null,
  command: Command,
  context: DecisionContext,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<Decision>> {
  if (command.kind === 'createShop') {
    return state === null
      ? createShop(command, context)
      : conflict(`shop ${state.settings.id} exists already`);
  }
  if (state === null) return failure('NOT_FOUND', 'Shop not found');
  switch (command.kind) {
    case 'updateShop':
      return updateShop(state, command);
    case 'setPlan':
      return setPlan(state, command, context);
    case 'setShopifySecret':
      return setShopifySecret(state, command);
    case 'createKey':
      return createKey(state, command, context);
    case 'revokeKey':
      return revokeKey(state, command);
    case 'enterStaging':
      return enterStaging(state, context);
    case 'promoteStaging':
      return yield* promoteStaging(state, command, context, shouldYield);
    case 'discardStaging':
      return discardStaging(state);
    default:
      return yield* decideConfigWrite(state, command, context, shouldYield);
  }
}

/** As `decideSteps`, without yielding. */
export const decide = (
  state: ShopState | null,
  command: Command,
  context: DecisionContext,
): Outcome<Decision> => finishSteps(decideSteps(state, command, context, NEVER));

/** The configuration that a write starts from: that of the active changeset, or else the live one. */
export const writtenConfig = (state: ShopState): PlacedConfig => (state.staging ?? state).config;

/** A write makes the version after the current one or, in a changeset, after the last staged one. */
export const scopeOf = (
  state: ShopState,
  { seed, index = new MethodIndex() }: Pick<DecisionContext, 'seed' | 'index'>,
  shouldYield: ShouldYield,
): WriteScope => ({
  config: writtenConfig(state),
  placement: state.version.number + 1 + (state.staging?.writes.length ?? 0),
  seed,
  index,
  shouldYield,
});

function* decideConfigWrite(
  state: ShopState,
  command: ConfigCommand,
  context: DecisionContext,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<Decision>> {
  const scope = scopeOf(state, context, shouldYield);
  yield* scope.index.prepareSteps(scope.config.methods, shouldYield);
  // Type-safe: the row of a kind takes the commands of that kind.
  const write = WRITES[command.kind] as ConfigWrites<'createZone'>[ConfigCommand['kind'] & 'createZone'];
  const made = write(scope, command as CommandOf<'createZone'>, state, context.findVersion);
  const outcome = 'next' in made ? yield* made : made;
  if (!outcome.ok) return outcome;
  const { change, result } = outcome.value;
  const { event, version } = yield* eventOf(state, outcome.value, context, shouldYield);
  const next = yield* applyEventSteps(state, event, shouldYield, scope.index);
  const config = writtenConfig(next);
  const refusal =
    configExcess(context.plans, state.settings.plan, scope.config, config, change) ??
    (next.staging === null ? null : stagingExcess(next.staging));
  if (refusal !== null) return refusal;
  yield* scope.index.followSteps(scope.config.methods, config.methods, change, shouldYield);
  return success({ events: [event], state: next, result: result(version) });
}

const WRITES: ConfigWrites<ConfigCommand['kind']> = {
  ...RECORD_WRITES,
  createZone,
  updateZone,
  deleteZone,
  createRule,
  updateRule,
  deleteRule,
  executeConfig,
  rollback,
};

/** The event of a configuration write: a version or, while a changeset is active, a staged write. */
function* eventOf(
  state: ShopState,
  { change, counts, description, createdBy }: ConfigWrite,
  context: DecisionContext,
  shouldYield: ShouldYield,
): WorkSteps<{ readonly event: ShopEvent; readonly version: Version | null }> {
  const { keyId, batchId, now } = context;
  if (state.staging !== null) {
    const size = yield* jsonLengthSteps(change, STAGED_CHARACTERS_MAX, shouldYield);
    const write = { change, description, counts, keyId, at: now, size };
    return { event: { kind: 'stagedWritten', write }, version: null };
  }
  const fields = { createdBy, description, batchId, changes: counts };
  const version = versionAfter(state.version, idsFromSeed(context.seed), context, fields);
  return { event: { kind: 'configChanged', change, version }, version };
}
