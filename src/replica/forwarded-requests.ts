/** The owner's end of the requests that one replica forwards: each is answered as if its client were here. */
import { RemoteResponse } from '../http/remote-response.ts';
import type { RequestHead } from '../http/request-head.ts';
import type { ResponsePort } from '../http/response-port.ts';
import type { ToOwner, ToReplica } from './replica-message.ts';

export type ForwardedMessage = Extract<ToOwner, { readonly kind: 'request' | 'part' | 'over' }>;

export class ForwardedRequests {
  readonly #receive: (res: ResponsePort, head: RequestHead) => void;
  readonly #post: (message: ToReplica, transfer: readonly ArrayBuffer[]) => void;
  readonly #responses = new Map<number, RemoteResponse>();

  /** `receive` has a request answered, `post` tells the replica. */
  constructor(
    receive: (res: ResponsePort, head: RequestHead) => void,
    post: (message: ToReplica, transfer: readonly ArrayBuffer[]) => void,
  ) {
    this.#receive = receive;
    this.#post = post;
  }

  /** Requests that are not answered yet, or whose answer is still being sent. */
  get size(): number {
    return this.#responses.size;
  }

  take(message: ForwardedMessage): void {
    switch (message.kind) {
      case 'request':
        this.#begin(message);
        break;
      case 'part':
        this.#responses.get(message.id)?.receive(message.part, message.isLast);
        break;
      case 'over':
        this.#responses.get(message.id)?.leave();
        this.#responses.delete(message.id);
        break;
    }
  }

  #begin({ id, head, part, isLast }: Extract<ForwardedMessage, { kind: 'request' }>): void {
    const response = new RemoteResponse((answer) => {
      if (answer?.isKept !== true) this.#responses.delete(id);
      const { buffer = null } = answer?.body ?? {};
      this.#post({ kind: 'answer', id, answer }, buffer instanceof ArrayBuffer ? [buffer] : []);
    });
    this.#responses.set(id, response);
    this.#receive(response, head);
    // Behind a head that was sent ahead there may be nothing of the body yet.
    if (part.byteLength > 0 || isLast) response.receive(part, isLast);
  }
}
