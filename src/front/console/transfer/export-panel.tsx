/** The configuration as a file that an import takes. */
import { Button, Group, Text } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useState } from 'react';
import type { CallFailure } from '../../client/call-outcome.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { FailureNotice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';

type View = 'live' | 'staged';

const CONTENTS = [
  ['zones', 'zone'],
  ['groups', 'product group'],
  ['methods', 'method'],
  ['blendedRates', 'blended rate'],
  ['checks', 'check'],
] as const;

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
    const name = `${slug(shop.name)}-${view === 'live' ? outcome.value.versionId : 'draft'}.json`;
    download(name, outcome.value);
    app.say(`Saved ${name}`);
  };
  const { value } = useAnswer((signal) => calls.getShop({ signal }), []);
  const usage = value && { ...value.shop.usage, ...value.shop.usage.staged };
  const button = (view: View, text: string) => (
    <Button leftSection={<IconDownload size={16} />} loading={busy === view} onClick={() => save(view)}>
      {text}
    </Button>
  );
  return (
    <section className="panel stack" aria-label="Export">
      <h2>Export</h2>
      <p>Everything that prices depend on, with all rules and checks. Importing the file changes nothing.</p>
      <Group gap="4px 20px" component="ul" className="lines">
        {CONTENTS.map(([kind, name]) => (
          <li key={kind}>
            <Text span fz="lg" fw={600}>
              {usage?.[kind] ?? '…'}
            </Text>{' '}
            <span className="quiet">{usage?.[kind] === 1 ? name : `${name}s`}</span>
          </li>
        ))}
      </Group>
      <FailureNotice failure={failure} />
      <div className="row wrap">
        {button('live', 'Download the live configuration')}
        {app.changeset.value === null ? null : button('staged', 'Download the draft')}
      </div>
    </section>
  );
}
