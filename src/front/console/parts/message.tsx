/**
 * The last action in one sentence, with what takes it back. It leaves by itself, not while it is pointed at, and with the
 * page that it is about.
 */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { withoutDirection } from '../words.ts';

const SHOWN_MS = 8_000;

/** Where the navigation is shown; its foot is the one corner without buttons. */
const WITH_NAVIGATION = '(min-width: 62em)';

export const hideMessage = (): void => notifications.clean();

/** A name in it may be of any length: the last sentence, such as which checks fail now, and what takes it back stay in view. */
function Said({ text }: { readonly text: string }) {
  const at = text.lastIndexOf('. ') + 1;
  return (
    <span title={text}>
      {at === 0 ? null : <span className="said">{text.slice(0, at)} </span>}
      <span className="said">{text.slice(at).trim()}</span>
    </span>
  );
}

interface Message {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => void) | undefined;
  /** What was asked for was not done. */
  readonly isRefusal?: boolean;
  /** More will be said, under the same id: it stays until then. */
  readonly isBegun?: boolean;
}

/** Shows a message, or what became of the one with this id. */
export function showMessage({ id, text, undo, isRefusal = false, isBegun = false }: Message): void {
  const said = <Said text={withoutDirection(text)} />;
  const shown = {
    id: `message ${id}`,
    role: isRefusal ? 'alert' : 'status',
    ...(isRefusal ? { color: 'red' } : {}),
    position: matchMedia(WITH_NAVIGATION).matches ? 'bottom-left' : 'top-center',
    autoClose: isBegun ? false : SHOWN_MS,
    closeButtonProps: { 'aria-label': 'Close the message' },
    message:
      undo === undefined ? (
        said
      ) : (
        <div className="stack">
          {said}
          <Button
            variant="light"
            size="compact-sm"
            className="start"
            onClick={() => {
              hideMessage();
              undo();
            }}
          >
            Undo
          </Button>
        </div>
      ),
  } as const;
  // One of the two does nothing: it may have been closed.
  notifications.update(shown);
  notifications.show(shown);
}
