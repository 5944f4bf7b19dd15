/** Copies what a button would send, as commands for a shell. Shown in the developer view only. */
import { Button, Menu } from '@mantine/core';
import type { Calls } from '../../client/call-table.ts';
import { useApp } from '../app-state.ts';
import { basePath } from '../service.ts';
import { curlText, requestsOf } from './curl.ts';

interface CopyAsCurlProps {
  /** Makes the calls; they are recorded and not sent. */
  readonly run: (calls: Calls) => Promise<unknown>;
  /** Above the commands. */
  readonly comment?: string | null;
  readonly label?: string;
  /** It stands in a menu. */
  readonly isItem?: boolean;
}

export function CopyAsCurl({ run, comment = null, label = 'Copy as curl', isItem = false }: CopyAsCurlProps) {
  const app = useApp();
  if (!app.isDeveloper.value) return null;
  const copy = async (): Promise<void> => {
    const requests = await requestsOf(basePath() + (app.signedIn.value?.shopPath ?? ''), run);
    const commands = requests.map((request) => curlText(location.origin, request));
    const text = [...(comment === null ? [] : [`# ${comment}`]), ...commands].join('\n');
    const done = requests.length === 1 ? 'Copied the call' : `Copied ${requests.length} calls`;
    app.say((await isCopied(text)) ? done : text);
  };
  if (isItem) return <Menu.Item onClick={copy}>{label}</Menu.Item>;
  return <Button onClick={copy}>{label}</Button>;
}

/** False where the text is not copied: a page without a secure origin has no clipboard, and a reader can refuse it. */
export async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
