/**
 * Config preview: shows what execute would change, the lint findings and the checks of its result, and changes nothing
 * (contract section 8). Where a cart is asked for, it also explains what that cart would be offered.
 */

import { type AnswerText, joinedText } from '../../base/bytes/answer-text.ts';
import { applyChange } from '../../engine/change/apply.ts';
import type { DecisionContext } from '../../engine/change/command.ts';
import { scopeOf } from '../../engine/change/decide.ts';
import { replacementOf } from '../../engine/change/decide-config.ts';
import { compareConfigs, diffConfigs } from '../../engine/change/diff.ts';
import { configExcess } from '../../engine/change/shop-limits.ts';
import { type CompiledShop, compileShop } from '../../engine/compile/compiled-shop.ts';
import { type Outcome, success } from '../../engine/domain/failure.ts';
import { type PlacedConfig, type ShopState, shopConfigOf } from '../../engine/domain/shop-event.ts';
import { type ChangeCounts, type Comparison, countsOf } from '../../engine/domain/version.ts';
import { lintReport } from '../../engine/lint/lint-config.ts';
import type { LintSettings } from '../../engine/lint/shop-facts.ts';
import { checkProbes, effectsOf } from '../../engine/probes/effects.ts';
import type { PreviewAnswer } from '../../engine/wire/answer-schemas.ts';
import type { ExplainedAnswer } from '../../engine/wire/explained-answer.ts';
import type { ConfigData } from '../../engine/wire/write-bodies.ts';
import { runChecks } from './check-run.ts';

/** The differences that execute would make. */
export interface ConfigPreview extends Comparison {
  readonly summary: ChangeCounts;
}

/** The configuration that execute would make. */
interface PreviewedConfig {
  readonly preview: ConfigPreview;
  /** As `preview`, with the ids that new records have in `config`. */
  readonly diff: Comparison;
  /** Its changed methods and rules have the number of the write that execute would make. */
  readonly config: PlacedConfig;
  /** Copies the name of a record; an id that execute will generate is null in the copy. */
  readonly known: <E extends RecordName>(named: E) => E;
}

interface RecordName {
  readonly id: string | null;
  readonly parentId?: string | null;
}

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
  const scope = scopeOf(state, context);
  const replacement = replacementOf(scope, data);
  if (!replacement.ok) return replacement;
  const { config: written, madeIds } = replacement.value;
  const excess = configExcess(context.plans, state.settings.plan, scope.config, written);
  if (excess !== null) return excess;
  const { change } = diffConfigs(scope.config, written);
  const config = applyChange(scope.config, change, scope.placement);
  const knownId = (id: string | null) => (id !== null && madeIds.has(id) ? null : id);
  const known = <E extends RecordName>(named: E): E => ({
    ...named,
    id: knownId(named.id),
    ...(named.parentId !== undefined && { parentId: knownId(named.parentId) }),
  });
  const diff = compareConfigs(scope.config, config);
  const { added, modified, removed } = diff;
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
  return success({ preview: { ...comparison, summary: countsOf(comparison) }, diff, config, known });
}

interface AnsweredPreview {
  readonly settings: LintSettings;
  readonly nowMs: number;
  /** What execute would replace. */
  readonly replaced: CompiledShop;
  /** Explains from the new configuration what a cart is offered; null when none is asked for. */
  readonly explained: ((shop: CompiledShop) => Outcome<AnswerText>) | null;
}

/** Fails as `explained`. */
export function previewAnswer(
  { preview, diff, config, known }: PreviewedConfig,
  { settings, nowMs, replaced, explained }: AnsweredPreview,
): Outcome<PreviewAnswer> {
  const shopConfig = shopConfigOf(config);
  const { findings, omitted } = lintReport(shopConfig, settings, replaced);
  const shop = compileShop(shopConfig, settings, replaced);
  const effects = effectsOf(
    replaced,
    shop,
    diff,
    [...checkProbes(shopConfig, nowMs), ...(settings.kept ?? [])],
    nowMs,
  );
  const answer = explained?.(shop);
  if (answer?.ok === false) return answer;
  const enabled = config.checks.filter((check) => check.enabled);
  const { results, ...totals } = runChecks({ shop, versionId: null, nowMs }, enabled);
  const warnings = findings.map(({ record: { kind, id, name, parentId }, ...finding }) => ({
    ...finding,
    record: known({ kind, id, name, ...(parentId !== undefined && { parentId }) }),
  }));
  const checks = {
    ...totals,
    results: results.map((result) => ({ ...result, checkId: known({ id: result.checkId }).id })),
  };
  const simulation = answer && { simulation: JSON.parse(joinedText(answer.value)) as ExplainedAnswer };
  const shown = { ...preview, warnings, warningsOmitted: omitted, checks, effects, ...simulation };
  // Type-safe: the arrays of the schema are the same, only not readonly.
  return success(shown as unknown as PreviewAnswer);
}
