/** Config preview: shows what execute would change, and changes nothing (contract section 8). */

import { type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { countsOf } from '../domain/version.ts';
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import type { PreviewedConfig } from './command.ts';
import { compareConfigs } from './compare.ts';
import { scopeOf } from './decide.ts';
import type { DecisionContext } from './decision.ts';
import { configExcess } from './plan-limit.ts';
import { replacementSteps } from './replacement.ts';

/**
 * Compares the current configuration (that of the active changeset, if there is one) with the result of executing
 * `data`. Refuses what execute would refuse, except that a full changeset is no reason: VALIDATION_ERROR,
 * PLAN_LIMIT_EXCEEDED.
 */
export function previewConfig(
  state: ShopState,
  data: ConfigData,
  context: DecisionContext,
): Outcome<PreviewedConfig> {
  const scope = scopeOf(state, context, NEVER);
  const replacement = finishSteps(replacementSteps(scope, data));
  if (!replacement.ok) return replacement;
  const { config, madeIds } = replacement.value;
  const excess = configExcess(context.plans, state.settings.plan, scope.config, config);
  if (excess !== null) return excess;

  const knownId = (id: string | null) => (id !== null && madeIds.has(id) ? null : id);
  const known = <E extends { readonly id: string | null; readonly parentId?: string | null }>(
    entry: E,
  ): E => ({
    ...entry,
    id: knownId(entry.id),
    ...(entry.parentId !== undefined && { parentId: knownId(entry.parentId) }),
  });
  const { added, modified, removed } = compareConfigs(scope.config, config);
  const comparison = {
    added: added.map(known),
    modified: modified.map((entry) => ({
      ...known(entry),
      // A method that names no group gets the default group, which may be new.
      changes: entry.changes.map((change) =>
        change.field === 'productGroupId' ? { ...change, to: knownId(String(change.to)) } : change,
      ),
    })),
    removed,
  };
  return success({ preview: { ...comparison, summary: countsOf(comparison) }, config, madeIds });
}
