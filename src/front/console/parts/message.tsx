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

/** A name in it may be of any length: what takes it back stays in view. */
const Said = ({ text }: { readonly text: string }) => (
  <span className="said" title={text}>
    {text}
  </span>
);

interface Message {
  readonly undo?: (() => void) | undefined;
  /** What was asked for was not done. */
  readonly isRefusal?: boolean;
}

/** One message at a time: the next replaces it. */
export function showMessage(said: string, { undo, isRefusal = false }: Message = {}): void {
  const text = <Said text={withoutDirection(said)} />;
  hideMessage();
  notifications.show({
    role: isRefusal ? 'alert' : 'status',
    ...(isRefusal ? { color: 'red' } : {}),
    position: matchMedia(WITH_NAVIGATION).matches ? 'bottom-left' : 'top-center',
    autoClose: SHOWN_MS,
    closeButtonProps: { 'aria-label': 'Close the message' },
    message:
      undo === undefined ? (
        text
      ) : (
        <div className="stack">
          {text}
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
  });
}
