/**
 * Which subzone a postal code reaches by the patterns as they are typed. This is the look-up of the service, with the index
 * of a pattern as its owner in place of the subzone, so that the answer can name the pattern.
 */
import { NO_OWNER } from '../../../engine/compile/owner-segments.ts';
import { type OwnedPattern, PostalOwners } from '../../../engine/compile/postal-owners.ts';
import {
  canonicalPostalCode,
  eachPostalPattern,
  type PostalPattern,
  postalFormOf,
  readPostalPattern,
} from '../../../engine/domain/postal-code.ts';

interface Patterns {
  readonly postalCodes: string;
}

interface TypedPattern {
  /** Index of its subzone. */
  readonly subzone: number;
  readonly text: string;
  readonly kind: PostalPattern['kind'];
}

export interface ReachedSubzone {
  /** The code in the form in which codes are compared. */
  readonly code: string;
  /** The pattern that decides; null where the code is in no subzone. */
  readonly by: TypedPattern | null;
}

/** Looks up codes of one country; patterns with a fault match nothing. Linear in the patterns. */
export function postalTrial(
  country: string,
  subzones: readonly Patterns[],
): (code: string) => ReachedSubzone {
  const form = postalFormOf(country);
  const typed: TypedPattern[] = [];
  const owned: OwnedPattern[] = [];
  for (const [subzone, { postalCodes }] of subzones.entries()) {
    for (const text of eachPostalPattern(postalCodes)) {
      const pattern = readPostalPattern(form, text);
      if (pattern === null) continue;
      owned.push({ owner: typed.length, pattern });
      typed.push({ subzone, text, kind: pattern.kind });
    }
  }
  const owners = PostalOwners.of(owned);
  return (text) => {
    const code = canonicalPostalCode(form, text.trim());
    const owner = owners.find(code);
    return { code, by: owner === NO_OWNER ? null : (typed[owner] ?? null) };
  };
}
