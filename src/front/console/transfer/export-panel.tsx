/** The configuration as a file that an import takes. */
import { useState } from 'preact/hooks';
import type { CallFailure } from '../../client/call-outcome.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { FailureNotice } from '../parts/notice.tsx';

type View = 'live' | 'staged';

/** `larkspur-pine`: a name for files that every system accepts. */
const slug = (name: string): string =>
  name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-') ?? 'shop';

function download(name: string, value: unknown): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }),
  );
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

export function ExportPanel() {
  const app = useApp();
  const { calls, shop } = useSignedIn();
  const [busy, setBusy] = useState<View | null>(null);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const save = async (view: View): Promise<void> => {
    setBusy(view);
    const outcome = app.seen(await calls.getConfig({ query: { view } }));
    setBusy(null);
    setFailure(outcome.ok ? null : outcome);
    if (!outcome.ok) return;
    const name = `${slug(shop.name)}-${view === 'live' ? outcome.value.versionId : 'changeset'}.json`;
    download(name, outcome.value);
    app.message.value = `Saved ${name}`;
  };
  const button = (view: View, text: string) => (
    <button type="button" aria-busy={busy === view} onClick={() => save(view)}>
      {text}
    </button>
  );
  return (
    <section class="panel stack" aria-label="Export">
      <h2>Export</h2>
      <p>
        All zones, groups, methods with their rules, blended rates and checks. Importing the file changes
        nothing.
      </p>
      <FailureNotice failure={failure} />
      <div class="row wrap">
        {button('live', 'Download the live configuration')}
        {app.changeset.value === null ? null : button('staged', 'Download the changeset')}
      </div>
    </section>
  );
}
