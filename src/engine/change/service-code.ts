/**
 * Default service codes: the slug of the name, made unique among the records of the same kind in a zone and its
 * subzones with `-2`, `-3`, ... (contract section 3). A code that a client sets is stored unchanged.
 */

import { valueAt } from '../../base/runtime/map-entries.ts';
import { SERVICE_CODE_LENGTH_MAX, slugOf } from '../domain/text.ts';
import type { Zone } from '../domain/zone.ts';
import { zoneWith } from './references.ts';

/** Leaves room for every suffix, so that two slugs never compete for the same numbered codes. */
const SLUG_LENGTH_MAX = SERVICE_CODE_LENGTH_MAX - '-9999999'.length;

/** The codes in use, by zone; `zoneId` is the id of a zone, never of a subzone. */
export class ServiceCodes {
  readonly #takenByZone = new Map<string, Set<string>>();
  /** Zone and slug -> the next number to try, so that thousands of equal names take linear time. */
  readonly #nextNumbers = new Map<string, number>();

  reserve(zoneId: string, code: string): void {
    valueAt(this.#takenByZone, zoneId, () => new Set<string>()).add(code);
  }

  /** Makes and reserves the default code for a record; `fallback` is for a name without a letter or digit. */
  claim(zoneId: string, name: string, fallback: string): string {
    const slug = slugOf(name, SLUG_LENGTH_MAX) || fallback;
    const key = JSON.stringify([zoneId, slug]);
    let number = this.#nextNumbers.get(key) ?? 1;
    const codeAt = (at: number): string => (at === 1 ? slug : `${slug}-${at}`);
    while (this.#takenByZone.get(zoneId)?.has(codeAt(number)) === true) number++;
    this.#nextNumbers.set(key, number + 1);
    this.reserve(zoneId, codeAt(number));
    return codeAt(number);
  }
}

/** Methods and blended rates have separate sets of unique codes. */
export const METHOD_CODE_FALLBACK = 'method';
export const BLENDED_CODE_FALLBACK = 'blended-rate';

/** The default code for one new record; `records` are the records of its kind. */
export function defaultServiceCode(
  zones: readonly Zone[],
  records: readonly { readonly zoneId: string; readonly serviceCode: string }[],
  { zoneId, name }: { readonly zoneId: string; readonly name: string },
  fallback: string,
): string {
  const zone = zoneWith(zones, zoneId);
  const members = new Set([zone?.id ?? zoneId, ...(zone?.subzones ?? []).map(({ id }) => id)]);
  const codes = new ServiceCodes();
  for (const record of records) if (members.has(record.zoneId)) codes.reserve(zoneId, record.serviceCode);
  return codes.claim(zoneId, name, fallback);
}
