/** The response as an exchange uses it: that of uWebSockets.js, or one that a test keeps. */

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
  getWriteOffset(): number;
  close(): unknown;
}
