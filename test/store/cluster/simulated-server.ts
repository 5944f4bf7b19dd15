/**
 * One server of a simulated PostgreSQL: commits that wait for a second server, and their failures.
 *
 * A commit is written to the log, then waits, invisible and with its rows locked, until a standby has it. A
 * wait that is cut short leaves a ghost: visible here, on no other server. A later commit that is waited for
 * takes all earlier ones to the standby, ghosts included. A promoted standby has all commits that were waited
 * for, and any number of those after them. It continues the count of transactions from there, so it uses the
 * numbers of lost ones again.
 */
import type {
  AppendGroup,
  HashedRecord,
  NodeBeat,
  RecordHead,
  ShopState,
} from '../../../src/store/log/authority.ts';
import { NO_HEAD } from '../../../src/store/log/record-codec.ts';
import type { Owner, SimulatedTime } from './simulated-time.ts';

interface ShopRow {
  readonly head: RecordHead;
  /** Number of the transaction that changed it last. */
  readonly changed: number;
  readonly records: readonly HashedRecord[];
}

/** The visible rows. */
export interface Tables {
  readonly shops: Map<string, ShopRow>;
  readonly nodes: Map<string, NodeBeat>;
}

/** A change of the tables by transaction `transaction`. */
type Effect = (tables: Tables, transaction: number) => void;

interface Commit {
  readonly transaction: number;
  readonly effect: Effect;
}

interface WaitingCommit extends Commit {
  /** Number of commits up to and including this one. */
  readonly upTo: number;
  readonly end: (error: Error | null) => void;
}

/** Which transactions a statement sees: those that have ended by then. */
export interface Snapshot {
  /** The first number that no transaction has yet. */
  readonly next: number;
  readonly underWay: ReadonlySet<number>;
}

/** Releases a locked row. */
export type Release = () => void;

export class SimulatedServer implements Owner {
  readonly name: string;
  isDead = false;
  stoppedUntilMs = 0;
  /** Whether standbys follow; without them no commit ends its wait. */
  hasStandby = true;
  readonly #time: SimulatedTime;
  readonly #log: Commit[];
  /** Number of commits that a standby has. */
  #copied: number;
  readonly #tables: Tables = { shops: new Map(), nodes: new Map() };
  readonly #waiting: WaitingCommit[] = [];
  readonly #locks = new Map<string, Promise<void>>();
  #nextTransaction: number;

  constructor(name: string, time: SimulatedTime, log: readonly Commit[] = []) {
    this.name = name;
    this.#time = time;
    this.#log = [...log];
    this.#copied = log.length;
    for (const { effect, transaction } of log) effect(this.#tables, transaction);
    this.#nextTransaction = (log.at(-1)?.transaction ?? 0) + 1;
  }

  get tables(): Tables {
    return this.#tables;
  }

  /** Commits that were waited for, and those that were not, of which a promoted standby may have some. */
  get commits(): { readonly copied: number; readonly all: readonly Commit[] } {
    return { copied: this.#copied, all: this.#log };
  }

  /** Waits until the row is not locked. */
  async lock(row: string): Promise<Release> {
    const before = this.#locks.get(row) ?? Promise.resolve();
    let release: Release = () => {};
    this.#locks.set(
      row,
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    await before;
    return release;
  }

  /** Commits the effect and waits for a standby. Rejects when the wait is cut short: the commit is there or will be. */
  async commit(effect: Effect): Promise<void> {
    const transaction = this.#nextTransaction++;
    const upTo = this.#log.push({ transaction, effect });
    const ended = new Promise<void>((resolve, reject) => {
      const end = (error: Error | null) => (error === null ? resolve() : reject(error));
      this.#waiting.push({ transaction, effect, upTo, end });
    });
    void this.#time.step(this, 'flush', `commit ${upTo}`).then(() => this.#copyUpTo(upTo));
    await ended;
  }

  #copyUpTo(upTo: number): void {
    if (!this.hasStandby) return;
    this.#copied = Math.max(this.#copied, upTo);
    this.#endWaits(null, (commit) => commit.upTo <= this.#copied);
  }

  #endWaits(error: Error | null, isEnded: (commit: WaitingCommit) => boolean): void {
    for (const commit of this.#waiting.filter(isEnded)) {
      this.#waiting.splice(this.#waiting.indexOf(commit), 1);
      commit.effect(this.#tables, commit.transaction);
      commit.end(error);
    }
  }

  /** Ends the waits of all commits that wait now, which makes them ghosts. True when there were any. */
  cutWaits(): boolean {
    const isAny = this.#waiting.length > 0;
    this.#endWaits(new Error('the wait for a standby was cut short'), () => true);
    return isAny;
  }

  /** A statement that changes one row if its `effect` applies; returns false otherwise. */
  async update(row: string, effectOf: () => Effect | null): Promise<boolean> {
    const release = await this.lock(row);
    try {
      const effect = effectOf();
      if (effect !== null) await this.commit(effect);
      return effect !== null;
    } finally {
      release();
    }
  }

  /** The effect of an append; null when the head has moved. */
  appendEffect({ shopId, expected, records }: AppendGroup): Effect | null {
    const { head } = this.#tables.shops.get(shopId) ?? { head: NO_HEAD };
    const last = records.at(-1);
    const isExpected = head.sequenceNumber === expected.sequenceNumber && head.hash.equals(expected.hash);
    if (!isExpected || last === undefined) return null;
    return ({ shops }, changed) => {
      const earlier = shops.get(shopId)?.records ?? [];
      shops.set(shopId, { head: last, changed, records: [...earlier, ...records] });
    };
  }

  get snapshot(): Snapshot {
    return {
      next: this.#nextTransaction,
      underWay: new Set(this.#waiting.map(({ transaction }) => transaction)),
    };
  }

  states(isWanted: (shopId: string, changed: number) => boolean): ShopState[] {
    return [...this.#tables.shops]
      .filter(([shopId, { changed }]) => isWanted(shopId, changed))
      .map(([shopId, { head }]) => ({ shopId, head, removedUpTo: 0, isDeleted: false }));
  }

  nodes(): NodeBeat[] {
    return [...this.#tables.nodes.values()];
  }
}
