/** The subzones of a zone as a client writes them, checked and completed (contract sections 3 and 4). */
import { parsePostalPattern, splitPostalPatterns } from '../domain/postal-code.ts';
import type { Subzone } from '../domain/zone.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { SubzoneData } from '../wire/write-bodies.ts';
import type { Defects } from './defects.ts';
import type { IdClaims } from './id-claims.ts';

export interface SubzoneReader {
  readonly ids: IdClaims;
  readonly defects: Defects;
  readonly shouldYield: ShouldYield;
}

/** `path` is that of the zone: "" for a body of its own. The result counts only when no defect was added. */
export function* readSubzoneSteps(
  input: readonly SubzoneData[],
  path: string,
  { ids, defects, shouldYield }: SubzoneReader,
): WorkSteps<readonly Subzone[]> {
  const subzones: Subzone[] = [];
  for (const [index, { id: given, name, postalCodes }] of input.entries()) {
    const subzonePath = `${path}/subzones/${index}`;
    const id = ids.claim('subzone', given, subzonePath);
    if (shouldYield()) yield;
    for (const pattern of splitPostalPatterns(postalCodes)) {
      if (shouldYield()) yield;
      const parsed = parsePostalPattern(pattern);
      if (typeof parsed === 'string') {
        defects.add(`${subzonePath}/postalCodes`, `must hold comma-separated patterns: ${parsed}`);
      }
    }
    subzones.push({ id, name, postalCodes });
  }
  return subzones;
}
