/** A list of records beside the editor of the open one. The search text and the open record are in the link. */
import { Button, Paper } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { type ReactNode, useRef } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { linkTo } from '../place.ts';
import { type FieldOf, fieldOf, TextField } from './field.tsx';
import { Empty, FailureNotice, Loading } from './notice.tsx';
import { Page } from './page.tsx';
import { listPlace, RecordEditor } from './record-editor.tsx';
import type { RecordKind } from './record-kind.ts';
import { LongList } from './rows.tsx';
import type { Answer } from './use-answer.ts';
import { NEW, type RecordEditing, useRecord } from './use-record.ts';

interface ListedRecord {
  readonly id: string;
  readonly name: string;
}

/** The open record with what its editor shows of it. */
export interface Opened<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly draft: D;
  readonly field: FieldOf<D>;
  /** Its place in the list; -1 where it is not there. */
  readonly at: number;
}

interface RecordPageProps<D extends object, R extends ListedRecord> {
  readonly kind: RecordKind<D>;
  /** What a new record begins with. */
  readonly blank: D;
  /** Heading, such as `Zones`. */
  readonly title: string;
  /** What the records are for, in a sentence. */
  readonly description?: ReactNode;
  readonly answer: Answer<unknown>;
  readonly records: readonly R[];
  /** One line below the name; searched as well. */
  readonly detailOf: (record: R) => string;
  readonly badgeOf?: (record: R) => ReactNode;
  /** What stands beside the name where there is room, else below it. */
  readonly noteOf?: (record: R) => ReactNode;
  /** False for records that are left out of the list. */
  readonly isListed?: (record: R) => boolean;
  /** How much of what there is of the record, such as `3 methods`; "" while it is not known. */
  readonly figuresOf?: (record: R) => readonly string[];
  /** One sentence for a shop that has none. */
  readonly empty: ReactNode;
  /** Beside the button for a new one. */
  readonly actions?: ReactNode;
  /** Above the list, about all records. */
  readonly summary?: ReactNode;
  /** What else can be done with the open record. */
  readonly ownActions?: (draft: D) => ReactNode;
  /** The dialog of a deletion, where another one than usual is needed. */
  readonly deletion?: (opened: Opened<D>, onClose: () => void) => ReactNode;
  /** Above the form of the open record, and below it. */
  readonly above?: (opened: Opened<D>) => ReactNode;
  readonly below?: (opened: Opened<D>) => ReactNode;
  /** The fields of the open record. */
  readonly children: (opened: Opened<D>) => ReactNode;
}

/** The key of the editor of the open record: another one for each record, but the editor stays when a record is created. */
export function useEditorKey(open: string): number {
  const app = useApp();
  const session = useRef({ open, number: 0 });
  const { open: last, number } = session.current;
  const isCreated = last === NEW && open === app.created;
  if (open !== last) session.current = { open, number: isCreated ? number : number + 1 };
  return session.current.number;
}

export function RecordPage<D extends object, R extends ListedRecord>(props: RecordPageProps<D, R>) {
  const { kind, title, description, actions, answer, records } = props;
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const { open = '' } = app.place.value.parameters;
  const key = useEditorKey(open);
  const isNone = answer.value !== null && records.length === 0;
  return (
    <Page
      title={
        <>
          {title} <span className="count">{answer.value === null ? '…' : records.length}</span>
        </>
      }
      description={description}
      action={
        <>
          {actions}
          {mayWrite && !isNone ? <NewButton noun={kind.noun} /> : null}
        </>
      }
    >
      <div className={`records ${open === '' ? '' : 'with-record'}`}>
        <RecordList {...props} open={open} />
        {open === '' ? null : <OpenRecord key={key} {...props} id={open} />}
      </div>
    </Page>
  );
}

function NewButton({ noun }: { noun: string }) {
  const app = useApp();
  return (
    <Button
      variant="filled"
      leftSection={<IconPlus size={16} />}
      onClick={() => app.set({ open: NEW }, false)}
    >
      New {noun}
    </Button>
  );
}

type OpenRecordProps<D extends object, R extends ListedRecord> = RecordPageProps<D, R> & {
  readonly id: string;
};

function OpenRecord<D extends object, R extends ListedRecord>(props: OpenRecordProps<D, R>) {
  const { kind, blank, answer, records, id, ownActions, deletion, above, below, children } = props;
  const editing = useRecord(kind, id, blank);
  const { draft } = editing;
  const at = records.findIndex((record) => record.id === id);
  const opened = draft && { editing, draft, at, field: fieldOf(draft, editing.set) };
  return (
    <RecordEditor
      editing={editing}
      // What is moved by the order of before does not move.
      place={listPlace(answer.isLoading ? -1 : at, [...records.keys()])}
      actions={opened && ownActions?.(opened.draft)}
      deletion={opened && deletion ? (onClose) => deletion(opened, onClose) : undefined}
      above={opened && above?.(opened)}
      below={opened && below?.(opened)}
    >
      {opened && children(opened)}
    </RecordEditor>
  );
}

type RecordListProps<D extends object, R extends ListedRecord> = RecordPageProps<D, R> & {
  readonly open: string;
};

function RecordList<D extends object, R extends ListedRecord>(props: RecordListProps<D, R>) {
  const { kind, title, answer, records, detailOf, badgeOf, noteOf, figuresOf, empty, summary, open } = props;
  const { page, noun } = kind;
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const { find = '' } = app.place.value.parameters;
  const wanted = find.trim().toLowerCase();
  const found = records.filter(
    (record) =>
      props.isListed?.(record) !== false &&
      `${record.name}\n${detailOf(record)}`.toLowerCase().includes(wanted),
  );
  return (
    <Paper
      component="section"
      aria-label={title}
      className={`panel stack list ${open === '' ? '' : 'pane'}`}
      aria-busy={answer.isLoading}
    >
      {answer.value === null ? null : <FailureNotice failure={answer.failure} />}
      {summary}
      {answer.value === null ? (
        <Loading what={title.toLowerCase()} failure={answer.failure} rows={6} />
      ) : records.length === 0 ? (
        <Empty title={`No ${noun} yet`} sentence={empty}>
          {mayWrite ? <NewButton noun={noun} /> : undefined}
        </Empty>
      ) : (
        <>
          <TextField
            label={`Search ${title.toLowerCase()}`}
            type="search"
            value={find}
            onValue={(text) => app.set({ find: text })}
          />
          {found.length === 0 ? (
            <Empty title={`No ${noun} has this text`}>
              <Button onClick={() => app.set({ find: '' })}>Show all</Button>
            </Empty>
          ) : null}
          <LongList rows={found} className="lines record-rows">
            {(record) => (
              <a
                href={linkTo(page, { find, open: record.id })}
                data-row
                aria-current={record.id === open ? 'true' : undefined}
              >
                <strong className="two-lines" title={record.name}>
                  {record.name}
                </strong>{' '}
                {badgeOf?.(record)}{' '}
                {app.drafts.has(`${page} ${record.id}`) ? (
                  <span className="badge warning">not saved</span>
                ) : null}
                <span className="quiet">{detailOf(record)}</span>
                {noteOf === undefined ? null : <span className="note">{noteOf(record)}</span>}
                {figuresOf === undefined ? null : (
                  <span className="figures">
                    {figuresOf(record).map((figure, at) => (
                      <span key={at}>{figure}</span>
                    ))}
                  </span>
                )}
              </a>
            )}
          </LongList>
        </>
      )}
    </Paper>
  );
}
