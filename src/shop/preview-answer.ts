/** The answer of a preview: what would change, and what the lint finds in the configuration that would be made. */

import type { PreviewedConfig } from '../change/command.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { lintReport } from '../lint/lint-config.ts';
import type { LintSettings } from '../lint/shop-facts.ts';
import type { PreviewAnswer } from '../wire/answer-schemas.ts';

/** Ids that execute will make are null in the warnings. `compiled` is the configuration that would be replaced. */
export function previewAnswer(
  { preview, config, madeIds }: PreviewedConfig,
  settings: LintSettings,
  compiled?: CompiledShop,
): PreviewAnswer {
  // A stored method's type does not say that its rate config fits its rate type; deciding it checked that.
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
  // Sound: the schema's arrays are the same ones, only not readonly.
  return { ...preview, warnings, warningsOmitted: omitted } as unknown as PreviewAnswer;
}
