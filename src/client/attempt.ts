/** One attempt of a call: what is sent, and how it ends. The same for every platform that a client runs on. */
import type { NetworkFailureCode } from './call-outcome.ts';

export interface PreparedRequest {
  readonly verb: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: NetworkFailureCode;
      readonly message: string;
      /** False when the request never had a connection, so that nothing of it was sent. */
      readonly isSent: boolean;
    };

/** Sends requests to one service. */
export interface RequestSender {
  /** `timeMs` is what is left of the call's time. Rejects only with `TypeError`, for a header that HTTP cannot carry. */
  send(prepared: PreparedRequest, timeMs: number, signal: AbortSignal | undefined): Promise<Attempt>;
  /** Waits for requests under way; later ones fail. */
  close(): Promise<void>;
}
