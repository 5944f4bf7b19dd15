/**
 * Sends the answers of one turn of the event loop together at the end of the turn. A `send` wakes a sleeping reader,
 * which falls asleep again before the next evaluation ends; in a burst, the first send wakes it for all. Held
 * answers are converted to bytes at once, while their texts are in the caches of the processor.
 *
 * The cost: uWebSockets.js closes a connection whose next request arrives before the answer is sent, as with a client
 * that pipelines. So answers are held only after a busy turn, and never again for a client whose connection was closed.
 */
import { type AnswerText, latin1Buffer, lengthOf, writeAscii } from '../../base/bytes/answer-text.ts';
import type { Exchange } from './exchange.ts';
import { asciiBytes, ownBytes } from './output.ts';

/** After a turn with at least this many answers, the answers of the next turn are held. */
export const BUSY_ANSWERS_MIN = 8;
/** Answers to requests that started later than this after the first held one are sent at once. */
export const HELD_MS_MAX = 4;
/** Maximum bytes of held answers; further answers are sent at once. */
export const HELD_LENGTH_MAX = 1024 * 1024;

export type BurstExchange = Pick<Exchange, 'startMs' | 'isOver' | 'attempt'>;

interface Held {
  readonly exchange: BurstExchange;
  readonly client: object;
  readonly body: Uint8Array;
  readonly send: SendBody;
}

/** Sends bytes that are valid only during the call. */
type SendBody = (body: Uint8Array) => void;

export class AnswerBurst {
  readonly #atTurnEnd: (task: () => void) => void;
  readonly #pipelining = new WeakSet<object>();
  #held: Held[] = [];
  /** The bodies of held answers, one after the other, except one that does not fit. */
  readonly #bytes = latin1Buffer(HELD_LENGTH_MAX);
  #heldLength = 0;
  /** Number of answers in this turn, and whether the last turn with answers was busy. */
  #answers = 0;
  #isBusy = false;
  readonly #endTurn = (): void => {
    this.#isBusy = this.#answers >= BUSY_ANSWERS_MIN;
    this.#answers = 0;
    if (this.#held.length > 0) this.#sendHeld();
  };

  /** `atTurnEnd` runs a task after the library has passed on all requests that have arrived. */
  constructor(atTurnEnd: (task: () => void) => void = setImmediate) {
    this.#atTurnEnd = atTurnEnd;
  }

  /**
   * Calls `send` with the bytes of the ASCII text, now or at the end of this turn if the client is still connected.
   * `client` is the same object for all connections of a client.
   */
  send(exchange: BurstExchange, client: object, text: AnswerText, send: SendBody): void {
    if (this.#answers++ === 0) this.#atTurnEnd(this.#endTurn);
    if (this.#isHeld(exchange, client))
      this.#held.push({ exchange, client, body: this.#heldBytes(text), send });
    else send(asciiBytes(text));
  }

  #heldBytes(text: AnswerText): Uint8Array {
    const at = this.#heldLength;
    this.#heldLength += lengthOf(text);
    if (this.#heldLength > HELD_LENGTH_MAX) return ownBytes(text);
    writeAscii(text, this.#bytes, at);
    return this.#bytes.subarray(at, this.#heldLength);
  }

  #isHeld({ startMs }: BurstExchange, client: object): boolean {
    if (!this.#isBusy || this.#heldLength > HELD_LENGTH_MAX || this.#pipelining.has(client)) return false;
    const first = this.#held[0];
    return first === undefined || startMs - first.exchange.startMs <= HELD_MS_MAX;
  }

  #sendHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const { exchange, client, body, send } of held) {
      // Other reasons for the end of a connection are rare within one turn, and a wrong guess only costs the burst.
      if (exchange.isOver) this.#pipelining.add(client);
      else exchange.attempt(() => send(body));
    }
    this.#heldLength = 0;
  }
}
