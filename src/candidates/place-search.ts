/**
 * Place search: finds country, subzone and postal code that satisfy a set of requirements at the places where a method
 * is in force, or proves that there are none.
 *
 * "No place" is proved from listed countries, subzones and codes, from alternatives that are all excluded or belong to
 * other subzones, and from two requirements whose alternatives no single code can match.
 */
import { SOURCE, testPostalCode } from '../compile/predicate.ts';
import { FIELD } from '../domain/condition.ts';
import { canonicalPostalCode } from '../domain/postal-code.ts';
import { comparable } from '../domain/text.ts';
import {
  atomsOf,
  canMeet,
  covers,
  exampleCodes,
  isMatchable,
  type PostalAtom,
  pieceOf,
} from './postal-atom.ts';
import { onlyTexts, type Requirement } from './requirement.ts';
import type { Steps } from './steps.ts';
import { isTextFit, proposedTexts } from './text-search.ts';
import { byForm, OUTSIDE_SUBZONES, type Places, type ZoneFacts } from './zone-facts.ts';
import type { ZonePostal } from './zone-postal.ts';

/** Some places of a zone. */
export interface ZonePlaces {
  readonly zone: ZoneFacts;
  readonly places: Places;
}

interface FoundDestination {
  readonly country: string;
  /** As a customer may write it; "" when omitted. */
  readonly postalCode: string;
}

/** Maximum number of comparisons of alternatives with those of another requirement and with patterns of the zone. */
const COMPARISONS_MAX = 1_000_000;
/** Maximum number of alternatives and subzones from which codes are proposed, and of codes that are tried. */
const SOURCES_MAX = 50;
const CODES_MAX = 1_000;

const EVERY_CODE: PostalAtom = { kind: 'prefix', prefix: '' };

/** A search for a code of one form: the places and the requirements. */
interface CodeCase {
  readonly postal: ZonePostal;
  readonly admitted: Places;
  readonly requirements: readonly Requirement[];
  readonly steps: Steps;
}

/** True only when no destination at these places satisfies the requirements. */
export function hasNoDestination(
  at: ZonePlaces,
  requirements: readonly Requirement[],
  steps: Steps,
): boolean {
  for (const { codes } of codeCasesOf(at, requirements, steps)) if (mayHaveCode(codes)) return false;
  return true;
}

/** Returns a destination at one of the places that satisfies the requirements; null when none was found. */
export function findDestination(
  at: ZonePlaces,
  requirements: readonly Requirement[],
  steps: Steps,
): FoundDestination | null {
  for (const { country, codes } of codeCasesOf(at, requirements, steps)) {
    const postalCode = findCode(codes);
    if (postalCode !== null) return { country, postalCode };
  }
  return null;
}

/** Yields one case for each form of codes, with one of the countries that the requirements allow. */
function* codeCasesOf(
  { zone, places }: ZonePlaces,
  requirements: readonly Requirement[],
  steps: Steps,
): Generator<{ readonly country: string; readonly codes: CodeCase }> {
  const on = (source: number, field: number) =>
    requirements.filter(({ predicate }) => predicate.source === source && predicate.field === field);
  const onCountry = on(SOURCE.requestText, FIELD.destination_country);
  const onSubzone = on(SOURCE.requestText, FIELD.destination_subzone);
  const countries = zone.countries.filter((country) => isTextFit(onCountry, comparable(country), steps));
  const ids = onlyTexts(onSubzone);
  const isAdmitted = (place: number) => isTextFit(onSubzone, zone.comparableIdOf(place), steps);
  const listed = ids === null ? undefined : new Set(zone.placesNamed(ids));
  const admitted = onSubzone.length === 0 ? places : places.filter(isAdmitted, listed);
  if (admitted.isEmpty) return;
  for (const [form, [country = '']] of onCountry.length === 0 ? zone.countriesByForm : byForm(countries)) {
    const codes = { postal: zone.postal(form), admitted, requirements: on(SOURCE.postalCode, 0), steps };
    yield { country, codes };
  }
}

/** False only when no code fits. */
function mayHaveCode(codes: CodeCase): boolean {
  const { postal, admitted, requirements, steps } = codes;
  if (isFit(codes, '')) return true;
  if (requirements.length === 0) {
    for (const place of admitted) {
      steps.spend(1);
      if (postal.canOwn(place)) return true;
    }
    return false;
  }
  const wanted = wantedOf(codes);
  const listed = wanted.find((atoms) => atoms.every(({ kind }) => kind === 'exact'));
  if (listed !== undefined) return listed.some((atom) => atom.kind === 'exact' && isFit(codes, atom.code));
  // With only negative requirements, any code that is not empty is an alternative.
  const alive = (wanted.length === 0 ? [[EVERY_CODE]] : wanted).map((atoms) => aliveOf(codes, atoms));
  return alive.every(
    (atoms, i) => atoms.length > 0 && alive.slice(0, i).every((others) => meet(atoms, others, steps)),
  );
}

/** Returns a code that fits, as a customer may write it; null when none was found. */
function findCode(codes: CodeCase): string | null {
  let tries = CODES_MAX;
  for (const code of proposedCodes(codes)) {
    if (isFit(codes, code)) return code;
    if (--tries === 0) break;
  }
  return null;
}

function* proposedCodes(codes: CodeCase): Generator<string> {
  const { postal, admitted } = codes;
  yield '';
  const wanted = wantedOf(codes).map((atoms) => atoms.slice(0, SOURCES_MAX));
  const ofPlaces = admitted.take(SOURCES_MAX).flatMap((place) => postal.patternsOf(place));
  const lists = [...wanted, ofPlaces.slice(0, SOURCES_MAX)];
  for (const atom of lists.flat()) yield* exampleCodes(postal.form, atom);
  const pieces = lists.map((atoms) => atoms.map(pieceOf));
  yield* proposedTexts(pieces, []);
}

function isFit({ postal, admitted, requirements, steps }: CodeCase, written: string): boolean {
  const code = canonicalPostalCode(postal.form, written);
  if (!admitted.has(postal.owner(code))) return false;
  return requirements.every(({ predicate, negated, value }) => {
    steps.spend(1 + value.length);
    return testPostalCode(predicate, postal.form, code) !== negated;
  });
}

function atomsOfAll({ postal, steps }: CodeCase, requirements: readonly Requirement[]) {
  return requirements.map(({ operator, value }) => {
    steps.spend(value.length);
    return atomsOf(postal.form, operator, value);
  });
}

/** Lists of alternatives; a code must match one of each list. From positive requirements and a single subzone. */
function wantedOf(codes: CodeCase): (readonly PostalAtom[])[] {
  const positives = codes.requirements.filter(({ negated }) => !negated);
  const [only = OUTSIDE_SUBZONES, another] = codes.admitted.take(2);
  const isOneSubzone = another === undefined && only !== OUTSIDE_SUBZONES;
  return [...atomsOfAll(codes, positives), ...(isOneSubzone ? [codes.postal.patternsOf(only)] : [])];
}

/** Removes the atoms for which it is proved that no matching code fits. */
function aliveOf(codes: CodeCase, atoms: readonly PostalAtom[]): readonly PostalAtom[] {
  const { postal, admitted, requirements, steps } = codes;
  const negatives = atomsOfAll(
    codes,
    requirements.filter(({ negated }) => negated),
  ).flat();
  const isFew = atoms.length * (negatives.length + postal.patterns.length) <= COMPARISONS_MAX;
  return atoms.filter((atom) => {
    steps.spend(1 + negatives.length);
    if (!isMatchable(postal.form, atom)) return false;
    if (!isFew) return true;
    if (negatives.some((wide) => covers(wide, atom))) return false;
    return !postal.isForeign(atom, (place) => admitted.has(place), steps);
  });
}

/** False only when no code matches an atom of each list. */
function meet(some: readonly PostalAtom[], others: readonly PostalAtom[], steps: Steps): boolean {
  if (some.length * others.length > COMPARISONS_MAX) return true;
  return some.some((a) => {
    steps.spend(others.length);
    return others.some((b) => canMeet(a, b));
  });
}
