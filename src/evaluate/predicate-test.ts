/** Predicate tests: a text, tags or a postal code against compiled operands (contract section 3, "Conditions"). */
import { type Predicate, TEST } from '../compile/predicate.ts';
import type { PostalForm } from '../domain/postal-code.ts';

/** Tests a text in comparable form with the positive operator; the caller negates. */
export function testText(predicate: Predicate, subject: string): boolean {
  const { texts } = predicate;
  switch (predicate.test) {
    case TEST.equals:
      return isEqualToAny(predicate, subject);
    case TEST.contains:
      for (let i = 0; i < texts.length; i++) if (subject.includes(texts[i] as string)) return true;
      return false;
    case TEST.startsWith:
      for (let i = 0; i < texts.length; i++) if (subject.startsWith(texts[i] as string)) return true;
      return false;
    case TEST.endsWith:
      for (let i = 0; i < texts.length; i++) if (subject.endsWith(texts[i] as string)) return true;
      return false;
    default:
      return subject === '';
  }
}

function isEqualToAny({ texts, textSet, prefixes }: Predicate, subject: string): boolean {
  if (textSet === null) {
    for (let i = 0; i < texts.length; i++) if (subject === texts[i]) return true;
  } else if (textSet.has(subject)) {
    return true;
  }
  if (subject === '') return false;
  for (let i = 0; i < prefixes.length; i++) if (subject.startsWith(prefixes[i] as string)) return true;
  return false;
}

/** Tests tags. A positive operator matches if any tag matches; `is_empty` matches if there are no tags. */
export function testTags(predicate: Predicate, tags: readonly string[]): boolean {
  if (predicate.test === TEST.isEmpty) return tags.length === 0;
  for (let i = 0; i < tags.length; i++) if (testText(predicate, tags[i] as string)) return true;
  return false;
}

export function testNumber({ numbers, low, high }: Predicate, subject: number): boolean {
  return numbers.length === 0 ? subject >= low && subject <= high : numbers.includes(subject);
}

/** Tests a postal code. `code` and the operands are canonical in `form`. */
export function testPostalCode(predicate: Predicate, form: PostalForm, code: string): boolean {
  const { test, postal } = predicate;
  if (test === TEST.isEmpty || postal === null) return code === '';
  if (test === TEST.equals) return postal.owners(form).find(code) >= 0;
  const parts = postal.parts(form);
  if (test === TEST.contains) return parts.some((part) => code.includes(part));
  if (test === TEST.startsWith) return parts.some((part) => code.startsWith(part));
  return parts.some((part) => code.endsWith(part));
}
