/** The JSON text of an answer before it is bytes. */

/**
 * ASCII text in parts: written one behind the other they are the answer. One string of them would be a tree that
 * the engine first makes flat, in new memory, and then writes out.
 */
export type AnswerText = readonly string[];

/** Characters, and bytes once written. */
export function lengthOf(text: AnswerText): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) length += (text[i] as string).length;
  return length;
}

/** For those who do not write it out. */
export const joinedText = (text: AnswerText): string => text.join('');
