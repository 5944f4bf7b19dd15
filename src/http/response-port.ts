/** The response as an exchange uses it: that of uWebSockets.js, or one whose client is connected to another thread. */

export interface ResponsePort {
  onAborted(handler: () => void): unknown;
  /** A part is valid during the call only. */
  onData(handler: (part: ArrayBuffer, isLast: boolean) => void): unknown;
  /** `handler` gets the offset of the first byte to send, and returns whether all that it sent was taken. */
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(task: () => void): unknown;
  writeStatus(line: string): unknown;
  writeHeader(name: string | Uint8Array, value: string | Uint8Array): unknown;
  end(body: string | Uint8Array, closes: boolean): unknown;
  /** Ends the answer behind its headers. */
  endWithoutBody(): unknown;
  /** Tells whether the socket took all of it, and whether the response is complete. */
  tryEnd(body: Uint8Array, total: number): [isTaken: boolean, isComplete: boolean];
  /**
   * Replaces `tryEnd` where the client is connected to another thread: takes all of the body. False when the bytes must
   * stay as they are, and the answer counts as being sent, until the response is aborted.
   */
  takeBody?(body: Uint8Array): boolean;
  getWriteOffset(): number;
  close(): unknown;
}

/** An answer that one thread made and another sends. */
export interface FinishedAnswer {
  readonly statusLine: string;
  /** All of them, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** null: the answer ends behind its headers. */
  readonly body: Uint8Array | null;
  /** The connection ends with this answer. */
  readonly closes: boolean;
  /** The thread that made it keeps the body until it is told that the exchange is over. */
  readonly isKept: boolean;
}
