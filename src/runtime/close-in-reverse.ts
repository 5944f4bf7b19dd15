/** Closes the parts of a program. */
import { asError } from './thrown-error.ts';

/** Calls and removes all functions, the last first. When one of them rejects, `onError` gets the error. */
export async function closeInReverse(
  closing: (() => Promise<void>)[],
  onError: (error: Error) => void,
): Promise<void> {
  for (const close of closing.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      onError(asError(error));
    }
  }
}
