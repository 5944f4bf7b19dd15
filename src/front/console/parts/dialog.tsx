/** Dialogs that are open while they are shown: the focus stays inside, and Escape closes them. */
import { Button, Modal } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import type { Calls } from '../../client/call-table.ts';
import { CopyAsCurl } from './copy-as-curl.tsx';
import { hideMessage } from './message.tsx';

interface DialogProps {
  readonly title: string;
  /** What it shows is never shown again: a button in it alone closes it. */
  readonly isFirm?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, isFirm = false, children }: DialogProps) {
  // It would stand over the dialog, about something else.
  useEffect(hideMessage, []);
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={!isFirm}
      closeOnClickOutside={!isFirm}
      size="lg"
      className="dialog"
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* No landmark: that is the header of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          {isFirm ? null : <Modal.CloseButton aria-label="Close" />}
        </Modal.Header>
        <Modal.Body>
          {/* A form in the dialog is not part of the form that opened it. */}
          <div className="stack" onSubmit={(event) => event.stopPropagation()}>
            {children}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface QuestionProps extends DialogProps {
  /** The button that does it; null where it may not be done. */
  readonly action: string | null;
  readonly isBusy: boolean;
  /** What is asked is not known yet. */
  readonly isDisabled?: boolean;
  readonly color?: string;
  /** The button that does nothing. */
  readonly keep?: string;
  /** What the button would send. */
  readonly curl?: (calls: Calls) => Promise<unknown>;
  readonly onAction: () => void;
}

/** Asks before something is done. */
export function Question({
  action,
  isBusy,
  isDisabled = false,
  onAction,
  children,
  ...props
}: QuestionProps) {
  const { title, onClose, color = 'red', keep = 'Cancel', curl } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="row wrap buttons">
        {action === null ? null : (
          <Button variant="filled" color={color} loading={isBusy} disabled={isDisabled} onClick={onAction}>
            {action}
          </Button>
        )}
        <Button onClick={onClose}>{keep}</Button>
        {action === null || curl === undefined ? null : <CopyAsCurl run={curl} />}
      </div>
    </Dialog>
  );
}
