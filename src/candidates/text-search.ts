/**
 * Text search: finds a text that satisfies a set of text requirements, or proves that there is none. Each alternative of a
 * condition requires a piece of a text: the whole text, its beginning, a part of it or its end.
 *
 * Pieces are joined by a filler, a character that no operand contains. A joined text then satisfies an alternative only
 * if one of its pieces does. So one text for each choice of pieces represents all texts that satisfy the same
 * conditions.
 *
 * Why the search is exact: if only listed texts are possible, each is tried. Otherwise it takes a piece of each
 * positive requirement and joins the pieces. The result violates a negative requirement only if one of the pieces, or
 * every text that is not empty, violates it; then no text satisfies all requirements.
 */
import { type Predicate, SOURCE, TEST, type Test } from '../compile/predicate.ts';
import type { Steps } from './steps.ts';

export interface TextPiece {
  /** Whether the text equals the piece, begins with it, contains it or ends with it. */
  readonly kind: 'whole' | 'beginning' | 'part' | 'end';
  /** In comparable form. The beginning "" means any text that is not empty. */
  readonly text: string;
}

/** The piece that a test with an operand requires; none for tests without one, and see `piecesOf` for `equals`. */
export const PIECE_KINDS: { readonly [T in Test]?: TextPiece['kind'] } = {
  [TEST.contains]: 'part',
  [TEST.startsWith]: 'beginning',
  [TEST.endsWith]: 'end',
};

/** A text passes the positive test if it has one of these pieces; none for `is_empty`. Not for postal codes. */
export function piecesOf({ test, texts, textSet, prefixes }: Predicate): readonly TextPiece[] {
  const of = (kind: TextPiece['kind'] | undefined, list: Iterable<string>): TextPiece[] =>
    kind === undefined ? [] : Array.from(list, (text) => ({ kind, text }));
  if (test !== TEST.equals) return of(PIECE_KINDS[test], texts);
  return [...of('whole', textSet ?? texts), ...of('beginning', prefixes)];
}

/** Candidates for the filler, in comparable form. */
const FILLERS = [...'xqz07jk_~\u00a4\u00a7\u25a1\u2300\ue000'];

/** Returns a filler that is not named; null when all candidates are. */
const fillerBeside = (isNamed: (character: string) => boolean): string | null =>
  FILLERS.find((filler) => !isNamed(filler)) ?? null;

/** Returns two texts that have all pieces; no piece is `whole`. The first reads better, the second is minimal. */
export function joinedTexts(pieces: readonly TextPiece[], filler: string): readonly string[] {
  const textsOf = (kind: TextPiece['kind']) =>
    pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : []));
  const longest = (texts: readonly string[]) => texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  const [beginnings, ends] = [textsOf('beginning'), textsOf('end')];
  const [beginning, end] = [longest(beginnings), longest(ends)];
  if (beginnings.some((text) => !beginning.startsWith(text)) || ends.some((text) => !end.endsWith(text)))
    return [];
  const all = [beginning, ...textsOf('part'), end];
  return [all.filter((text) => text !== '').join(filler), all.join(filler)];
}

/**
 * Yields a text for each combination of outcomes that conditions with these pieces can have, except the empty text:
 * first each single piece, then `others`, then joined pieces of several conditions.
 */
export function* proposedTexts(
  lists: readonly (readonly TextPiece[])[],
  others: readonly string[],
): Generator<string> {
  const all = lists.flat();
  const characters = new Set(all.flatMap(({ text }) => [...text]));
  const filler = fillerBeside((character) => characters.has(character)) ?? '';
  yield* all.map(({ text }) => text).filter((text) => text !== '');
  yield* others;
  if (filler !== '') yield filler;
  for (const chosen of choices(lists.map((list) => list.filter(({ kind }) => kind !== 'whole')))) {
    yield* joinedTexts(chosen, filler).filter((text) => text !== '' && text === text.trim());
  }
}

/** Yields all choices of at most one piece from each list. */
function* choices(lists: readonly (readonly TextPiece[])[]): Generator<readonly TextPiece[]> {
  const [first, ...rest] = lists;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const others of choices(rest)) {
    yield others;
    for (const piece of first) yield [piece, ...others];
  }
}

/** What the search asks of a requirement on a text. */
interface TextRequirement {
  readonly predicate: Predicate;
  readonly negated: boolean;
  readonly pieces: readonly TextPiece[];
  readonly textSteps: number;
  names(character: string): boolean;
  isMetBy(text: string): boolean;
}

const isAnyText = (): boolean => true;
/** Tags of an item are the parts of a text between its commas. */
const isItemTag = (text: string): boolean => text !== '' && !text.includes(',');
/** A request may list the tags of a customer one by one, and then a comma belongs to its tag. */
const isCustomerTag = (text: string): boolean => text !== '';

/**
 * Returns a text in comparable form that `isPossible` and that satisfies every requirement; null only when there is
 * none. Gives up when the requirements name every filler.
 */
export function findText(
  requirements: readonly TextRequirement[],
  steps: Steps,
  isPossible: (text: string) => boolean = isAnyText,
): string | null {
  const isFit = (text: string): boolean => isPossible(text) && isTextFit(requirements, text, steps);
  if (isFit('')) return '';
  const positives = requirements.filter(({ negated }) => !negated);
  const negatives = requirements.filter(({ negated }) => negated);
  for (const text of positives.flatMap(({ pieces }) => pieces)) {
    if (text.kind === 'whole' && isFit(text.text)) return text.text;
  }
  const filler = fillerBeside((character) => requirements.some((each) => each.names(character)));
  if (filler === null) return steps.giveUp();
  const isAlive = (piece: TextPiece): boolean =>
    piece.kind !== 'whole' &&
    joinedTexts([piece], filler)
      .slice(1)
      .every((text) => isPossible(text) && isTextFit(negatives, text, steps));
  const alive = positives.map(({ pieces }) => pieces.filter(isAlive));
  if (alive.some((pieces) => pieces.length === 0)) return null;
  const parts = alive.flatMap(([piece]) => (piece?.kind === 'part' ? [piece] : []));
  const beginning = commonPiece(alive, 'beginning', (text, part) => text.startsWith(part), steps);
  const end = commonPiece(alive, 'end', (text, part) => text.endsWith(part), steps);
  if (beginning === null || end === null) return null;
  return joinedTexts([...beginning, ...parts, ...end], filler).find(isFit) ?? null;
}

/** True when a text in comparable form satisfies every requirement. */
export const isTextFit = (requirements: readonly TextRequirement[], text: string, steps: Steps): boolean =>
  requirements.every((requirement) => {
    steps.spend(requirement.textSteps);
    return requirement.isMetBy(text);
  });

/** Returns a piece that satisfies all lists of a kind: none without such lists, null when no piece does. */
function commonPiece(
  lists: readonly (readonly TextPiece[])[],
  kind: 'beginning' | 'end',
  covers: (text: string, part: string) => boolean,
  steps: Steps,
): readonly TextPiece[] | null {
  const own = lists.filter(([piece]) => piece?.kind === kind);
  if (own.length === 0) return [];
  const common = own.flat().find(({ text }) =>
    own.every((list) => {
      steps.spend(list.length);
      return list.some((other) => covers(text, other.text));
    }),
  );
  return common === undefined ? null : [common];
}

/** Returns tags of an item or of the customer that together satisfy every requirement; null when there are none. */
export function findTags(requirements: readonly TextRequirement[], steps: Steps): readonly string[] | null {
  const isAboutNone = ({ predicate }: TextRequirement) => predicate.test === TEST.isEmpty;
  const [onNone, onTags] = [
    requirements.filter(isAboutNone),
    requirements.filter((each) => !isAboutNone(each)),
  ];
  const negatives = onTags.filter(({ negated }) => negated);
  const positives = onTags.filter(({ negated }) => !negated);
  const wantsSome = positives.length > 0 || onNone.some(({ negated }) => negated);
  if (onNone.some(({ negated }) => !negated)) return wantsSome ? null : [];
  if (!wantsSome) return [];
  // Each positive requirement may have its own tag; no tag may violate a negative requirement.
  const isTag = requirements[0]?.predicate.source === SOURCE.customerTags ? isCustomerTag : isItemTag;
  const tags = new Set<string>();
  for (const each of positives.length === 0 ? [negatives] : positives.map((one) => [one, ...negatives])) {
    const tag = findText(each, steps, isTag);
    if (tag === null) return null;
    tags.add(tag);
  }
  return [...tags];
}
