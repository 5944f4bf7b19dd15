/**
 * How a write works: this module decides a command against the state of its shop. The decision of an accepted command
 * holds the events, the next state, and the result for the answer. The events go to the log. `apply.ts` makes the next
 * state from the events, here and at every replay.
 *
 * A configuration write makes new lists of records (`decide-record.ts`, `decide-zone.ts`, `decide-rule.ts`; a bulk write
 * or a rollback in `decide-config.ts`). One diff of the configurations before and after it gives its change and the
 * counts of its version (`diff.ts`). This module checks the change against the plan (contract section 2) and makes exactly one
 * version of it, even when it changes nothing (contract section 6), or one write of the active changeset (contract
 * section 7). It also enters, promotes and discards the changeset. The live configuration does not change while a
 * changeset is active, so a promotion applies the staged writes to the configuration that they were made for, and cannot
 * conflict.
 *
 * Deciding uses no clock, no randomness and no I/O: the same command, state and context give the same decision.
 */
import { jsonLength } from '../../base/bytes/json-length.ts';
import { conflict, type Failure, failure, type Outcome, success } from '../domain/failure.ts';
import { type IdMaker, idsFromSeed, versionIdOf } from '../domain/id.ts';
import { findMissingPermission } from '../domain/permission.ts';
import type { PromotionGate } from '../domain/promotion-gate.ts';
import type {
  ConfigChange,
  PlacedConfig,
  ShopEvent,
  ShopState,
  StagedWrite,
  StagingState,
} from '../domain/shop-event.ts';
import { type ChangeCounts, countsOf, NO_DIFFERENCES, type Version } from '../domain/version.ts';
import { NO_CHANGESET, STAGED_CHARACTERS_MAX, STAGED_WRITES_MAX, stagingView } from '../wire/staging.ts';
import { applyEvent } from './apply.ts';
import { changesetEndedNote, changesetEnteredNote } from './audit-notes.ts';
import type {
  Command,
  CommandOf,
  ConfigCommand,
  ConfigWrites,
  Decision,
  DecisionContext,
  JudgedChangeset,
  WriteScope,
} from './command.ts';
import { executeConfig, rollback } from './decide-config.ts';
import { RECORD_WRITES } from './decide-record.ts';
import { createRule, deleteRule, updateRule } from './decide-rule.ts';
import {
  createKey,
  createShop,
  revokeKey,
  setPlan,
  setShopifySecret,
  updateKey,
  updateShop,
} from './decide-shop.ts';
import { createZone, deleteZone, updateZone } from './decide-zone.ts';
import { compareConfigs, diffConfigs, sameJson } from './diff.ts';
import { configExcess, countExcess } from './shop-limits.ts';

/**
 * Decides a command whose body passed its schema. `state` is null only for `createShop`. Failures: VALIDATION_ERROR,
 * NOT_FOUND, CONFLICT, PLAN_LIMIT_EXCEEDED (contract sections 1 to 3 and 6 to 8).
 *
 * Linear in the configuration at most, and each record that stays the same is the same object afterwards.
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
      return setShopifySecret(state, command, context);
    case 'createKey': {
      const count = state.keys.length;
      const excess = countExcess(context.plans, state.settings.plan, 'keys', count, count + 1);
      return excess ?? createKey(state, command, context);
    }
    case 'updateKey':
      return updateKey(state, command, context);
    case 'revokeKey':
      return revokeKey(state, command, context);
    case 'enterStaging':
      return enterStaging(state, command, context);
    case 'promoteStaging':
      return promoteStaging(state, command, context);
    case 'discardStaging':
      return discardStaging(state, context);
    default:
      return decideConfigWrite(state, command, context);
  }
}

/** The configuration that a write starts from: that of the active changeset, or else the live one. */
export const writtenConfig = (state: ShopState): PlacedConfig => (state.staging ?? state).config;

/** A write makes the version after the current one or, in a changeset, after the last staged one. */
export const scopeOf = (
  state: ShopState,
  { seed, plans }: Pick<DecisionContext, 'seed' | 'plans'>,
): WriteScope => ({
  config: writtenConfig(state),
  placement: state.version.number + 1 + (state.staging?.writes.length ?? 0),
  seed,
  plans,
  plan: state.settings.plan,
});

function decideConfigWrite(
  state: ShopState,
  command: ConfigCommand,
  context: DecisionContext,
): Outcome<Decision> {
  const refusal = findDirectRefusal(state, command, context.keyId);
  if (refusal !== null) return refusal;
  const scope = scopeOf(state, context);
  // Type-safe: the row of a kind takes the commands of that kind.
  const write = WRITES[command.kind] as ConfigWrites<'createZone'>[ConfigCommand['kind'] & 'createZone'];
  const outcome = write(scope, command as CommandOf<'createZone'>, state, context.findVersion);
  if (!outcome.ok) return outcome;
  const { config, description, createdBy, result } = outcome.value;
  const excess = configExcess(context.plans, state.settings.plan, scope.config, config);
  if (excess !== null) return excess;
  const { change, comparison } = diffConfigs(scope.config, config);
  const counts = countsOf(comparison);
  const fields = { createdBy, description, batchId: context.batchId, changes: counts };
  const version =
    state.staging === null ? versionAfter(state.version, idsFromSeed(context.seed), context, fields) : null;
  const event: ShopEvent =
    version === null
      ? { kind: 'stagedWritten', write: stagedWrite(change, description, counts, context) }
      : { kind: 'configChanged', change, version };
  const next = applyEvent(state, event);
  const full = next.staging === null ? null : stagingExcess(next.staging);
  return full ?? success({ events: [event], state: next, result: result(version, counts) });
}

/**
 * The refusal of a write beside a changeset in a shop that takes changes in one only, else null (contract section 12.3). A
 * rollback, which no changeset can do, needs the permission admin; the command line needs no key.
 */
function findDirectRefusal(
  { settings: { directWrites = true }, staging, keys }: ShopState,
  { kind }: ConfigCommand,
  keyId: string | null,
): Failure | null {
  if (directWrites || staging !== null) return null;
  if (kind !== 'rollback') {
    return conflict('this shop takes changes in a changeset only: POST /api/staging enters one');
  }
  if (keyId === null) return null;
  const permission = keys.find(({ id }) => id === keyId)?.permission ?? 'simulate';
  return findMissingPermission({ permission }, 'admin', 'a rollback of this shop');
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

/** A configuration write while a changeset is active. */
function stagedWrite(
  change: ConfigChange,
  description: string,
  counts: ChangeCounts,
  { keyId, now }: DecisionContext,
): StagedWrite {
  const size = jsonLength(change, STAGED_CHARACTERS_MAX);
  return { change, description, counts, keyId, at: now, size };
}

/** Copies the live configuration into a new changeset. CONFLICT when a changeset is already active. */
function enterStaging(
  state: ShopState,
  { name = '', note = '' }: CommandOf<'enterStaging'>,
  context: DecisionContext,
): Outcome<Decision> {
  if (state.staging !== null) return conflict(`staging changeset ${state.staging.id} is active already`);
  const staging = {
    id: idsFromSeed(context.seed).next('staging'),
    baseVersionId: state.version.id,
    enteredAt: context.now,
    enteredBy: context.keyId,
    ...(name !== '' && { name }),
    ...(note !== '' && { note }),
  };
  const audit = changesetEnteredNote(state, context, staging);
  const event: ShopEvent = { kind: 'stagingEntered', staging, audit };
  const view = stagingView({ ...staging, config: state.config, writes: [] }, NO_DIFFERENCES, state.keys);
  const result = { kind: 'stagingEntered', staging: view } as const;
  return success({ events: [event], state: applyEvent(state, event), result });
}

/** CONFLICT when the changeset, including its last write, exceeds its limits; else null. */
export function stagingExcess({ writes }: StagingState): Failure | null {
  const earlier = writes.length - 1;
  const size = writes.reduce((sum, write) => sum + write.size, 0);
  if (earlier < STAGED_WRITES_MAX && size <= STAGED_CHARACTERS_MAX) return null;
  if (earlier === 0) return conflict('the write is more than a staging changeset can hold: send it in parts');
  return conflict(`the staging changeset is full (${earlier} writes): promote or discard it`);
}

/**
 * Every staged write becomes a version; all of them have one batch id, and the description of a forced promotion says
 * so. CONFLICT without a changeset, and when the gate of the shop does not let it pass (contract section 10.2).
 * PLAN_LIMIT_EXCEEDED when its configuration exceeds the current plan; the changeset then stays active.
 */
function promoteStaging(
  state: ShopState,
  { judged, isForced = false }: CommandOf<'promoteStaging'>,
  context: DecisionContext,
): Outcome<Decision> {
  const { staging } = state;
  if (staging === null) return NO_CHANGESET;
  const refusal = isForced ? null : gateRefusal(state.settings.promotionGate ?? null, staging, judged);
  if (refusal !== null) return refusal;
  const excess = configExcess(context.plans, state.settings.plan, state.config, staging.config);
  if (excess !== null) return excess;
  const ids = idsFromSeed(context.seed);
  // The first id of a seed has no counter. With the number of its version it would sort after those that have one.
  ids.next('version');
  const batchId = context.batchId ?? staging.id;
  const { name = '', note = '' } = staging;
  const changeset = name === '' && note === '' ? {} : { changeset: { name, note } };
  const events: ShopEvent[] = [];
  let { version } = state;
  for (const { change, description, counts } of staging.writes) {
    const text = isForced ? `${description} (promotion forced)` : description;
    const fields = {
      createdBy: 'promotion',
      description: text,
      batchId,
      changes: counts,
      ...changeset,
    } as const;
    version = versionAfter(version, ids, context, fields);
    events.push({ kind: 'configChanged', change, version });
  }
  const action = isForced ? 'changeset_forced' : 'changeset_promoted';
  const promoted = { versionId: version.id, batchId };
  const audit = changesetEndedNote(state, context, action, staging, promoted);
  const ended: ShopEvent = { kind: 'stagingEnded', outcome: 'promoted', audit };
  events.push(ended);
  // The staged configuration is the result of applying these changes to the live one with the same function.
  const next = applyEvent({ ...state, config: staging.config, version }, ended);
  const summary = countsOf(compareConfigs(state.config, staging.config));
  return success({ events, state: next, result: { kind: 'promoted', version, summary } });
}

/** CONFLICT when the gate did not let this changeset pass, or judged another state of it; else null. */
function gateRefusal(
  gate: PromotionGate | null,
  { id, writes }: StagingState,
  judged: JudgedChangeset | undefined,
): Failure | null {
  if (gate === null) return null;
  const isJudged = judged?.stagingId === id && judged.writes === writes.length && sameJson(judged.gate, gate);
  if (!isJudged) return conflict('the changeset or its gate changed while the gate judged it: try again');
  return judged.refusal === null ? null : conflict(judged.refusal);
}

/** Discards the changeset. CONFLICT when there is none. */
function discardStaging(state: ShopState, context: DecisionContext): Outcome<Decision> {
  if (state.staging === null) return NO_CHANGESET;
  const audit = changesetEndedNote(state, context, 'changeset_discarded', state.staging, null);
  const event: ShopEvent = { kind: 'stagingEnded', outcome: 'discarded', audit };
  return success({ events: [event], state: applyEvent(state, event), result: { kind: 'discarded' } });
}

/**
 * The version that a write makes after `previous`. Its time is never earlier than that of `previous`, even if the clock
 * was set back.
 */
const versionAfter = (
  previous: Version,
  ids: IdMaker,
  { now, keyId }: { readonly now: string; readonly keyId: string | null },
  { createdBy, description, batchId, changes, changeset }: VersionFields,
): Version => ({
  id: versionIdOf(ids, previous.number + 1),
  number: previous.number + 1,
  createdAt: now < previous.createdAt ? previous.createdAt : now,
  createdBy,
  keyId,
  description,
  batchId,
  changes,
  ...(changeset !== undefined && { changeset }),
});
type VersionFields = Pick<Version, 'createdBy' | 'description' | 'batchId' | 'changes' | 'changeset'>;
