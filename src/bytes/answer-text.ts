/** Answer text: the JSON text of an answer before it is encoded. */

/**
 * The ASCII parts of an answer, in order. Concatenation would build a rope, which V8 copies into new memory before it
 * writes the bytes.
 */
export type AnswerText = readonly string[];

/** Number of characters, which is the number of bytes. */
export function lengthOf(text: AnswerText): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) length += (text[i] as string).length;
  return length;
}

/** The answer as one string, for callers that do not send it. */
export const joinedText = (text: AnswerText): string => text.join('');
