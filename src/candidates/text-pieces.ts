/**
 * Text pieces: what each alternative of a text condition requires of a text, and texts made of such pieces.
 *
 * Pieces are joined by a filler, a character that no operand contains. A joined text then satisfies an alternative only
 * if one of its pieces does. So one text for each choice of pieces represents all texts that satisfy the same
 * conditions.
 */
import { type Predicate, TEST } from '../compile/predicate.ts';

export interface TextPiece {
  /** Whether the text equals the piece, begins with it, contains it or ends with it. */
  readonly kind: 'whole' | 'beginning' | 'part' | 'end';
  /** In comparable form. The beginning "" means any text that is not empty. */
  readonly text: string;
}

/** A text passes the positive test if it has one of these pieces; none for `is_empty`. Not for postal codes. */
export function piecesOf({ test, texts, textSet, prefixes }: Predicate): readonly TextPiece[] {
  const of = (kind: TextPiece['kind'], list: Iterable<string>): TextPiece[] =>
    Array.from(list, (text) => ({ kind, text }));
  switch (test) {
    case TEST.equals:
      return [...of('whole', textSet ?? texts), ...of('beginning', prefixes)];
    case TEST.contains:
      return of('part', texts);
    case TEST.startsWith:
      return of('beginning', texts);
    case TEST.endsWith:
      return of('end', texts);
    case TEST.isEmpty:
    case TEST.number:
      return [];
  }
}

/** Candidates for the filler, in comparable form. */
const FILLERS = [...'xqz07jk_~\u00a4\u00a7\u25a1\u2300\ue000'];

/** Returns a filler that is not named; null when all candidates are. */
export const fillerBeside = (isNamed: (character: string) => boolean): string | null =>
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
