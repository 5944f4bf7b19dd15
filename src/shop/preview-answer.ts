/** The answer of a preview: the changes, and the lint findings in the resulting configuration. */

import type { PreviewedConfig } from '../change/command.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { lintReport } from '../lint/lint-config.ts';
import type { LintSettings } from '../lint/shop-facts.ts';
import type { PreviewAnswer } from '../wire/answer-schemas.ts';

/** Ids that execute will generate are null in the warnings. `compiled` is the current configuration. */
export function previewAnswer(
  { preview, config, madeIds }: PreviewedConfig,
  settings: LintSettings,
  compiled?: CompiledShop,
): PreviewAnswer {
  // The type of a stored method does not state that its rate config fits its rate type; the decision of the write
  // checked that.
  const { findings, omitted } = lintReport(config as ShopConfig, settings, compiled);
  const knownId = (id: string): string | null => (madeIds.has(id) ? null : id);
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
  return { ...preview, warnings, warningsOmitted: omitted } as unknown as PreviewAnswer;
}
