/**
 * Place search: whether country, subzone and postal code can satisfy a set of requirements together at
 * the places where a method is in force, with an example. `never` is certain; where codes cannot be
 * followed further the answer is `unknown`.
 */
import { REQUEST_TEXT, SOURCE, TEST } from '../compile/predicate.ts';
import {
  canonicalPattern,
  canonicalPostalCode,
  canonicalPostalPart,
  type PostalForm,
  parsePostalPattern,
} from '../domain/postal-code.ts';
import { comparable } from '../domain/text.ts';
import { testPostalCode, testText } from '../evaluate/predicate-test.ts';
import { canMeet, codesOf, covers, exampleCodes, isMatchable, type PostalAtom } from './postal-atom.ts';
import type { Requirement } from './requirement.ts';
import { byForm, OUTSIDE_SUBZONES, type PlaceIndex, type ZoneFacts } from './zone-map.ts';
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
  places: readonly PlaceIndex[],
  requirements: readonly Requirement[],
): boolean => searchPlace(zone, places, requirements, false).kind === 'never';

/** `places` are those where the method may be in force; the requirements are on the destination's place. */
export const findPlace = (
  zone: ZoneFacts,
  places: readonly PlaceIndex[],
  requirements: readonly Requirement[],
): PlaceVerdict => searchPlace(zone, places, requirements, true);

function searchPlace(
  zone: ZoneFacts,
  places: readonly PlaceIndex[],
  requirements: readonly Requirement[],
  wantsExample: boolean,
): PlaceVerdict {
  const on = (field: number) =>
    requirements.filter(
      ({ predicate }) => predicate.source === SOURCE.requestText && predicate.field === field,
    );
  const isFit = (list: readonly Requirement[], text: string) =>
    list.every(({ predicate, negated }) => testText(predicate, text) !== negated);
  const onCountry = on(REQUEST_TEXT.country);
  const onSubzone = on(REQUEST_TEXT.subzone);
  const onCode = requirements.filter(({ predicate }) => predicate.source === SOURCE.postalCode);
  const forms =
    onCountry.length === 0
      ? zone.countriesByForm()
      : byForm(zone.countries.filter((country) => isFit(onCountry, comparable(country))));
  const admitted =
    onSubzone.length === 0
      ? setOf(places)
      : new Set(places.filter((place) => isFit(onSubzone, zone.comparableIdOf(place))));
  if (admitted.size === 0) return NEVER;
  let verdict = NEVER;
  for (const [form, [country = '']] of forms) {
    const search = new CodeSearch(zone.postal(form), admitted, onCode);
    const found = search.run(wantsExample);
    if (found === null) verdict = UNKNOWN;
    else if (found !== undefined) return { kind: 'found', place: { country, postalCode: found } };
  }
  return verdict;
}

const sets = new WeakMap<readonly PlaceIndex[], ReadonlySet<PlaceIndex>>();

/** The places as a set, made once for each list: a zone may have thousands, and its methods share the list. */
function setOf(places: readonly PlaceIndex[]): ReadonlySet<PlaceIndex> {
  let set = sets.get(places);
  if (set === undefined) {
    set = new Set(places);
    sets.set(places, set);
  }
  return set;
}

/** The search for a postal code of one form. */
class CodeSearch {
  readonly #postal: ZonePostal;
  readonly #form: PostalForm;
  readonly #admitted: ReadonlySet<PlaceIndex>;
  readonly #requirements: readonly Requirement[];

  constructor(postal: ZonePostal, admitted: ReadonlySet<PlaceIndex>, requirements: readonly Requirement[]) {
    this.#postal = postal;
    this.#form = postal.form;
    this.#admitted = admitted;
    this.#requirements = requirements;
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
    if (alive.some((atoms) => atoms.length === 0) || !everyPairMeets(alive)) return undefined;
    if (!wantsExample) return null;
    return this.#examples(alive).find((code) => this.#isFit(code)) ?? null;
  }

  #anyCode(): string | null | undefined {
    const owners = [...this.#admitted].filter((place) => this.#postal.canOwn(place));
    if (owners.length === 0) return undefined;
    for (const place of owners) {
      const example = this.#postal.exampleOf(place);
      if (example !== null) return example;
    }
    return null;
  }

  #isFit(written: string): boolean {
    const code = written === '' ? '' : canonicalPostalCode(this.#form, written);
    return (
      this.#admitted.has(this.#postal.owner(code)) &&
      this.#requirements.every(
        ({ predicate, negated }) => testPostalCode(predicate, this.#form, code) !== negated,
      )
    );
  }

  /** The alternatives of which each list needs one: of the positive requirements and of a single subzone. */
  #wanted(): (readonly PostalAtom[])[] {
    const wanted: (readonly PostalAtom[])[] = this.#requirements
      .filter(({ predicate, negated }) => !negated && predicate.test !== TEST.isEmpty)
      .map((requirement) => this.#atomsOf(requirement));
    const [only = OUTSIDE_SUBZONES] = this.#admitted;
    if (this.#admitted.size === 1 && only !== OUTSIDE_SUBZONES) wanted.push(this.#postal.patternsOf(only));
    return wanted;
  }

  #atomsOf({ predicate, operands }: Requirement): readonly PostalAtom[] {
    if (predicate.test === TEST.equals) {
      return operands.flatMap((operand): PostalAtom[] => {
        const pattern = parsePostalPattern(operand);
        return typeof pattern === 'string' ? [] : [canonicalPattern(this.#form, pattern)];
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
    return atoms.filter((atom) => {
      if (!isMatchable(this.#form, atom)) return false;
      if (!isFew) return true;
      if (negatives.some((wide) => covers(wide, atom))) return false;
      return !this.#postal.isForeign(atom, (place) => this.#admitted.has(place));
    });
  }

  #examples(alive: readonly (readonly PostalAtom[])[]): readonly string[] {
    const atoms = alive.flat();
    const admitted = [...this.#admitted]
      .slice(0, EXAMPLES_MAX)
      .flatMap((place) => this.#postal.patternsOf(place));
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

function everyPairMeets(lists: readonly (readonly PostalAtom[])[]): boolean {
  return lists.every((list, i) =>
    lists
      .slice(0, i)
      .every(
        (other) =>
          list.length * other.length > PAIRS_MAX || list.some((a) => other.some((b) => canMeet(a, b))),
      ),
  );
}
