/**
 * Text search: finds a text that satisfies a set of text requirements, or proves that there is none.
 *
 * Why the search is exact: if only listed texts are possible, each is tried. Otherwise it takes a piece of each
 * positive requirement and joins the pieces by a filler that no requirement names. The result violates a negative
 * requirement only if one of the pieces, or every text that is not empty, violates it; then no text satisfies all
 * requirements.
 */
import { SOURCE } from '../compile/compared-value.ts';
import { TEST } from '../compile/predicate.ts';
import type { Requirement } from './requirement.ts';
import type { Steps } from './steps.ts';
import { fillerBeside, joinedTexts, type TextPiece } from './text-pieces.ts';

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
  requirements: readonly Requirement[],
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
export const isTextFit = (requirements: readonly Requirement[], text: string, steps: Steps): boolean =>
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
