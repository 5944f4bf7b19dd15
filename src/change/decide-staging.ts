/**
 * Enters, promotes or discards the changeset (contract section 7). The live configuration does not change while a
 * changeset is active. A promotion therefore finds the configuration that the staged writes are based on and cannot
 * conflict.
 */
import { conflict, type Failure, type Outcome, success } from '../domain/failure.ts';
import { type IdMaker, idsFromSeed, versionIdOf } from '../domain/id.ts';
import type { PromotionGate } from '../domain/promotion-gate.ts';
import type { ShopEvent, ShopState, StagingState } from '../domain/shop-event.ts';
import { countsOf, NO_DIFFERENCES, type Version } from '../domain/version.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { NO_CHANGESET, STAGED_CHARACTERS_MAX, STAGED_WRITES_MAX, stagingView } from '../wire/staging.ts';
import { applyEvent } from './apply.ts';
import type { CommandOf, Decision, DecisionContext, JudgedChangeset } from './command.ts';
import { compareSteps, sameJson } from './compare.ts';
import { configExcess } from './plan-limit.ts';

/** Copies the live configuration into a new changeset. CONFLICT when a changeset is already active. */
export function enterStaging(state: ShopState, context: DecisionContext): Outcome<Decision> {
  if (state.staging !== null) return conflict(`staging changeset ${state.staging.id} is active already`);
  const staging = {
    id: idsFromSeed(context.seed).next('staging'),
    baseVersionId: state.version.id,
    enteredAt: context.now,
    enteredBy: context.keyId,
  };
  const event: ShopEvent = { kind: 'stagingEntered', staging };
  const view = stagingView({ ...staging, config: state.config, writes: [] }, NO_DIFFERENCES);
  const result = { kind: 'stagingEntered', staging: view } as const;
  return success({ events: [event], state: applyEvent(state, event), result });
}

/** CONFLICT when the changeset, including its last write, exceeds its limits; else null. */
export function stagingExcess({ writes }: StagingState): Failure | null {
  const held = writes.length - 1;
  const size = writes.reduce((sum, write) => sum + write.size, 0);
  if (held < STAGED_WRITES_MAX && size <= STAGED_CHARACTERS_MAX) return null;
  if (held === 0) return conflict('the write is more than a staging changeset can hold: send it in parts');
  return conflict(`the staging changeset is full (${held} writes): promote or discard it`);
}

/**
 * Every staged write becomes a version; all of them have one batch id, and the description of a forced promotion says
 * so. CONFLICT without a changeset, and when the gate of the shop does not let it pass (contract section 10.2).
 * PLAN_LIMIT_EXCEEDED when its configuration exceeds the current plan; the changeset then stays active.
 */
export function* promoteStaging(
  state: ShopState,
  { judged, isForced = false }: CommandOf<'promoteStaging'>,
  context: DecisionContext,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<Decision>> {
  const { staging } = state;
  if (staging === null) return NO_CHANGESET;
  const refusal = isForced ? null : gateRefusal(state.settings.promotionGate ?? null, staging, judged);
  if (refusal !== null) return refusal;
  const excess = configExcess(context.plans, state.settings.plan, state.config, staging.config);
  if (excess !== null) return excess;
  const ids = idsFromSeed(context.seed);
  const batchId = context.batchId ?? staging.id;
  const events: ShopEvent[] = [];
  let { version } = state;
  for (const { change, description, counts } of staging.writes) {
    if (shouldYield()) yield;
    const told = isForced ? `${description} (promotion forced)` : description;
    const fields = { createdBy: 'promotion', description: told, batchId, changes: counts } as const;
    version = versionAfter(version, ids, context, fields);
    events.push({ kind: 'configChanged', change, version });
  }
  const ended: ShopEvent = { kind: 'stagingEnded', outcome: 'promoted' };
  events.push(ended);
  // The staged configuration is the result of applying these changes to the live one with the same function.
  const next = applyEvent({ ...state, config: staging.config, version }, ended);
  const summary = countsOf(yield* compareSteps(state.config, staging.config, shouldYield));
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
export function discardStaging(state: ShopState): Outcome<Decision> {
  if (state.staging === null) return NO_CHANGESET;
  const event: ShopEvent = { kind: 'stagingEnded', outcome: 'discarded' };
  return success({ events: [event], state: applyEvent(state, event), result: { kind: 'discarded' } });
}

/**
 * The version that a write makes after `previous`. Its time is never earlier than that of `previous`, even if the clock
 * was set back.
 */
export const versionAfter = (
  previous: Version,
  ids: IdMaker,
  { now, keyId }: { readonly now: string; readonly keyId: string | null },
  { createdBy, description, batchId, changes }: VersionFields,
): Version => ({
  id: versionIdOf(ids, previous.number + 1),
  number: previous.number + 1,
  createdAt: now < previous.createdAt ? previous.createdAt : now,
  createdBy,
  keyId,
  description,
  batchId,
  changes,
});
type VersionFields = Pick<Version, 'createdBy' | 'description' | 'batchId' | 'changes'>;
