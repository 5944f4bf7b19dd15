/**
 * The changeset: entered, written to, promoted or discarded (contract section 7). While it is active the live
 * configuration stands still, so a promotion finds exactly the configuration that the writes were made on
 * and cannot conflict.
 */
import { conflict, type Failure, type Outcome, success } from '../domain/failure.ts';
import { idsFromSeed } from '../domain/id.ts';
import type { ShopEvent, ShopState, StagedWrite, StagingState } from '../domain/shop-event.ts';
import { NO_DIFFERENCES } from '../domain/version.ts';
import { versionIdOf } from '../domain/version-id.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { NO_CHANGESET, STAGED_CHARACTERS_MAX, STAGED_WRITES_MAX, stagingView } from '../wire/staging.ts';
import { applyEvent } from './apply.ts';
import { countSteps } from './compare.ts';
import {
  type AcceptedWrite,
  type ConfigWrite,
  type Decision,
  type DecisionContext,
  versionTime,
} from './decision.ts';
import { configExcessSteps } from './plan-limit.ts';
import type { EditOutcome } from './record-edit.ts';

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
  const next = applyEvent(state, event);
  const view = stagingView({ ...staging, config: state.config, writes: [] }, NO_DIFFERENCES);
  return success({ events: [event], state: next, result: { kind: 'stagingEntered', staging: view } });
}

export interface SizedOutcome extends EditOutcome {
  /** About how many characters of JSON the change has. */
  readonly size: number;
}

/** A configuration write that goes to the changeset. CONFLICT when that is full. */
export function asStagedWrite(
  staging: StagingState,
  write: ConfigWrite,
  { change, counts, size }: SizedOutcome,
  context: DecisionContext,
): Outcome<AcceptedWrite> {
  const staged: StagedWrite = {
    change,
    description: write.description,
    counts,
    keyId: context.keyId,
    at: context.now,
    size,
  };
  const full = findExcess(staging, staged);
  if (full !== null) return full;
  return success({ event: { kind: 'stagedWritten', write: staged }, result: write.result(null, counts) });
}

function findExcess({ writes }: StagingState, write: StagedWrite): Failure | null {
  const held = writes.length;
  const size = writes.reduce((sum, one) => sum + one.size, write.size);
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
  const { plan } = state.settings;
  const excess = yield* configExcessSteps(context.plans, plan, state.config, staging.config, shouldYield);
  if (excess !== null) return excess;
  const ids = idsFromSeed(context.seed);
  const batchId = context.batchId ?? staging.id;
  const createdAt = versionTime(state.version, context);
  const events: ShopEvent[] = [];
  let { version } = state;
  for (const { change, description, counts } of staging.writes) {
    if (shouldYield()) yield;
    const number = version.number + 1;
    version = {
      id: versionIdOf(ids, number),
      number,
      createdAt,
      createdBy: 'promotion',
      keyId: context.keyId,
      description,
      batchId,
      changes: counts,
    };
    events.push({ kind: 'configChanged', change, version });
  }
  const ended: ShopEvent = { kind: 'stagingEnded', outcome: 'promoted' };
  events.push(ended);
  // The staged configuration is the live one with these very changes applied, by the same function.
  const next = applyEvent({ ...state, config: staging.config, version }, ended);
  const summary = yield* countSteps(state.config, staging.config, shouldYield);
  return success({ events, state: next, result: { kind: 'promoted', version, summary } });
}

/** The changeset is gone. CONFLICT when there is none. */
export function discardStaging(state: ShopState): Outcome<Decision> {
  if (state.staging === null) return NO_CHANGESET;
  const event: ShopEvent = { kind: 'stagingEnded', outcome: 'discarded' };
  return success({ events: [event], state: applyEvent(state, event), result: { kind: 'discarded' } });
}
