/**
 * The deletion of a zone or a product group with the methods and blended rates that are bound to it: names them, says what
 * goes wrong without them, and deletes all as one version. What nothing is bound to is deleted as any record.
 */
import { useApp } from '../app-state.ts';
import { linkTo } from '../place.ts';
import { counted, isolated } from '../words.ts';
import { type BoundRecords, boundRecords, withoutBound } from './bound-records.ts';
import { Consequences } from './consequences.tsx';
import { Question } from './dialog.tsx';
import { FailureNotice, Loading } from './notice.tsx';
import { DeleteDialog } from './record-editor.tsx';
import { LongList } from './rows.tsx';
import type { RecordEditing } from './use-record.ts';
import { useReplacement } from './use-replacement.ts';
import { RefusedWrite } from './versions.tsx';

interface BoundDeleteProps<D extends object> {
  readonly id: string;
  readonly page: string;
  readonly editing: RecordEditing<D>;
  readonly onClose: () => void;
}

export function BoundDelete<D extends object>({ id, page, editing, onClose }: BoundDeleteProps<D>) {
  const app = useApp();
  const { answer, shown, refused, write, execute } = useReplacement(
    (config) => {
      const bound = boundRecords(config, id);
      const isBound = bound.methods.length + bound.blends.length > 0;
      return { bound, data: isBound ? withoutBound(config, id, bound) : null };
    },
    [id],
  );
  const { noun, title } = editing;
  const reviewed = answer.value;
  if (reviewed?.data === null)
    return <DeleteDialog editing={editing} goesAlong={undefined} onClose={onClose} />;
  const bound = reviewed === null ? '' : boundText(reviewed.bound);
  const remove = (): void =>
    void execute(`${title} is back`, (undo) => {
      app.drafts.delete(`${page} ${id}`);
      app.say(`Deleted ${title} with ${bound}`, undo);
      onClose();
      app.setOf(page, id, { open: '' });
    });
  return (
    <Question
      title={`Delete ${isolated(title)}?`}
      // No button for what the reader cannot know yet.
      action={reviewed === null ? null : `Delete the ${noun}${bound && ` and ${bound}`}`}
      keep="Keep it"
      isBusy={write.isBusy}
      isDisabled={shown === null || answer.failure !== null}
      onAction={remove}
      onClose={onClose}
    >
      <FailureNotice failure={answer.failure} />
      <RefusedWrite failure={write.failure} seen={refused} current={shown}>
        and nothing was deleted. What you see now is for the configuration as it is now.
      </RefusedWrite>
      {reviewed === null ? (
        answer.failure === null && <Loading what="what is bound to it" />
      ) : (
        <div className="stack" aria-busy={answer.isLoading}>
          <p>
            {bound} {isOne(reviewed.bound) ? 'is' : 'are'} bound to this {noun}. Move them first, or delete
            them with it; the history keeps all.
          </p>
          <BoundList page="methods" records={reviewed.bound.methods} />
          <BoundList page="blends" records={reviewed.bound.blends} />
          {reviewed.preview && <Consequences preview={reviewed.preview} />}
        </div>
      )}
    </Question>
  );
}

const isOne = ({ methods, blends }: BoundRecords): boolean => methods.length + blends.length === 1;

const boundText = ({ methods, blends }: BoundRecords): string =>
  [
    methods.length === 0 ? '' : counted(methods.length, 'method'),
    blends.length === 0 ? '' : counted(blends.length, 'blended rate'),
  ]
    .filter((text) => text !== '')
    .join(' and ');

interface BoundListProps {
  readonly page: string;
  readonly records: readonly { readonly id: string; readonly name: string }[];
}

const BoundList = ({ page, records }: BoundListProps) =>
  records.length === 0 ? null : (
    <LongList rows={records} className="lines" step={10}>
      {({ id, name }) => <a href={linkTo(page, { open: id })}>{name}</a>}
    </LongList>
  );
