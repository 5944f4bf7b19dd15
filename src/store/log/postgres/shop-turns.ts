/** Appends that lock the head of the shop before they decide: see `Authority.takeTurn`. One at a time. */
import { asError } from '../../../base/runtime/thrown-error.ts';
import type { AppendGroup, GroupResult, TurnResult } from '../authority.ts';
import { appendStatement } from './append-statement.ts';
import {
  BEGIN,
  COMMIT,
  type Connection,
  ConnectionLostError,
  plain,
  ROLLBACK,
  type Statement,
} from './connection.ts';
import { appendedWith, type ListNodes } from './membership.ts';
import type { PrimaryLink } from './primary-link.ts';

/** Maximum wait for the lock. */
const LOCK_MS_MAX = 2_000;

const LOCK_TIMEOUT = plain(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`);
const LOCK: Statement = { name: 'rw_lock', text: 'SELECT 1 FROM rw_heads WHERE shop = $1 FOR UPDATE' };

export class ShopTurns {
  readonly #link: PrimaryLink;
  readonly #listNodes: ListNodes;
  readonly #onAppended: (groups: readonly AppendGroup[]) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(link: PrimaryLink, listNodes: ListNodes, onAppended: (groups: readonly AppendGroup[]) => void) {
    this.#link = link;
    this.#listNodes = listNodes;
    this.#onAppended = onAppended;
  }

  /** As `Authority.takeTurn`. */
  take(shopId: string, decide: () => Promise<AppendGroup | null>): Promise<TurnResult> {
    const turn = this.#last.then(() => this.#take(shopId, decide));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #take(shopId: string, decide: () => Promise<AppendGroup | null>): Promise<TurnResult> {
    let connection: Connection;
    try {
      connection = await this.#link.connection();
      await lock(connection, shopId);
    } catch (error) {
      return { kind: 'unavailable', cause: asError(error) };
    }
    const group = await decide().catch((error: unknown) => rollBack(connection, error));
    if (group !== null) return this.#append(connection, group);
    await connection.query(ROLLBACK).catch(() => {});
    return { kind: 'nothingToAppend' };
  }

  async #append(connection: Connection, group: AppendGroup): Promise<GroupResult> {
    const { statement, values } = appendStatement([group]);
    const committing = Promise.all([connection.query(statement, values), connection.query(COMMIT)]);
    const appended = appendedWith(this.#listNodes(connection));
    try {
      const [won] = await committing;
      if (won.length === 0) return { kind: 'staleWriter' };
      this.#onAppended([group]);
      return await appended;
    } catch (error) {
      // After a refused append, the server executes COMMIT as ROLLBACK.
      const kind = error instanceof ConnectionLostError ? 'outcomeUnknown' : 'unavailable';
      return { kind, cause: asError(error) };
    }
  }
}

async function lock(connection: Connection, shopId: string): Promise<void> {
  const statements = [
    connection.query(BEGIN),
    connection.query(LOCK_TIMEOUT),
    connection.query(LOCK, [shopId]),
  ];
  await Promise.all(statements).catch((error: unknown) => rollBack(connection, error));
}

async function rollBack(connection: Connection, error: unknown): Promise<never> {
  if (!connection.isLost) await connection.query(ROLLBACK).catch(() => {});
  throw error;
}
