/** The report on a configuration that execute would make: ids that it will make are not known yet. */
import type { LintReport, PreviewWarnings } from '../domain/finding.ts';

/** `madeIds` are the ids that stand for those; in the warnings they are null. */
export function previewWarnings(
  { findings, omitted }: LintReport,
  madeIds: ReadonlySet<string>,
): PreviewWarnings {
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
  return { warnings, warningsOmitted: omitted };
}
