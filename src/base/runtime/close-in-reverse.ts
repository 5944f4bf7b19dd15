/** Closes the parts of a program. */
import { asError } from './thrown-error.ts';

/** Calls and removes all functions, the last first. Resolves with false when one rejected; `onError` gets its error. */
export async function closeInReverse(
  closing: (() => Promise<void>)[],
  onError: (error: Error) => void,
): Promise<boolean> {
  let isComplete = true;
  for (const close of closing.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      isComplete = false;
      onError(asError(error));
    }
  }
  return isComplete;
}
