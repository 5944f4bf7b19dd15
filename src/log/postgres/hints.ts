/**
 * Hints that there may be news: a notification without content after an append. It goes over a connection of its own,
 * whose commits do not wait for a second copy: notifications in the transaction of an append would let only one append
 * commit at a time. A hint that is lost costs the time until the next beat.
 */
import type { Connection, Statement } from './connection.ts';
import type { PrimaryLink } from './primary-link.ts';

const LISTEN: Statement = { name: '', text: 'LISTEN rw_hint' };
const NOTIFY: Statement = { name: '', text: 'NOTIFY rw_hint' };

/** Time until the connection is tried again on which hints come in. */
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

  /** What each new connection of the link is prepared with. */
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

  /** Tells the other nodes. While one hint is under way, all further ones are one. */
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

  /** A connection that was lost listens no more until there is another one. */
  #keepListening(): void {
    const connect = () => {
      this.#link.connection().catch(() => {});
    };
    connect();
    this.#retry ??= setInterval(connect, RETRY_MS).unref();
  }
}
