/**
 * Writes that replace the whole configuration: config execute (contract section 8) and rollback (contract section 6).
 * Their changes are found by comparison.
 */
import { conflict, notFound, type Outcome, success } from '../domain/failure.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { countsOf } from '../domain/version.ts';
import type { WorkSteps } from '../pace/work-steps.ts';
import { compareSteps } from './compare.ts';
import type { CommandOf, ConfigWrite, DecisionContext, WriteScope } from './decision.ts';
import { diffConfigSteps } from './diff.ts';
import { replacementSteps } from './replacement.ts';

function* compared(
  { config, shouldYield }: WriteScope,
  to: PlacedConfig,
): WorkSteps<Pick<ConfigWrite, 'change' | 'counts'>> {
  const change = yield* diffConfigSteps(config, to, shouldYield);
  return { change, counts: countsOf(yield* compareSteps(config, to, shouldYield)) };
}

export function* executeConfig(
  scope: WriteScope,
  { data }: CommandOf<'executeConfig'>,
): WorkSteps<Outcome<ConfigWrite>> {
  const replacement = yield* replacementSteps(scope, data);
  if (!replacement.ok) return replacement;
  const { change, counts } = yield* compared(scope, replacement.value.config);
  return success({
    change,
    counts,
    description: 'Configuration imported',
    createdBy: 'import',
    result: (version) => ({ kind: 'executed', version, summary: counts }),
  });
}

/** NOT_FOUND for a version that does not exist or has expired, CONFLICT while a changeset is active. */
export function* rollback(
  scope: WriteScope,
  { targetVersionId }: CommandOf<'rollback'>,
  { version, config, staging }: ShopState,
  findVersion: DecisionContext['findVersion'],
): WorkSteps<Outcome<ConfigWrite>> {
  if (staging !== null) {
    return conflict('a staging changeset is active: promote or discard it before a rollback');
  }
  const isCurrent = targetVersionId === version.id;
  const target = isCurrent ? { number: version.number, config } : findVersion(targetVersionId);
  if (target === null) return notFound('version', targetVersionId);
  // Placements are restored too, so that the target and the new version compare as equal.
  const { change, counts } = yield* compared(scope, target.config);
  return success({
    change,
    counts,
    description: `Rolled back to version ${target.number}`,
    createdBy: 'rollback',
    result: (made) => ({ kind: 'rolledBack', version: made ?? version, summary: counts }),
  });
}
