/** Who changed what no version describes: keys, settings, the plan, secrets, and what became of drafts. */
import { Button, Table, Text } from '@mantine/core';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { timeText } from '../english.ts';
import { Values } from '../parts/difference.tsx';
import { differentValues } from '../parts/different-values.ts';
import { Answered, Empty } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { capitalized, isolated } from '../words.ts';
import { byDay } from './by-day.ts';

type AuditEntry = Schemas['AuditEntry'];

const DONE: Readonly<Record<AuditEntry['action'], string>> = {
  key_created: 'made the key',
  key_changed: 'changed the key',
  key_revoked: 'revoked the key',
  settings_changed: 'changed the settings',
  plan_changed: 'changed the plan',
  secret_set: 'set the secret of',
  secret_removed: 'removed the secret of',
  changeset_entered: 'opened the draft',
  changeset_promoted: 'published the draft',
  changeset_forced: 'published the draft',
  changeset_discarded: 'discarded the draft',
};

export function AuditList() {
  const app = useApp();
  const { calls } = useSignedIn();
  const { before = '' } = app.place.value.parameters;
  const answer = useAnswer(
    (signal) => calls.listAudit({ query: before === '' ? {} : { cursor: before }, signal }),
    [before],
  );
  const next = answer.value?.nextCursor ?? null;
  return (
    <section className="panel stack" aria-label="Keys, settings, drafts" aria-busy={answer.isLoading}>
      <Answered answer={answer} what="who did what">
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty title="Nothing was changed yet" sentence="Keys, settings and drafts are listed here." />
          ) : (
            byDay(entries, ({ at }) => at).map(([day, done]) => (
              <section key={day} aria-label={day}>
                <h2 className="section-title">{day}</h2>
                <Table>
                  <Table.Tbody>
                    {done.map((entry) => (
                      <AuditRow key={entry.id} entry={entry} />
                    ))}
                  </Table.Tbody>
                </Table>
              </section>
            ))
          )
        }
      </Answered>
      <div className="row wrap">
        {before === '' ? null : <Button onClick={() => app.set({ before: '' }, false)}>Newest</Button>}
        {next === null ? null : <Button onClick={() => app.set({ before: next }, false)}>Older</Button>}
      </div>
    </section>
  );
}

function AuditRow({
  entry: { at, keyId, keyLabel, action, subject, before, after },
}: {
  readonly entry: AuditEntry;
}) {
  const { isDeveloper } = useApp();
  const isDraft = action.startsWith('changeset_');
  return (
    <Table.Tr>
      <Table.Td w="6rem" className="quiet">
        {timeText(at)}
      </Table.Td>
      <Table.Td>
        <Text span fw={500}>
          {keyId === null ? capitalized(keyLabel) : keyLabel}
        </Text>{' '}
        {DONE[action]} {subjectText(subject)}
        {action === 'changeset_forced' ? ' despite the rules for publishing' : ''}
        {isDraft && !isDeveloper.value ? (
          // The rest are ids; a draft has its note from its beginning to its end.
          <p className="quiet">{noteOf(before) || noteOf(after)}</p>
        ) : (
          <Values
            values={differentValues(before, after).filter(({ from, to }) => from != null || to != null)}
            names={null}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

const noteOf = (state: AuditEntry['before']): string => String(state?.['note'] ?? '');

/** Nothing where the action names it already. */
const subjectText = ({ kind, name }: AuditEntry['subject']): string =>
  name === '' || kind === 'shop' ? '' : `“${isolated(name)}”`;
