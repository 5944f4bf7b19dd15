/**
 * The `Authority` in PostgreSQL. Each kind of work has its own connection, so that none waits behind another: appends,
 * large appends, turns, beats, reads, upkeep, hints, and locks for work that one node does at a time.
 */
import type {
  AppendGroup,
  Authority,
  Beat,
  ClusterState,
  GroupResult,
  NodeBeat,
  RecordHead,
  ShopStart,
  ShopState,
  ShopTail,
  StoredCheckpoint,
  TurnResult,
} from '../authority.ts';
import type { KeyHolder, ShopTextKind } from '../event-log.ts';
import { groupBytes } from './append-statement.ts';
import { Committer } from './committer.ts';
import { ConfirmedReads, unavailable } from './confirmed-reads.ts';
import type { Connection } from './connection.ts';
import type { DatabaseCopies } from './connection-check.ts';
import { databaseHosts } from './database-url.ts';
import { Hints } from './hints.ts';
import { Membership } from './membership.ts';
import { LIST_NODES, nodesOf } from './node-list.ts';
import { type LinkOptions, PrimaryLink } from './primary-link.ts';
import { openSchema, PROOF } from './schema.ts';
import * as reads from './shop-reads.ts';
import { ShopTurns } from './shop-turns.ts';
import { deleteShop, trimShop, writeCheckpoint } from './shop-upkeep.ts';
import { readKeyUse, readShopTexts, WorkLocks, writeKeyUse, writeShopText } from './side-tables.ts';

export interface PostgresAuthorityOptions {
  /** `postgres://...`, with one or several hosts. */
  readonly url: string;
  readonly copies?: DatabaseCopies;
  /** As `ConnectionOptions.answerMsMax`. Default 5 s. */
  readonly answerMsMax?: number;
  /** Timeout for opening a connection to one server. Default 2 s. */
  readonly connectMsMax?: number;
}

const ANSWER_MS_MAX = 5_000;
const CONNECT_MS_MAX = 2_000;
/** Lock timeout as a share of the answer timeout: shorter, so that a lock does not cost the connection. */
const LOCK_SHARE = 0.6;

/** Larger groups use a separate connection, so that an import does not delay other shops. */
const LARGE_GROUP_BYTES = 256 * 1024;

/**
 * Connects and creates missing tables. Rejects with `AuthorityUnavailableError`, which names a reason for each server,
 * with `UnusableDataFileError`, or with `RangeError` when the address is malformed.
 */
export async function openPostgresAuthority(options: PostgresAuthorityOptions): Promise<Authority> {
  const hosts = databaseHosts(options.url);
  if (hosts === null) throw new RangeError('the address of the database is not postgres://host/name');
  const answerMsMax = options.answerMsMax ?? ANSWER_MS_MAX;
  const shared: Omit<LinkOptions, 'role'> = {
    hosts,
    copies: options.copies ?? 'standbys',
    answerMsMax,
    connectMsMax: options.connectMsMax ?? CONNECT_MS_MAX,
    lockMsMax: Math.ceil(answerMsMax * LOCK_SHARE),
    isSynchronous: true,
    proof: null,
  };
  const link = new PrimaryLink({ ...shared, role: 'start' });
  try {
    const cluster = await openSchema(await link.connection());
    return new PostgresAuthority(cluster, shared);
  } finally {
    link.close();
  }
}

class PostgresAuthority implements Authority {
  readonly cluster: ClusterState;
  readonly #links: PrimaryLink[] = [];
  readonly #upkeep: PrimaryLink;
  readonly #committer: Committer;
  readonly #largeCommitter: Committer;
  readonly #turns: ShopTurns;
  readonly #reads: ConfirmedReads;
  readonly #membership: Membership;
  readonly #hints: Hints;
  readonly #locks: WorkLocks;

  constructor(cluster: ClusterState, shared: Omit<LinkOptions, 'role'>) {
    this.cluster = cluster;
    const link = (role: string, changes: Partial<LinkOptions> = {}): PrimaryLink => {
      const made = new PrimaryLink({ ...shared, proof: PROOF, ...changes, role });
      this.#links.push(made);
      return made;
    };
    const hintLink = link('hints', {
      isSynchronous: false,
      proof: null,
      onConnection: (connection) => this.#hints.prepare(connection),
    });
    this.#hints = new Hints(hintLink);
    const hint = () => this.#hints.send();
    this.#committer = new Committer(link('appends'), hint);
    this.#largeCommitter = new Committer(link('large appends'), hint);
    this.#turns = new ShopTurns(link('turns'), hint);
    this.#membership = new Membership(link('beats'));
    this.#reads = new ConfirmedReads(link('reads'), () => this.#membership.run);
    this.#upkeep = link('upkeep');
    this.#locks = new WorkLocks(link('locks', { proof: null }));
  }

  async append(group: AppendGroup): Promise<GroupResult> {
    return groupBytes(group) > LARGE_GROUP_BYTES
      ? this.#largeCommitter.append(group)
      : this.#committer.append(group);
  }

  takeTurn(shopId: string, decide: () => Promise<AppendGroup | null>): Promise<TurnResult> {
    return this.#turns.take(shopId, decide);
  }

  start(shopId: string): Promise<ShopStart> {
    return this.#reads.read((connection) => reads.readStart(connection, shopId));
  }

  tail(shopId: string, after: number, upTo?: number): Promise<ShopTail> {
    return this.#reads.read((connection) => reads.readTail(connection, shopId, after, upTo));
  }

  hashAt(shopId: string, sequenceNumber: number): Promise<Buffer | null> {
    return this.#reads.read((connection) => reads.readHashAt(connection, shopId, sequenceNumber));
  }

  states(shopIds: readonly string[]): Promise<readonly ShopState[]> {
    return this.#reads.read((connection) => reads.readStates(connection, shopIds));
  }

  statesAfter(afterShopId: string, limit: number): Promise<readonly ShopState[]> {
    return this.#reads.read((connection) => reads.readStatesAfter(connection, afterShopId, limit));
  }

  keys(digests: readonly Buffer[]): Promise<readonly (KeyHolder | null)[]> {
    return this.#reads.read((connection) => reads.readKeys(connection, digests));
  }

  checkpoint(shopId: string, atMost?: number): Promise<StoredCheckpoint | null> {
    return this.#reads.read((connection) => reads.readCheckpoint(connection, shopId, atMost));
  }

  writeCheckpoint(shopId: string, checkpoint: StoredCheckpoint): Promise<void> {
    return this.#write((connection) => writeCheckpoint(connection, shopId, checkpoint));
  }

  trim(shopId: string, upTo: number, keptRecord: number): Promise<number> {
    return this.#write((connection) => trimShop(connection, shopId, upTo, keptRecord));
  }

  async deleteShop(shopId: string, expected: RecordHead): Promise<boolean> {
    const isDeleted = await this.#write((connection) => deleteShop(connection, shopId, expected));
    if (isDeleted) this.#hints.send();
    return isDeleted;
  }

  join(self: Pick<NodeBeat, 'node' | 'readsFormat' | 'address'>): Promise<string> {
    return this.#membership.join(self);
  }

  beat(): Promise<Beat | null> {
    return this.#membership.beat();
  }

  async nodes(): Promise<readonly NodeBeat[]> {
    return this.#reads.read(async (connection) => nodesOf(await connection.query(LIST_NODES)));
  }

  leave(): Promise<void> {
    return this.#membership.leave();
  }

  removeNode(seen: Pick<NodeBeat, 'run' | 'beat'>): Promise<boolean> {
    return this.#membership.removeNode(seen);
  }

  onHint(listener: () => void): () => void {
    return this.#hints.onHint(listener);
  }

  writeShopText(kind: ShopTextKind, shopId: string, mirrorId: string, text: string | null): Promise<void> {
    return this.#write((connection) => writeShopText(connection, kind, shopId, mirrorId, text));
  }

  readShopTexts(kind: ShopTextKind, shopId: string): Promise<ReadonlyMap<string, string>> {
    return this.#reads.read((connection) => readShopTexts(connection, kind, shopId));
  }

  writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    return this.#write((connection) => writeKeyUse(connection, uses));
  }

  readKeyUse(keyIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#reads.read((connection) => readKeyUse(connection, keyIds));
  }

  async alone(name: string, work: () => Promise<void>): Promise<boolean> {
    return this.#locks.alone(name, work);
  }

  async close(): Promise<void> {
    this.#hints.close();
    for (const link of this.#links) link.close();
  }

  async #write<T>(write: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await write(await this.#upkeep.connection());
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw unavailable(error);
    }
  }
}
