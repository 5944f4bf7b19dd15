/** A list of records beside the editor of the open one. The search text and the open record are in the link. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { linkTo } from '../place.ts';
import { type FieldOf, fieldOf, TextField } from './field.tsx';
import { LongList } from './long-list.tsx';
import { FailureNotice, Loading } from './notice.tsx';
import { listPlace, RecordEditor } from './record-editor.tsx';
import type { RecordKind } from './record-kind.ts';
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
  readonly answer: Answer<unknown>;
  readonly records: readonly R[];
  /** One line below the name; searched as well. */
  readonly detailOf: (record: R) => string;
  readonly badgeOf?: (record: R) => ComponentChildren;
  /** One sentence for a shop that has none. */
  readonly empty: ComponentChildren;
  /** Beside the button for a new one. */
  readonly actions?: ComponentChildren;
  /** Above the list, about all records. */
  readonly summary?: ComponentChildren;
  /** What else can be done with the open record. */
  readonly ownActions?: (draft: D) => ComponentChildren;
  /** Above the form of the open record, and below it. */
  readonly above?: (opened: Opened<D>) => ComponentChildren;
  readonly below?: (opened: Opened<D>) => ComponentChildren;
  /** The fields of the open record. */
  readonly children: (opened: Opened<D>) => ComponentChildren;
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
  const { open = '' } = useApp().place.value.parameters;
  const key = useEditorKey(open);
  return (
    <div class={`records ${open === '' ? '' : 'with-record'}`}>
      <h1 class="only-read">{props.title}</h1>
      <RecordList {...props} open={open} />
      {open === '' ? null : <OpenRecord key={key} {...props} id={open} />}
    </div>
  );
}

type OpenRecordProps<D extends object, R extends ListedRecord> = RecordPageProps<D, R> & {
  readonly id: string;
};

function OpenRecord<D extends object, R extends ListedRecord>(props: OpenRecordProps<D, R>) {
  const { kind, blank, records, id, ownActions, above, below, children } = props;
  const editing = useRecord(kind, id, blank);
  const { draft } = editing;
  const at = records.findIndex((record) => record.id === id);
  const opened = draft && { editing, draft, at, field: fieldOf(draft, editing.set) };
  return (
    <RecordEditor
      editing={editing}
      place={listPlace(at, [...records.keys()])}
      actions={opened && ownActions?.(opened.draft)}
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
  const { kind, title, answer, records, detailOf, badgeOf, empty, actions, summary, open } = props;
  const { page, noun } = kind;
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const { find = '' } = app.place.value.parameters;
  const wanted = find.trim().toLowerCase();
  const found = records.filter((record) =>
    `${record.name}\n${detailOf(record)}`.toLowerCase().includes(wanted),
  );
  return (
    <div class={`panel stack list ${open === '' ? '' : 'pane'}`} aria-busy={answer.isLoading}>
      <div class="row between wrap">
        <h2>
          {title} <span class="count">{answer.value === null ? '…' : records.length}</span>
        </h2>
        <div class="row wrap">
          {actions}
          {mayWrite ? (
            <button
              type="button"
              class={open === '' ? 'primary' : ''}
              onClick={() => app.set({ open: NEW }, false)}
            >
              New {noun}
            </button>
          ) : null}
        </div>
      </div>
      {answer.value === null ? null : <FailureNotice failure={answer.failure} />}
      {summary}
      {answer.value === null ? (
        <Loading what={title.toLowerCase()} failure={answer.failure} />
      ) : records.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <>
          <TextField
            label={`Search ${title.toLowerCase()}`}
            type="search"
            value={find}
            onValue={(text) => app.set({ find: text })}
          />
          {found.length === 0 ? <p class="quiet">No {noun} has this text.</p> : null}
          <LongList rows={found} class="lines record-rows">
            {(record) => (
              <a
                href={linkTo(page, { find, open: record.id })}
                data-row
                aria-current={record.id === open ? 'true' : undefined}
              >
                <strong>{record.name}</strong> {badgeOf?.(record)}{' '}
                {app.drafts.has(`${page} ${record.id}`) ? <span class="badge warning">not saved</span> : null}
                <span class="quiet">{detailOf(record)}</span>
              </a>
            )}
          </LongList>
        </>
      )}
    </div>
  );
}
