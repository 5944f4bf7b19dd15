/**
 * Hints to other nodes that something was appended: notifications without content, sent over a separate connection
 * whose commits do not wait for a second copy. In the transaction of the append they would serialise all appends,
 * because PostgreSQL commits transactions with notifications one at a time. A lost hint only delays the other nodes
 * until their next beat.
 */
import { type Connection, plain } from './connection.ts';
import type { PrimaryLink } from './primary-link.ts';

const LISTEN = plain('LISTEN rw_hint');
const NOTIFY = plain('NOTIFY rw_hint');

/** Interval at which a lost connection is opened again. */
const RETRY_MS = 1_000;

export class Hints {
  readonly #link: PrimaryLink;
  readonly #listeners = new Set<() => void>();
  #isSending = false;
  #isDue = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  /** Runs on each new connection of the link. */
  readonly prepare = async (connection: Connection): Promise<void> => {
    connection.onNotification(() => {
      for (const listener of this.#listeners) listener();
    });
    await connection.query(LISTEN);
  };

  /** As `Authority.onHint`. */
  onHint(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#keepListening();
    return () => this.#listeners.delete(listener);
  }

  /** Sends a hint to the other nodes. Hints that are due while one is being sent are merged into one. */
  send(): void {
    this.#isDue = true;
    if (!this.#isSending) this.#sendDue();
  }

  close(): void {
    this.#listeners.clear();
    if (this.#retry !== null) clearInterval(this.#retry);
  }

  async #sendDue(): Promise<void> {
    this.#isSending = true;
    while (this.#isDue) {
      this.#isDue = false;
      await this.#link
        .connection()
        .then((connection) => connection.query(NOTIFY))
        .catch(() => {});
    }
    this.#isSending = false;
  }

  /** Only an open connection receives hints, so a lost one is replaced even when there is nothing to send. */
  #keepListening(): void {
    const connect = () => void this.#link.connection().catch(() => {});
    connect();
    this.#retry ??= setInterval(connect, RETRY_MS).unref();
  }
}
