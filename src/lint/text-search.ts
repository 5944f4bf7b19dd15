/**
 * Text search: a text that satisfies a set of text requirements, or the certainty that there is none.
 *
 * Exact, by this argument. If an `equals` without prefixes is required, only its texts can do and each is
 * tried. Otherwise take from each requirement what it forces into the text (a beginning, an end, a part)
 * and join the pieces by a character that no requirement names: the result breaks a negative requirement
 * only if one of the pieces breaks it, and then every text with that piece does.
 */
import { TEST } from '../compile/predicate.ts';
import { PieceSet } from './piece-set.ts';
import type { Requirement } from './requirement.ts';
import type { Steps } from './steps.ts';

/** Which texts there are at all, in comparable form. */
export interface TextUniverse {
  readonly allowsEmpty: boolean;
  /** True when a text may hold this part. */
  admits(part: string): boolean;
}

export const ANY_TEXT: TextUniverse = { allowsEmpty: true, admits: () => true };
/** Tags are what stands between commas. */
const TAG_TEXT: TextUniverse = { allowsEmpty: false, admits: (part) => !part.includes(',') };

/** Fillers to choose from: in comparable form, and of no meaning to a merchant. */
const FILLERS = [
  'x',
  'q',
  'z',
  '0',
  '7',
  'j',
  'k',
  '_',
  '~',
  '\u00a4',
  '\u00a7',
  '\u25a1',
  '\u2300',
  '\ue000',
];

type Piece = 'beginning' | 'part' | 'end';

/**
 * A text of the universe that satisfies every requirement; null only when there is none. (Where the
 * requirements name every filler, it may be a text that does not fit.)
 */
export function findText(
  requirements: readonly Requirement[],
  universe: TextUniverse,
  steps: Steps,
): string | null {
  const isFit = (text: string): boolean =>
    (text === '' ? universe.allowsEmpty : universe.admits(text)) && isTextFit(requirements, text, steps);
  if (isFit('')) return '';
  const positives = requirements.filter((requirement) => !requirement.negated);
  const negatives = requirements.filter((requirement) => requirement.negated);
  for (const { predicate } of positives) {
    if (predicate.test === TEST.isEmpty) return null;
    if (predicate.test !== TEST.equals) continue;
    for (const text of predicate.textSet ?? predicate.texts) if (isFit(text)) return text;
    if (predicate.prefixes.length === 0) return null;
  }
  return joinPieces(positives, negatives, universe, isFit, steps);
}

/** Whether a text in comparable form satisfies every requirement. */
export const isTextFit = (requirements: readonly Requirement[], text: string, steps: Steps): boolean =>
  requirements.every((requirement) => {
    steps.spend(requirement.textSteps);
    return requirement.isMetBy(text);
  });

function joinPieces(
  positives: readonly Requirement[],
  negatives: readonly Requirement[],
  universe: TextUniverse,
  isFit: (text: string) => boolean,
  steps: Steps,
): string | null {
  const isAlive = (text: string, piece: Piece): boolean =>
    universe.admits(text) &&
    !negatives.some((negative) => {
      steps.spend(negative.textSteps);
      return forbids(negative, text, piece);
    });
  const beginnings: (readonly string[])[] = [];
  const ends: (readonly string[])[] = [];
  const parts: string[] = [];
  for (const { predicate } of positives) {
    const { test, texts, prefixes } = predicate;
    if (test === TEST.contains) {
      const part = texts.find((text) => isAlive(text, 'part'));
      if (part === undefined) return null;
      parts.push(part);
    } else if (test === TEST.endsWith) {
      ends.push(texts.filter((text) => isAlive(text, 'end')));
    } else {
      beginnings.push((test === TEST.equals ? prefixes : texts).filter((text) => isAlive(text, 'beginning')));
    }
  }
  const beginning = firstCompatible(beginnings, (set, text) => set.beginsIn(text), steps);
  const end = firstCompatible(ends, (set, text) => set.endsIn(text), steps);
  if (beginning === null || end === null) return null;
  const pieces = [beginning, ...parts, end];
  for (const filler of FILLERS) {
    // The plain joins read better; the last is the one that must do if any does.
    const found = [
      beginning + parts.join(' ') + end,
      pieces.filter((text) => text !== '').join(filler),
      pieces.join(filler),
      pieces.join(filler + filler),
    ].find((text) => text.trim() === text && isFit(text));
    if (found !== undefined) return found;
  }
  // A filler that no operand holds, and that failed, proves that all do.
  const isNamed = (filler: string) => [...positives, ...negatives].some((each) => each.names(filler));
  return FILLERS.every(isNamed) ? beginning + end : null;
}

/** True when every text with this piece breaks the negative requirement. */
function forbids(negative: Requirement, text: string, piece: Piece): boolean {
  const { test, texts } = negative.predicate;
  switch (test) {
    case TEST.equals:
      return negative.hasPrefixOf(piece === 'beginning' ? text : '');
    case TEST.contains:
      return texts.some((part) => text.includes(part));
    case TEST.startsWith:
      return piece === 'beginning' && texts.some((prefix) => text.startsWith(prefix));
    case TEST.endsWith:
      return piece === 'end' && texts.some((end) => text.endsWith(end));
    default:
      return false;
  }
}

/**
 * The beginning (or end) that fits all lists: one text, of which each list holds a piece. "" without lists,
 * null when there is none. `reaches` looks at the side of the text that counts.
 */
function firstCompatible(
  lists: readonly (readonly string[])[],
  reaches: (set: PieceSet, text: string) => boolean,
  steps: Steps,
): string | null {
  if (lists.length === 0) return '';
  const sets = lists.map((list) => new PieceSet(list));
  for (const list of lists) {
    for (const text of list) {
      const fits = sets.every((set) => {
        steps.spend(set.lookups);
        return reaches(set, text);
      });
      if (fits) return text;
    }
  }
  return null;
}

/** Tags that together satisfy every requirement on the tags of an item; null when no tags do. */
export function findTags(requirements: readonly Requirement[], steps: Steps): readonly string[] | null {
  const isAboutNone = ({ predicate }: Requirement) => predicate.test === TEST.isEmpty;
  const positives = requirements.filter((each) => !each.negated && !isAboutNone(each));
  const negatives = requirements.filter((each) => each.negated && !isAboutNone(each));
  const wantsSome = requirements.some((each) => each.negated && isAboutNone(each));
  if (requirements.some((each) => !each.negated && isAboutNone(each))) {
    return positives.length === 0 && !wantsSome ? [] : null;
  }
  // Each positive one may be satisfied by a tag of its own, and no tag may break a negative one.
  const wanted =
    positives.length === 0 && wantsSome ? [negatives] : positives.map((each) => [each, ...negatives]);
  const tags: string[] = [];
  for (const each of wanted) {
    const tag = findText(each, TAG_TEXT, steps);
    if (tag === null) return null;
    tags.push(tag);
  }
  return [...new Set(tags)];
}
