/**
 * A list of records beside the editor of the open one. The search text and the open record are in the link.
 */
import { type ComponentChildren, Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { formatPlace } from '../place.ts';
import { TextField } from './field.tsx';
import { LongList } from './long-list.tsx';
import { FailureNotice, Loading } from './notice.tsx';
import type { Answer } from './use-answer.ts';
import { NEW } from './use-record.ts';

export interface ListedRow {
  readonly id: string;
  readonly name: string;
  /** One line below the name; searched as well. */
  readonly detail: string;
  readonly badge?: ComponentChildren;
}

interface RecordListProps {
  readonly page: string;
  readonly noun: string;
  /** Heading, such as `Zones`. */
  readonly title: string;
  readonly answer: Answer<unknown>;
  readonly rows: readonly ListedRow[];
  /** One sentence for a shop that has none. */
  readonly empty: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** What is said about all of them. */
  readonly summary?: ComponentChildren;
  /** The editor of the open record. */
  readonly editor: (id: string) => ComponentChildren;
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

export function RecordPage({ editor, ...list }: RecordListProps) {
  const { open = '' } = useApp().place.value.parameters;
  const key = useEditorKey(open);
  return (
    <div class={`records ${open === '' ? '' : 'with-record'}`}>
      <h1 class="only-read">{list.title}</h1>
      <RecordList {...list} open={open} />
      {open === '' ? null : <Fragment key={key}>{editor(open)}</Fragment>}
    </div>
  );
}

function RecordList(props: Omit<RecordListProps, 'editor'> & { readonly open: string }) {
  const { page, noun, title, answer, rows, empty, actions, summary, open } = props;
  const app = useApp();
  const mayWrite = useSignedIn().key.permission !== 'read';
  const { find = '' } = app.place.value.parameters;
  const wanted = find.trim().toLowerCase();
  const found = rows.filter(({ name, detail }) => `${name}\n${detail}`.toLowerCase().includes(wanted));
  const linkTo = (id: string): string => formatPlace({ page, parameters: { find, open: id } });
  return (
    <div class={`panel stack list ${open === '' ? '' : 'pane'}`} aria-busy={answer.isLoading}>
      <div class="row between wrap">
        <h2>
          {title} {answer.value === null ? null : <span class="count">{rows.length}</span>}
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
      <FailureNotice failure={answer.failure} />
      {summary}
      {answer.value === null ? (
        answer.failure === null ? (
          <Loading what={title.toLowerCase()} />
        ) : null
      ) : rows.length === 0 ? (
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
            {({ id, name, detail, badge }) => (
              <a href={linkTo(id)} data-row aria-current={id === open ? 'true' : undefined}>
                <strong>{name}</strong> {badge}{' '}
                {app.drafts.has(`${page} ${id}`) ? <span class="badge warning">not saved</span> : null}
                <span class="quiet">{detail}</span>
              </a>
            )}
          </LongList>
        </>
      )}
    </div>
  );
}
