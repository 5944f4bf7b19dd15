/**
 * The changeset: entered, promoted or discarded (contract section 7). While it is active the live configuration stands
 * still, so a promotion finds exactly the configuration that the writes were made on and cannot conflict.
 */
import { conflict, type Failure, type Outcome, success } from '../domain/failure.ts';
import { idsFromSeed } from '../domain/id.ts';
import type { ShopEvent, ShopState, StagingState } from '../domain/shop-event.ts';
import { countsOf, NO_DIFFERENCES } from '../domain/version.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { NO_CHANGESET, STAGED_CHARACTERS_MAX, STAGED_WRITES_MAX, stagingView } from '../wire/staging.ts';
import { applyEvent } from './apply.ts';
import { compareSteps } from './compare.ts';
import { type Decision, type DecisionContext, versionAfter } from './decision.ts';
import { configExcess } from './plan-limit.ts';

/** Forks the live configuration. CONFLICT when a changeset is active already. */
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

/** CONFLICT when a changeset holds more, with its last write, than it may. */
export function stagingExcess({ writes }: StagingState): Failure | null {
  const held = writes.length - 1;
  const size = writes.reduce((sum, write) => sum + write.size, 0);
  if (held < STAGED_WRITES_MAX && size <= STAGED_CHARACTERS_MAX) return null;
  if (held === 0) return conflict('the write is more than a staging changeset can hold: send it in parts');
  return conflict(`the staging changeset is full (${held} writes): promote or discard it`);
}

/**
 * Every staged write becomes a version, all in one batch. CONFLICT without a changeset,
 * PLAN_LIMIT_EXCEEDED when its configuration is over the plan as it is now; it then stays.
 */
export function* promoteStaging(
  state: ShopState,
  context: DecisionContext,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<Decision>> {
  const { staging } = state;
  if (staging === null) return NO_CHANGESET;
  const excess = configExcess(context.plans, state.settings.plan, state.config, staging.config);
  if (excess !== null) return excess;
  const ids = idsFromSeed(context.seed);
  const batchId = context.batchId ?? staging.id;
  const events: ShopEvent[] = [];
  let { version } = state;
  for (const { change, description, counts } of staging.writes) {
    if (shouldYield()) yield;
    const fields = { createdBy: 'promotion', description, batchId, changes: counts } as const;
    version = versionAfter(version, ids, context, fields);
    events.push({ kind: 'configChanged', change, version });
  }
  const ended: ShopEvent = { kind: 'stagingEnded', outcome: 'promoted' };
  events.push(ended);
  // The staged configuration is the live one with these very changes applied, by the same function.
  const next = applyEvent({ ...state, config: staging.config, version }, ended);
  const summary = countsOf(yield* compareSteps(state.config, staging.config, shouldYield));
  return success({ events, state: next, result: { kind: 'promoted', version, summary } });
}

/** The changeset is gone. CONFLICT when there is none. */
export function discardStaging(state: ShopState): Outcome<Decision> {
  if (state.staging === null) return NO_CHANGESET;
  const event: ShopEvent = { kind: 'stagingEnded', outcome: 'discarded' };
  return success({ events: [event], state: applyEvent(state, event), result: { kind: 'discarded' } });
}
