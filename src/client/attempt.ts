/** One attempt of a call: the request and the result. Used on every platform. */
import type { NetworkFailureCode } from './call-outcome.ts';

export interface PreparedRequest {
  readonly verb: string;
  /** Includes the query. */
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
      /** False when the request never had a connection, so nothing was sent. */
      readonly isSent: boolean;
    };

/** Sends requests to one service. */
export interface RequestSender {
  /** `timeMs` is the remaining time of the call. Rejects only with `TypeError`, for a header that HTTP cannot carry. */
  send(prepared: PreparedRequest, timeMs: number, signal: AbortSignal | undefined): Promise<Attempt>;
  /** Waits for pending requests; later ones fail. */
  close(): Promise<void>;
}
