/**
 * The one entrance of every write: a command and the state that it meets, decided without clock, randomness
 * or I/O. The same command on the same state with the same context gives the same decision.
 *
 * Each resource decides its part in a file of its own; here an accepted configuration write is held against
 * the plan and becomes exactly one version, also when it changes nothing (contract section 6), or one write
 * of the active changeset (section 7).
 */
import type { Command } from '../domain/command.ts';
import { conflict, failure, type Outcome, success } from '../domain/failure.ts';
import { idsFromSeed } from '../domain/id.ts';
import type { PlacedConfig, ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { Version } from '../domain/version.ts';
import { applyEvent } from './apply.ts';
import { countChanges } from './compare.ts';
import { createBlended, deleteBlended, updateBlended } from './decide-blended.ts';
import { executeConfig } from './decide-config.ts';
import { createGroup, deleteGroup, updateGroup } from './decide-group.ts';
import { createMethod, deleteMethod, updateMethod } from './decide-method.ts';
import { rollback } from './decide-rollback.ts';
import { createRule, deleteRule, updateRule } from './decide-rule.ts';
import { createKey, createShop, revokeKey, setPlan, setShopifySecret, updateShop } from './decide-shop.ts';
import { asStagedWrite, discardStaging, enterStaging, promoteStaging } from './decide-staging.ts';
import {
  type ConfigWrite,
  type Decision,
  type DecisionContext,
  versionTime,
  type WriteScope,
} from './decision.ts';
import { diffConfig } from './diff.ts';
import { configExcess } from './plan-limit.ts';

type ShopCommand = Extract<
  Command,
  { readonly kind: 'createShop' | 'updateShop' | 'setPlan' | 'setShopifySecret' | 'createKey' | 'revokeKey' }
>;
type HistoryCommand = Extract<
  Command,
  { readonly kind: 'rollback' | 'enterStaging' | 'promoteStaging' | 'discardStaging' }
>;
type ConfigCommand = Exclude<Command, ShopCommand | HistoryCommand>;

/**
 * Decides a command whose body passed its schema. `state` is null only for `createShop`.
 * Failures: VALIDATION_ERROR, NOT_FOUND, CONFLICT, PLAN_LIMIT_EXCEEDED (contract sections 1 to 3 and 6 to 8).
 * Cost: linear in the number of records, a few milliseconds for the largest plan; a rollback also pays for
 * `findVersion`.
 */
export function decide(
  state: ShopState | null,
  command: Command,
  context: DecisionContext,
): Outcome<Decision> {
  if (command.kind === 'createShop') {
    return state === null
      ? createShop(command, context)
      : conflict(`shop ${state.settings.id} exists already`);
  }
  if (state === null) return failure('NOT_FOUND', 'Shop not found');
  switch (command.kind) {
    case 'updateShop':
      return updateShop(state, command, context);
    case 'setPlan':
      return setPlan(state, command, context);
    case 'setShopifySecret':
      return setShopifySecret(state, command);
    case 'createKey':
      return createKey(state, command, context);
    case 'revokeKey':
      return revokeKey(state, command);
    case 'rollback':
      return asWritten(state, rollback(state, command, context), context);
    case 'enterStaging':
      return enterStaging(state, context);
    case 'promoteStaging':
      return promoteStaging(state, context);
    case 'discardStaging':
      return discardStaging(state);
    default:
      return asWritten(state, decideConfigWrite(scopeOf(state, context), command), context);
  }
}

/** Holds a write against the plan and makes it a version, or a part of the active changeset. */
function asWritten(
  state: ShopState,
  outcome: Outcome<ConfigWrite>,
  context: DecisionContext,
): Outcome<Decision> {
  if (!outcome.ok) return outcome;
  const write = outcome.value;
  const from = writtenConfig(state);
  const excess = configExcess(context.plans, state.settings.plan, from, write.config);
  if (excess !== null) return excess;
  return state.staging === null
    ? asVersion(state, write, context)
    : asStagedWrite(state, state.staging, write, context);
}

/** The configuration that a write starts from: the changeset's while one is active. */
export const writtenConfig = (state: ShopState): PlacedConfig => (state.staging ?? state).config;

/** A write makes the version after the current one, or after the last of the changeset. */
export const scopeOf = (state: ShopState, context: Pick<DecisionContext, 'seed'>): WriteScope => ({
  config: writtenConfig(state),
  placement: state.version.number + 1 + (state.staging?.writes.length ?? 0),
  seed: context.seed,
});

function decideConfigWrite(scope: WriteScope, command: ConfigCommand): Outcome<ConfigWrite> {
  switch (command.kind) {
    case 'createGroup':
      return createGroup(scope, command);
    case 'updateGroup':
      return updateGroup(scope, command);
    case 'deleteGroup':
      return deleteGroup(scope, command);
    case 'createMethod':
      return createMethod(scope, command);
    case 'updateMethod':
      return updateMethod(scope, command);
    case 'deleteMethod':
      return deleteMethod(scope, command);
    case 'createRule':
      return createRule(scope, command);
    case 'updateRule':
      return updateRule(scope, command);
    case 'deleteRule':
      return deleteRule(scope, command);
    case 'createBlended':
      return createBlended(scope, command);
    case 'updateBlended':
      return updateBlended(scope, command);
    case 'deleteBlended':
      return deleteBlended(scope, command);
    case 'executeConfig':
      return executeConfig(scope, command);
  }
}

function asVersion(state: ShopState, write: ConfigWrite, context: DecisionContext): Outcome<Decision> {
  const version: Version = {
    id: idsFromSeed(context.seed).next('version'),
    number: state.version.number + 1,
    createdAt: versionTime(state.version, context),
    createdBy: write.createdBy,
    keyId: context.keyId,
    description: write.description,
    batchId: context.batchId,
    changes: countChanges(state.config, write.config),
  };
  const event: ShopEvent = { kind: 'configChanged', change: diffConfig(state.config, write.config), version };
  const next = applyEvent(state, event);
  return success({ events: [event], state: next, result: write.result(version, version.changes) });
}
