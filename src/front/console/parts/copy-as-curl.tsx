/** A button that copies what another one would send, as commands for a shell. */
import type { Calls } from '../../client/call-table.ts';
import { useApp } from '../app-state.ts';
import { basePath } from '../service.ts';
import { isCopied } from './clipboard.ts';
import { curlText, requestsOf } from './curl.ts';

interface CopyAsCurlProps {
  /** Makes the calls; they are recorded and not sent. */
  readonly run: (calls: Calls) => Promise<unknown>;
  /** Above the commands. */
  readonly comment?: string | null;
  /** Of the button. */
  readonly label?: string;
}

export function CopyAsCurl({ run, comment = null, label = 'Copy as curl' }: CopyAsCurlProps) {
  const app = useApp();
  const copy = async (): Promise<void> => {
    const requests = await requestsOf(basePath(), run);
    const commands = requests.map((request) => curlText(location.origin, request));
    const text = [...(comment === null ? [] : [`# ${comment}`]), ...commands].join('\n');
    const done = requests.length === 1 ? 'Copied the call' : `Copied ${requests.length} calls`;
    app.message.value = (await isCopied(text)) ? done : text;
  };
  return (
    <button type="button" onClick={copy}>
      {label}
    </button>
  );
}
