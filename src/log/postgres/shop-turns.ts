/** Turns with the head of a shop locked, one at a time on a connection of their own: see `Authority.takeTurn`. */
import { asError } from '../../runtime/thrown-error.ts';
import type { AppendGroup, GroupResult, ShopTail, TurnDecision, TurnResult } from '../authority.ts';
import { appendStatement } from './append-statement.ts';
import { type Connection, ConnectionLostError, type Statement } from './connection.ts';
import { LIST_NODES, nodesOf } from './node-list.ts';
import type { PrimaryLink } from './primary-link.ts';
import { readTail } from './shop-reads.ts';

/** Time for the lock. */
const LOCK_MS_MAX = 2_000;

const plain = (text: string): Statement => ({ name: '', text });
const BEGIN = plain('BEGIN');
const LOCK_TIMEOUT = plain(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`);
const COMMIT = plain('COMMIT');
const ROLLBACK = plain('ROLLBACK');
const LOCK: Statement = { name: 'rw_lock', text: 'SELECT 1 FROM rw_heads WHERE shop = $1 FOR UPDATE' };

export class ShopTurns {
  readonly #link: PrimaryLink;
  readonly #onAppended: () => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(link: PrimaryLink, onAppended: () => void) {
    this.#link = link;
    this.#onAppended = onAppended;
  }

  /** As `Authority.takeTurn`. */
  take<T>(
    shopId: string,
    after: number,
    decide: (tail: ShopTail) => Promise<TurnDecision<T>>,
  ): Promise<TurnResult<T>> {
    const turn = this.#last.then(() => this.#take(shopId, after, decide));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #take<T>(
    shopId: string,
    after: number,
    decide: (tail: ShopTail) => Promise<TurnDecision<T>>,
  ): Promise<TurnResult<T>> {
    let connection: Connection;
    let tail: ShopTail;
    try {
      connection = await this.#link.connection();
      const begun = [
        connection.query(BEGIN),
        connection.query(LOCK_TIMEOUT),
        connection.query(LOCK, [shopId]),
      ];
      [tail] = await Promise.all([readTail(connection, shopId, after), ...begun]).catch((error: unknown) =>
        rollBack(connection, error),
      );
    } catch (error) {
      return { kind: 'unavailable', cause: asError(error) };
    }
    const { group, value } = await decide(tail).catch((error: unknown) => rollBack(connection, error));
    if (group !== null) return { kind: 'taken', value, result: await this.#append(connection, group) };
    try {
      // The lock is a write too, so this commit waits for the second copy of what the turn read.
      await connection.query(COMMIT);
      return { kind: 'taken', value, result: null };
    } catch (error) {
      return { kind: 'unavailable', cause: asError(error) };
    }
  }

  async #append(connection: Connection, group: AppendGroup): Promise<GroupResult> {
    const { statement, values } = appendStatement([group]);
    try {
      const [won, , listed] = await Promise.all([
        connection.query(statement, values),
        connection.query(COMMIT),
        connection.query(LIST_NODES),
      ]);
      if (won.length === 0) return { kind: 'staleWriter' };
      this.#onAppended();
      return { kind: 'appended', nodes: nodesOf(listed) };
    } catch (error) {
      // A refused append makes its commit a rollback.
      const kind = error instanceof ConnectionLostError ? 'outcomeUnknown' : 'unavailable';
      return { kind, cause: asError(error) };
    }
  }
}

async function rollBack(connection: Connection, error: unknown): Promise<never> {
  if (!connection.isLost) await connection.query(ROLLBACK).catch(() => {});
  throw error;
}
