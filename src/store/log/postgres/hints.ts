/**
 * Hints between nodes: notifications that name the shops to which a node appended, or which it shows. They are sent
 * over a separate connection whose commits do not wait for a second copy. In the transaction of the append they would
 * serialise all appends, because PostgreSQL commits transactions with notifications one at a time. A lost hint only
 * delays a writer until the next beats of the other nodes.
 */
import type { Hint, ShopMark } from '../authority.ts';
import { type Connection, plain, type Statement } from './connection.ts';
import type { PrimaryLink } from './primary-link.ts';

const LISTEN = plain('LISTEN rw_hint');
const NOTIFY: Statement = { name: 'rw_notify', text: "SELECT pg_notify('rw_hint', $1)" };

/** Interval at which a lost connection is opened again. */
const RETRY_MS = 1_000;
/** Shops in one notification, which PostgreSQL limits to 8,000 bytes. An id has at most 64. */
const SHOPS_MAX = 80;

/** Shop -> number of the last record to announce. */
type Marks = Map<string, number>;

export class Hints {
  readonly #link: PrimaryLink;
  readonly #listeners = new Set<(hint: Hint) => void>();
  readonly #appended: Marks = new Map();
  readonly #shown: Marks = new Map();
  #isAsking = false;
  #run = '';
  #isSending = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  /** Runs on each new connection of the link. */
  readonly prepare = async (connection: Connection): Promise<void> => {
    connection.onNotification((text) => {
      const hint = hintOf(text);
      if (hint !== null) for (const listener of this.#listeners) listener(hint);
    });
    await connection.query(LISTEN);
  };

  /** As `Authority.onHint`. */
  onHint(listener: (hint: Hint) => void): () => void {
    this.#listeners.add(listener);
    this.#keepListening();
    return () => this.#listeners.delete(listener);
  }

  /** Announces appended records and deletions to the other nodes. */
  appended(shops: readonly ShopMark[]): void {
    add(this.#appended, shops);
    this.#send();
  }

  /** Asks the other nodes for beats. */
  askForBeats(): void {
    this.#isAsking = true;
    this.#send();
  }

  /** Tells the other nodes which records the node with this run shows. */
  shown(run: string, shops: readonly ShopMark[]): void {
    if (run !== this.#run) this.#shown.clear();
    this.#run = run;
    add(this.#shown, shops);
    this.#send();
  }

  close(): void {
    this.#listeners.clear();
    if (this.#retry !== null) clearInterval(this.#retry);
  }

  /** Hints that arrive while others are being sent go together with the next ones. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let texts = this.#take(); texts.length > 0; texts = this.#take()) {
      await this.#link
        .connection()
        .then((connection) => Promise.all(texts.map((text) => connection.query(NOTIFY, [text]))))
        .catch(() => {});
    }
    this.#isSending = false;
  }

  #take(): string[] {
    const isAsking = this.#isAsking;
    this.#isAsking = false;
    return [
      ...(isAsking ? [textOf({ kind: 'appended', shops: [] })] : []),
      ...taken(this.#appended).map((shops) => textOf({ kind: 'appended', shops })),
      ...taken(this.#shown).map((shops) => textOf({ kind: 'shown', run: this.#run, shops })),
    ];
  }

  /** Only an open connection receives hints, so a lost one is replaced even when there is nothing to send. */
  #keepListening(): void {
    const connect = () => void this.#link.connection().catch(() => {});
    connect();
    this.#retry ??= setInterval(connect, RETRY_MS).unref();
  }
}

function add(marks: Marks, shops: readonly ShopMark[]): void {
  for (const { shopId, sequenceNumber } of shops) {
    marks.set(shopId, Math.max(sequenceNumber, marks.get(shopId) ?? 0));
  }
}

/** Empties `marks` into lists that each fit into a notification. */
function taken(marks: Marks): ShopMark[][] {
  const all = [...marks].map(([shopId, sequenceNumber]) => ({ shopId, sequenceNumber }));
  marks.clear();
  const lists: ShopMark[][] = [];
  while (all.length > 0) lists.push(all.splice(0, SHOPS_MAX));
  return lists;
}

const textOf = (hint: Hint): string => {
  const shops = hint.shops.map(({ shopId, sequenceNumber }) => [shopId, sequenceNumber]);
  return JSON.stringify(hint.kind === 'shown' ? { run: hint.run, shops } : { shops });
};

/** Null for a text that no node has sent. */
function hintOf(text: string): Hint | null {
  try {
    const { run, shops } = JSON.parse(text) as { run?: string; shops: [string, number][] };
    const marks = shops.map(([shopId, sequenceNumber]) => ({ shopId, sequenceNumber }));
    return run === undefined ? { kind: 'appended', shops: marks } : { kind: 'shown', run, shops: marks };
  } catch {
    return null;
  }
}
