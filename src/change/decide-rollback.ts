/** Rollback: the configuration of an earlier version restored as a new version (contract section 6). */
import { conflict, notFound, type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { CommandOf, DecisionContext, EarlierVersion, WholeWrite } from './decision.ts';

/** NOT_FOUND for a version that does not exist or whose time is over, CONFLICT while a changeset is active. */
export function rollback(
  state: ShopState,
  { targetVersionId }: CommandOf<'rollback'>,
  context: DecisionContext,
): Outcome<WholeWrite> {
  if (state.staging !== null) {
    return conflict('a staging changeset is active: promote or discard it before a rollback');
  }
  const target = findTarget(state, targetVersionId, context);
  if (target === null) return notFound('version', targetVersionId);
  return success({
    // Placements come back too, so that the target and the new version compare as equal.
    config: target.config,
    description: `Rolled back to version ${target.number}`,
    createdBy: 'rollback',
    result: (version, summary) => ({ kind: 'rolledBack', version: version ?? state.version, summary }),
  });
}

const findTarget = (state: ShopState, id: string, context: DecisionContext): EarlierVersion | null =>
  id === state.version.id ? { number: state.version.number, config: state.config } : context.findVersion(id);
