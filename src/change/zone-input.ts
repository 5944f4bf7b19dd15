/** The subzones of a zone as a client writes them, checked and completed (contract sections 3 and 4). */
import { parsePostalPattern, splitPostalPatterns } from '../domain/postal-code.ts';
import type { Subzone } from '../domain/zone.ts';
import type { WorkMeter, WorkSteps } from '../pace/work-steps.ts';
import type { SubzoneData } from '../wire/write-bodies.ts';
import { ENTRY_UNITS, POSTAL_CHECK_UNITS } from './change-weight.ts';
import type { Defects } from './defects.ts';
import type { IdClaims } from './id-claims.ts';

export interface SubzoneReader {
  readonly ids: IdClaims;
  readonly defects: Defects;
  readonly meter: WorkMeter;
}

/** `path` is that of the zone: "" for a body of its own. The result counts only when no defect was added. */
export function* readSubzoneSteps(
  input: readonly SubzoneData[],
  path: string,
  { ids, defects, meter }: SubzoneReader,
): WorkSteps<readonly Subzone[]> {
  const subzones: Subzone[] = [];
  for (const [index, { id: given, name, postalCodes }] of input.entries()) {
    const subzonePath = `${path}/subzones/${index}`;
    const id = ids.claim('subzone', given, subzonePath);
    if (meter.spend(ENTRY_UNITS)) yield meter.take();
    for (const pattern of splitPostalPatterns(postalCodes)) {
      if (meter.spend(POSTAL_CHECK_UNITS * (pattern.length + 1))) yield meter.take();
      const parsed = parsePostalPattern(pattern);
      if (typeof parsed === 'string') {
        defects.add(`${subzonePath}/postalCodes`, `must hold comma-separated patterns: ${parsed}`);
      }
    }
    subzones.push({ id, name, postalCodes });
  }
  return subzones;
}
