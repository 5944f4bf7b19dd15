/**
 * Group commit: groups that arrive while a statement runs wait, and the next statement takes all of them. So all shops
 * that write at the same time share one commit, which has to wait for another machine.
 */
import { asError } from '../../../base/runtime/thrown-error.ts';
import type { AppendGroup, GroupResult } from '../authority.ts';
import { headAfter } from '../record-codec.ts';
import { appendStatement, groupBytes } from './append-statement.ts';
import { type Connection, LOCKED, StatementRefusedError } from './connection.ts';
import { appendedWith, type ListNodes } from './membership.ts';
import type { PrimaryLink } from './primary-link.ts';

/** Maximum bytes of the groups in one statement; a larger group is sent alone. */
const STATEMENT_BYTES_MAX = 1024 * 1024;
const STATEMENT_GROUPS_MAX = 1024;

/** Serialization failure and deadlock: the server rolled the statement back, and a retry may succeed. */
const TRY_AGAIN = new Set(['40001', '40P01']);
const TRIES_MAX = 3;

interface WaitingGroup {
  readonly group: AppendGroup;
  readonly settle: (result: GroupResult) => void;
}

export class Committer {
  readonly #link: PrimaryLink;
  readonly #listNodes: ListNodes;
  readonly #onAppended: (groups: readonly AppendGroup[]) => void;
  #waiting: WaitingGroup[] = [];
  #isRunning = false;

  /** Calls `onAppended` after each statement that appended groups, with these groups. */
  constructor(link: PrimaryLink, listNodes: ListNodes, onAppended: (groups: readonly AppendGroup[]) => void) {
    this.#link = link;
    this.#listNodes = listNodes;
    this.#onAppended = onAppended;
  }

  /** As `Authority.append`. */
  async append(group: AppendGroup): Promise<GroupResult> {
    headAfter(group);
    const result = new Promise<GroupResult>((settle) => {
      this.#waiting.push({ group, settle });
    });
    if (!this.#isRunning) this.#run();
    return result;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Lets groups of the same turn of the event loop join this statement.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const taken = this.#take();
      const results = await this.#commit(taken.map(({ group }) => group));
      taken.forEach(({ settle }, index) => {
        settle(results[index] ?? { kind: 'staleWriter' });
      });
      const appended = taken.filter((_, index) => results[index]?.kind === 'appended');
      if (appended.length > 0) this.#onAppended(appended.map(({ group }) => group));
    }
    this.#isRunning = false;
  }

  /** Removes the groups for one statement from the queue: in order of arrival, at most one per shop. */
  #take(): readonly WaitingGroup[] {
    const taken: WaitingGroup[] = [];
    const left: WaitingGroup[] = [];
    const shops = new Set<string>();
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const { group } = waiting;
      const size = groupBytes(group);
      const isFull = taken.length >= STATEMENT_GROUPS_MAX || bytes + size > STATEMENT_BYTES_MAX;
      if (shops.has(group.shopId) || (taken.length > 0 && isFull)) {
        left.push(waiting);
      } else {
        taken.push(waiting);
        bytes += size;
      }
      shops.add(group.shopId);
    }
    this.#waiting = left;
    return taken;
  }

  async #commit(groups: readonly AppendGroup[]): Promise<readonly GroupResult[]> {
    const all = (result: GroupResult) => groups.map(() => result);
    let connection: Connection;
    try {
      connection = await this.#link.connection();
    } catch (error) {
      return all({ kind: 'unavailable', cause: asError(error) });
    }
    for (let tries = 1; ; tries++) {
      try {
        return await this.#appendOnce(connection, groups);
      } catch (error) {
        const cause = asError(error);
        if (!(cause instanceof StatementRefusedError)) return all({ kind: 'outcomeUnknown', cause });
        // One of the shops is locked; appended one by one, the others do not wait for it.
        if (cause.sqlState === LOCKED && groups.length > 1) return this.#commitEach(groups);
        if (!TRY_AGAIN.has(cause.sqlState) || tries === TRIES_MAX) return all({ kind: 'unavailable', cause });
      }
    }
  }

  async #commitEach(groups: readonly AppendGroup[]): Promise<readonly GroupResult[]> {
    const results: GroupResult[] = [];
    for (const group of groups) results.push(...(await this.#commit([group])));
    return results;
  }

  /** Rejects with the errors of `Connection.query`: then nothing is known but what they say of the append itself. */
  async #appendOnce(connection: Connection, groups: readonly AppendGroup[]): Promise<readonly GroupResult[]> {
    const { statement, values } = appendStatement(groups);
    const appending = connection.query(statement, values);
    // Not part of the append statement: the list needs a snapshot taken after the append.
    const appended = appendedWith(this.#listNodes(connection));
    const places = new Set((await appending).map(([place]) => place));
    const result = places.size === 0 ? null : await appended;
    return groups.map((_, index) =>
      result !== null && places.has(index + 1) ? result : { kind: 'staleWriter' },
    );
  }
}
