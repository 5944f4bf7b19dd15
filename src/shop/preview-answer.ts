/** The answer of a preview: the changes, and of the resulting configuration its lint findings and its checks. */

import type { PreviewedConfig } from '../change/command.ts';
import { type CompiledShop, compileShop } from '../compile/compiled-shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { lintReport } from '../lint/lint-config.ts';
import type { LintSettings } from '../lint/shop-facts.ts';
import type { PreviewAnswer } from '../wire/answer-schemas.ts';
import { runChecks } from './check-run.ts';

/** Ids that execute will generate are null. `compiled` is the current configuration. */
export function previewAnswer(
  { preview, config, madeIds }: PreviewedConfig,
  settings: LintSettings,
  nowMs: number,
  compiled?: CompiledShop,
): PreviewAnswer {
  // The type of a stored method does not state that its rate config fits its rate type; the decision of the write
  // checked that.
  const shopConfig = config as ShopConfig;
  const { findings, omitted } = lintReport(shopConfig, settings, compiled);
  const shop = compileShop(shopConfig, settings, compiled);
  const { results, ...totals } = runChecks(
    { shop, versionId: null, nowMs },
    config.checks.filter(({ enabled }) => enabled),
  );
  const knownId = (id: string | null): string | null => (id !== null && madeIds.has(id) ? null : id);
  const warnings = findings.map(({ record: { kind, id, name, parentId }, ...finding }) => ({
    ...finding,
    record: {
      kind,
      id: knownId(id),
      name,
      ...(parentId === undefined ? {} : { parentId: knownId(parentId) }),
    },
  }));
  // Type-safe: the arrays of the schema are the same, only not readonly.
  const checks = {
    ...totals,
    results: results.map((result) => ({ ...result, checkId: knownId(result.checkId) })),
  };
  return { ...preview, warnings, warningsOmitted: omitted, checks } as unknown as PreviewAnswer;
}
