/**
 * Default service codes: the slug of the name, unique among the records of the same kind in a zone and its
 * subzones by `-2`, `-3`, ... (contract section 3). A code that a client sets is taken as it is.
 */
import { SERVICE_CODE_LENGTH_MAX } from '../domain/text.ts';
import type { Zone } from '../domain/zone.ts';
import { zoneWith } from './references.ts';

/** Leaves room for every suffix, so that two slugs never compete for the same numbered codes. */
const SLUG_LENGTH_MAX = SERVICE_CODE_LENGTH_MAX - '-9999999'.length;

/**
 * Lower case, accents dropped, every run of other characters than letters and digits one hyphen; letters
 * of any script stay. "" when the name has neither letter nor digit.
 */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, SLUG_LENGTH_MAX)
    // Neither a hyphen nor half of a surrogate pair at the end.
    .replace(/^-|[-\ud800-\udbff]+$/g, '');

interface ZoneCodes {
  readonly taken: Set<string>;
  /** Slug -> the next number to try, so that thousands of equal names stay linear. */
  readonly nextNumbers: Map<string, number>;
}

/** The codes in use, by zone. */
export class ServiceCodes {
  /** For names without a letter or digit. */
  readonly #fallback: string;
  readonly #zones = new Map<string, ZoneCodes>();

  constructor(fallback: string) {
    this.#fallback = fallback;
  }

  #codesIn(zoneId: string): ZoneCodes {
    let codes = this.#zones.get(zoneId);
    if (codes === undefined) {
      codes = { taken: new Set(), nextNumbers: new Map() };
      this.#zones.set(zoneId, codes);
    }
    return codes;
  }

  reserve(zoneId: string, code: string): void {
    this.#codesIn(zoneId).taken.add(code);
  }

  /** Makes and reserves the default code for a record of this name; `zoneId` is a zone's, not a subzone's. */
  claim(zoneId: string, name: string): string {
    const { taken, nextNumbers } = this.#codesIn(zoneId);
    const slug = slugOf(name) || this.#fallback;
    let number = nextNumbers.get(slug) ?? 1;
    let code: string;
    do {
      code = number === 1 ? slug : `${slug}-${number}`;
      number++;
    } while (taken.has(code));
    nextNumbers.set(slug, number);
    taken.add(code);
    return code;
  }
}

/** Codes of methods and of blended rates are unique apart from each other. */
export const METHOD_CODE_FALLBACK = 'method';
export const BLENDED_CODE_FALLBACK = 'blended-rate';

/** The default code for one new record; `records` are those of its kind. */
export function defaultServiceCode(
  zones: readonly Zone[],
  records: readonly { readonly zoneId: string; readonly serviceCode: string }[],
  { zoneId, name }: { readonly zoneId: string; readonly name: string },
  fallback: string,
): string {
  const zone = zoneWith(zones, zoneId);
  const members = new Set([zone?.id ?? zoneId, ...(zone?.subzones ?? []).map(({ id }) => id)]);
  const codes = new ServiceCodes(fallback);
  for (const record of records) if (members.has(record.zoneId)) codes.reserve(zoneId, record.serviceCode);
  return codes.claim(zoneId, name);
}
