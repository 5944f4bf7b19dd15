/** The lint in a worker: of a configuration as of a record, or of what execute would make of it. */

import { scopeOf } from '../change/decide.ts';
import { readReplacement } from '../change/replacement.ts';
import type { PreviewWarnings } from '../domain/finding.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { ConfigData } from '../domain/write-bodies.ts';
import { lintReport } from '../lint/lint-config.ts';
import { previewWarnings } from '../lint/preview-warnings.ts';
import type { ShelvedShop } from './compiled-shelf.ts';
import type { LintTask } from './pool-task.ts';

/** The report, or the warnings of the preview, as JSON text. Throws when the data would be refused. */
export function runLint({ state, live, staged }: ShelvedShop, { view, replacement }: LintTask): string {
  const compiled = view === 'live' ? live : staged;
  if (compiled === null) throw new RangeError('there is no changeset at this record');
  if (replacement === null) return JSON.stringify(lintReport(compiled.config, state.settings, compiled));
  const data = JSON.parse(replacement.data) as ConfigData;
  const read = readReplacement(scopeOf(state, replacement), data);
  if (!read.ok) throw new RangeError(read.message);
  const { config, madeIds } = read.value;
  // A stored method's type does not say that its rate config fits its rate type; deciding it checked that.
  const report = lintReport(config as ShopConfig, state.settings, compiled);
  const warnings: PreviewWarnings = previewWarnings(report, madeIds);
  return JSON.stringify(warnings);
}
