/**
 * Place search: whether country, subzone and postal code can satisfy a set of requirements together at
 * the places where a method is in force, with an example. `never` is certain; where codes cannot be
 * followed further the answer is `unknown`.
 */
import { REQUEST_TEXT, SOURCE, TEST } from '../compile/predicate.ts';
import {
  canonicalPostalCode,
  canonicalPostalPart,
  type PostalForm,
  readPostalPattern,
} from '../domain/postal-code.ts';
import { comparable } from '../domain/text.ts';
import { testPostalCode } from '../evaluate/predicate-test.ts';
import type { Places } from './places.ts';
import { canMeet, codesOf, covers, exampleCodes, isMatchable, type PostalAtom } from './postal-atom.ts';
import { onlyTexts, type Requirement } from './requirement.ts';
import type { Steps } from './steps.ts';
import { isTextFit } from './text-search.ts';
import { byForm, OUTSIDE_SUBZONES, type ZoneFacts } from './zone-map.ts';
import type { ZonePostal } from './zone-postal.ts';

export interface Place {
  readonly country: string;
  /** As a customer may write it; "" = left out. */
  readonly postalCode: string;
}

export type PlaceVerdict =
  | { readonly kind: 'found'; readonly place: Place }
  | { readonly kind: 'never' | 'unknown' };

const NEVER: PlaceVerdict = { kind: 'never' };
const UNKNOWN: PlaceVerdict = { kind: 'unknown' };

/** Codes tried one by one when an alternative names no more than these. */
const CODES_MAX = 256;
/** Pairs of alternatives that are held against each other. */
const PAIRS_MAX = 20_000;
/** Comparisons of alternatives with negative ones and with the zone's patterns. */
const COMPARISONS_MAX = 1_000_000;
const EXAMPLES_MAX = 50;
const JOINED_MAX = 10;

const EVERY_CODE: PostalAtom = { kind: 'prefix', prefix: '' };

/** True only when no destination at these places satisfies the requirements. */
export const isNoPlace = (
  zone: ZoneFacts,
  places: Places,
  requirements: readonly Requirement[],
  steps: Steps,
): boolean => searchPlace(zone, places, requirements, false, steps).kind === 'never';

/** `places` are those where the method may be in force; the requirements are on the destination's place. */
export const findPlace = (
  zone: ZoneFacts,
  places: Places,
  requirements: readonly Requirement[],
  steps: Steps,
): PlaceVerdict => searchPlace(zone, places, requirements, true, steps);

function searchPlace(
  zone: ZoneFacts,
  places: Places,
  requirements: readonly Requirement[],
  wantsExample: boolean,
  steps: Steps,
): PlaceVerdict {
  const on = (field: number) =>
    requirements.filter(
      ({ predicate }) => predicate.source === SOURCE.requestText && predicate.field === field,
    );
  const onCountry = on(REQUEST_TEXT.country);
  const onSubzone = on(REQUEST_TEXT.subzone);
  const onCode = requirements.filter(({ predicate }) => predicate.source === SOURCE.postalCode);
  const forms =
    onCountry.length === 0
      ? zone.countriesByForm()
      : byForm(zone.countries.filter((country) => isTextFit(onCountry, comparable(country), steps)));
  const ids = onlyTexts(onSubzone);
  const admitted =
    onSubzone.length === 0
      ? places
      : places.filter(
          (place) => isTextFit(onSubzone, zone.comparableIdOf(place), steps),
          ids === null ? undefined : zone.placesNamed(ids),
        );
  if (admitted.isEmpty) return NEVER;
  let verdict = NEVER;
  for (const [form, [country = '']] of forms) {
    const search = new CodeSearch(zone.postal(form), admitted, onCode, steps);
    const found = search.run(wantsExample);
    if (found === null) verdict = UNKNOWN;
    else if (found !== undefined) return { kind: 'found', place: { country, postalCode: found } };
  }
  return verdict;
}

/** The search for a postal code of one form. */
class CodeSearch {
  readonly #postal: ZonePostal;
  readonly #form: PostalForm;
  readonly #admitted: Places;
  readonly #requirements: readonly Requirement[];
  readonly #steps: Steps;

  constructor(postal: ZonePostal, admitted: Places, requirements: readonly Requirement[], steps: Steps) {
    this.#postal = postal;
    this.#form = postal.form;
    this.#admitted = admitted;
    this.#requirements = requirements;
    this.#steps = steps;
  }

  /** A code as it may be written; undefined = there is none; null = none was found, but there may be. */
  run(wantsExample: boolean): string | null | undefined {
    if (this.#isFit('')) return '';
    if (this.#requirements.length === 0) return this.#anyCode();
    if (this.#requirements.some(({ predicate, negated }) => predicate.test === TEST.isEmpty && !negated)) {
      return undefined;
    }
    const wanted = this.#wanted();
    const small = wanted.map((atoms) => codesOfAll(atoms)).find((codes) => codes !== null);
    if (small !== undefined && small !== null) return small.find((code) => this.#isFit(code));
    // With negative requirements alone, every code that is not empty is wanted.
    const alive = (wanted.length === 0 ? [[EVERY_CODE]] : wanted).map((atoms) => this.#aliveOf(atoms));
    if (alive.some((atoms) => atoms.length === 0) || !everyPairMeets(alive, this.#steps)) return undefined;
    if (!wantsExample) return null;
    return this.#examples(alive).find((code) => this.#isFit(code)) ?? null;
  }

  #anyCode(): string | null | undefined {
    let isOwned = false;
    for (const place of this.#admitted) {
      this.#steps.spend(1);
      if (!this.#postal.canOwn(place)) continue;
      const example = this.#postal.exampleOf(place);
      if (example !== null) return example;
      isOwned = true;
    }
    return isOwned ? null : undefined;
  }

  #isFit(written: string): boolean {
    const code = written === '' ? '' : canonicalPostalCode(this.#form, written);
    return (
      this.#admitted.has(this.#postal.owner(code)) &&
      this.#requirements.every(({ predicate, negated, operands }) => {
        this.#steps.spend(operands.length);
        return testPostalCode(predicate, this.#form, code) !== negated;
      })
    );
  }

  /** The alternatives of which each list needs one: of the positive requirements and of a single subzone. */
  #wanted(): (readonly PostalAtom[])[] {
    const wanted: (readonly PostalAtom[])[] = this.#requirements
      .filter(({ predicate, negated }) => !negated && predicate.test !== TEST.isEmpty)
      .map((requirement) => this.#atomsOf(requirement));
    const [only = OUTSIDE_SUBZONES, another] = this.#admitted.take(2);
    if (another === undefined && only !== OUTSIDE_SUBZONES) wanted.push(this.#postal.patternsOf(only));
    return wanted;
  }

  #atomsOf({ predicate, operands }: Requirement): readonly PostalAtom[] {
    if (predicate.test === TEST.equals) {
      return operands.flatMap((operand): PostalAtom[] => {
        const pattern = readPostalPattern(this.#form, operand);
        return pattern === null ? [] : [pattern];
      });
    }
    return operands.map((operand): PostalAtom => {
      const part = canonicalPostalPart(this.#form, operand);
      if (predicate.test === TEST.startsWith) return { kind: 'prefix', prefix: part };
      return predicate.test === TEST.endsWith ? { kind: 'end', end: part } : { kind: 'part', part };
    });
  }

  /** The atoms without those of which it is certain that no code matches them and does. */
  #aliveOf(atoms: readonly PostalAtom[]): readonly PostalAtom[] {
    const negatives = this.#requirements
      .filter(({ predicate, negated }) => negated && predicate.test !== TEST.isEmpty)
      .flatMap((each) => this.#atomsOf(each));
    const isFew = atoms.length * (negatives.length + this.#postal.patterns.length) <= COMPARISONS_MAX;
    this.#steps.spend(atoms.length);
    return atoms.filter((atom) => {
      if (!isMatchable(this.#form, atom)) return false;
      if (!isFew) return true;
      this.#steps.spend(negatives.length);
      if (negatives.some((wide) => covers(wide, atom))) return false;
      return !this.#postal.isForeign(atom, (place) => this.#admitted.has(place), this.#steps);
    });
  }

  #examples(alive: readonly (readonly PostalAtom[])[]): readonly string[] {
    const atoms = alive.flat();
    const admitted = this.#admitted.take(EXAMPLES_MAX).flatMap((place) => this.#postal.patternsOf(place));
    const examples = [...atoms.slice(0, EXAMPLES_MAX), ...admitted.slice(0, EXAMPLES_MAX)].flatMap((atom) =>
      exampleCodes(this.#form, atom),
    );
    const beginnings = atoms.flatMap((atom) => (atom.kind === 'prefix' ? [atom.prefix] : []));
    const tails = atoms.flatMap((atom) =>
      atom.kind === 'end' ? [atom.end] : atom.kind === 'part' ? [atom.part] : [],
    );
    const joined = beginnings
      .slice(0, JOINED_MAX)
      .flatMap((beginning) =>
        tails.slice(0, JOINED_MAX).flatMap((tail) => [beginning + tail, `${beginning}1${tail}`]),
      );
    return [...examples, ...joined];
  }
}

/** All codes that the atoms match, when each names its codes and they are few; else null. */
function codesOfAll(atoms: readonly PostalAtom[]): readonly string[] | null {
  const codes: string[] = [];
  for (const atom of atoms) {
    const own = atom.kind === 'exact' ? [atom.code] : atom.kind === 'range' ? codesOf(atom, CODES_MAX) : null;
    if (own === null || codes.length > 50 * CODES_MAX) return null;
    codes.push(...own);
  }
  return codes;
}

function everyPairMeets(lists: readonly (readonly PostalAtom[])[], steps: Steps): boolean {
  return lists.every((list, i) =>
    lists.slice(0, i).every(
      (other) =>
        list.length * other.length > PAIRS_MAX ||
        list.some((a) => {
          steps.spend(other.length);
          return other.some((b) => canMeet(a, b));
        }),
    ),
  );
}
