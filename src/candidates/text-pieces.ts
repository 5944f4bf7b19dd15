/**
 * Text pieces: what each alternative of a text condition asks of a text, and texts made of such pieces.
 *
 * Pieces are joined by a filler, a character that no operand has. A joined text then satisfies no alternative but those
 * that one of its pieces satisfies, so that one text for each choice of pieces stands for all texts that satisfy the
 * same conditions.
 */
import { type Predicate, TEST } from '../compile/predicate.ts';

export interface TextPiece {
  /** `whole`: the text is this one; the others: it begins with it, holds it, ends with it. */
  readonly kind: 'whole' | 'beginning' | 'part' | 'end';
  /** In comparable form. The beginning "" asks for a text that is not empty. */
  readonly text: string;
}

/** The pieces of which a text needs one to pass the positive test; none for `is_empty`. Not for postal codes. */
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
    default:
      return [];
  }
}

/** Characters from which the filler is chosen, in comparable form. */
const FILLERS = [...'xqz07jk_~\u00a4\u00a7\u25a1\u2300\ue000'];

/** A character that is not named; null when all are. */
export const fillerBeside = (isNamed: (character: string) => boolean): string | null =>
  FILLERS.find((filler) => !isNamed(filler)) ?? null;

/** Two texts that have all the pieces, none of which is whole: the first reads better, the second holds nothing else. */
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
 * One text for each combination of outcomes that conditions with these pieces can have, except for the empty text: first
 * each piece by itself, then `others`, then pieces of several conditions joined.
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

/** One piece or none of each list. */
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
