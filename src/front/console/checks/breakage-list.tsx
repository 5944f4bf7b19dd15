/** What broke the failing checks, one entry for each version: what it changed, and the way back before it. */
import { Anchor, Button, Group, Title } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { RollbackDialog } from '../history/history-page.tsx';
import { Notice } from '../parts/notice.tsx';
import { VersionDifference, VersionSentence } from '../parts/versions.tsx';
import { linkTo } from '../place.ts';
import { counted, isolated, listed } from '../words.ts';
import type { Breakage, Breakages } from './breakages.ts';

interface BreakageListProps {
  readonly breakages: Breakages;
  /** The version that is live. */
  readonly liveId: string | null;
  readonly checks: readonly Schemas['Check'][];
}

export function BreakageList({ breakages, liveId, checks }: BreakageListProps) {
  const groups = new Map<string, { readonly breakage: Breakage; readonly names: string[] }>();
  for (const { id, name } of checks) {
    const breakage = breakages.get(id);
    if (breakage === undefined) continue;
    const key = breakage.by === 'version' ? breakage.version.id : breakage.by === 'draft' ? breakage.by : id;
    const group = groups.get(key) ?? { breakage, names: [] };
    group.names.push(`“${isolated(name)}”`);
    groups.set(key, group);
  }
  return [...groups].map(([key, { breakage, names }]) => (
    <Broken key={key} {...{ breakage, liveId }} what={listed(names)} isAlone={groups.size === 1} />
  ));
}

interface BrokenProps {
  readonly breakage: Breakage;
  /** The names of the checks. */
  readonly what: string;
  readonly liveId: string | null;
  readonly isAlone: boolean;
}

function Broken({ breakage, ...props }: BrokenProps) {
  const { what } = props;
  if (breakage.by === 'version') return <BrokenByVersion {...props} {...breakage} />;
  if (breakage.by === 'none') {
    return (
      <Notice kind="info">
        {breakage.tried === 0
          ? `${what} has not passed with any version: look at what it expects.`
          : `${what} passes with none of the last ${counted(breakage.tried, 'version')} that changed its rates: look at what it expects.`}
      </Notice>
    );
  }
  return (
    <Notice kind="bad">
      <p>
        <strong>The draft broke {what}</strong>: passes live, fails in the draft.
      </p>
      <Anchor href={linkTo('changeset')}>Look at the draft</Anchor>
    </Notice>
  );
}

type BrokenByVersionProps = Omit<BrokenProps, 'breakage'> & Extract<Breakage, { readonly by: 'version' }>;

function BrokenByVersion({ what, version, before, liveId, isAlone }: BrokenByVersionProps) {
  const { changeset } = useApp();
  const { mayWrite } = useSignedIn();
  const [isAsked, setAsked] = useState(false);
  const { id, number } = version;
  return (
    <Notice kind="bad">
      <Group justify="space-between" align="start" gap="xs">
        <Title order={2} size="h3">
          Version {number} broke {what}
        </Title>
        <Group gap="sm">
          <Anchor href={linkTo('history', { open: id })}>Open version {number}</Anchor>
          {mayWrite && changeset.value === null ? (
            <Button size="compact-md" onClick={() => setAsked(true)}>
              {id === liveId ? 'Undo…' : 'Go back before it…'}
            </Button>
          ) : null}
        </Group>
      </Group>
      <details open={isAlone}>
        <summary>
          <VersionSentence version={version} />
        </summary>
        <VersionDifference from={String(before)} to={String(number)} />
      </details>
      {changeset.value === null ? null : (
        <p className="quiet">It can be undone once the draft is published or discarded.</p>
      )}
      {isAsked ? <RollbackDialog number={before} onClose={() => setAsked(false)} /> : null}
    </Notice>
  );
}
