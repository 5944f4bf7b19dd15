/** False where the text is not copied: a page without a secure origin has no clipboard, and a reader can refuse it. */
export async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
