/**
 * Text search: a text that satisfies a set of text requirements, or the certainty that there is none.
 *
 * Exact, by this argument. Where only listed texts can do, each is tried. Otherwise a piece is taken from each positive
 * requirement, and the pieces are joined by a filler that no requirement names: the result breaks a negative
 * requirement only if one of the pieces does, or every text that is not empty: then no text satisfies them all.
 */
import { TEST } from '../compile/predicate.ts';
import type { Requirement } from './requirement.ts';
import type { Steps } from './steps.ts';
import { fillerBeside, joinedTexts, type TextPiece } from './text-pieces.ts';

/**
 * A text in comparable form that satisfies every requirement; null only when there is none. The search is given up where
 * the requirements name every filler.
 */
export function findText(requirements: readonly Requirement[], steps: Steps, isTag = false): string | null {
  // Tags are what stands between commas.
  const isThere = (text: string) => !isTag || (text !== '' && !text.includes(','));
  const isFit = (text: string): boolean => isThere(text) && isTextFit(requirements, text, steps);
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
      .every((text) => isThere(text) && isTextFit(negatives, text, steps));
  const alive = positives.map(({ pieces }) => pieces.filter(isAlive));
  if (alive.some((pieces) => pieces.length === 0)) return null;
  const parts = alive.flatMap(([piece]) => (piece?.kind === 'part' ? [piece] : []));
  const beginning = commonPiece(alive, 'beginning', (text, part) => text.startsWith(part), steps);
  const end = commonPiece(alive, 'end', (text, part) => text.endsWith(part), steps);
  if (beginning === null || end === null) return null;
  return joinedTexts([...beginning, ...parts, ...end], filler).find(isFit) ?? null;
}

/** Whether a text in comparable form satisfies every requirement. */
export const isTextFit = (requirements: readonly Requirement[], text: string, steps: Steps): boolean =>
  requirements.every((requirement) => {
    steps.spend(requirement.textSteps);
    return requirement.isMetBy(text);
  });

/** The piece of a kind that will do for all lists of that kind; none without such lists, null when there is none. */
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

/** Tags that together satisfy every requirement on the tags of an item; null when no tags do. */
export function findTags(requirements: readonly Requirement[], steps: Steps): readonly string[] | null {
  const isAboutNone = ({ predicate }: Requirement) => predicate.test === TEST.isEmpty;
  const [onNone, onTags] = [
    requirements.filter(isAboutNone),
    requirements.filter((each) => !isAboutNone(each)),
  ];
  const negatives = onTags.filter(({ negated }) => negated);
  const positives = onTags.filter(({ negated }) => !negated);
  const wantsSome = positives.length > 0 || onNone.some(({ negated }) => negated);
  if (onNone.some(({ negated }) => !negated)) return wantsSome ? null : [];
  if (!wantsSome) return [];
  // Each positive one may be satisfied by a tag of its own, and no tag may break a negative one.
  const tags = new Set<string>();
  for (const each of positives.length === 0 ? [negatives] : positives.map((one) => [one, ...negatives])) {
    const tag = findText(each, steps, true);
    if (tag === null) return null;
    tags.add(tag);
  }
  return [...tags];
}
