/**
 * The `Authority` in PostgreSQL. Each kind of work has its own connection, so that none waits behind another: appends,
 * large appends, turns, beats, reads, upkeep, hints, and locks for work that one node does at a time.
 */
import { type AppendGroup, type Authority, deletionMark } from '../authority.ts';
import { lastMark } from '../record-codec.ts';
import { groupBytes } from './append-statement.ts';
import { Committer } from './committer.ts';
import { asking, ConfirmedReads } from './confirmed-reads.ts';
import type { Connection } from './connection.ts';
import { databaseHosts } from './database-url.ts';
import { Hints } from './hints.ts';
import { Membership, nodeLister } from './membership.ts';
import { type DatabaseCopies, type LinkOptions, PrimaryLink } from './primary-link.ts';
import { type ClusterGuard, openReadable, openSchema, PROOF } from './schema.ts';
import * as reads from './shop-reads.ts';
import { ShopTurns } from './shop-turns.ts';
import { deleteShop, trimShop, writeCheckpoint } from './shop-upkeep.ts';
import { readKeyUse, readShopTexts, WorkLocks, writeKeyUse, writeShopText } from './side-tables.ts';

interface PostgresAuthorityOptions {
  /** `postgres://...`, with one or several hosts. */
  readonly url: string;
  readonly copies?: DatabaseCopies;
  readonly guard?: ClusterGuard;
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

/** As `postgresAuthority`, connected. Rejects as `Authority.open`, with a reason for each server. */
export async function openPostgresAuthority(options: PostgresAuthorityOptions): Promise<Authority> {
  const authority = postgresAuthority(options);
  try {
    await authority.open();
    return authority;
  } catch (error) {
    await authority.close();
    throw error;
  }
}

/**
 * Connects when it is first asked something, and creates missing tables then. Throws `RangeError` when the address is
 * malformed.
 */
export function postgresAuthority(options: PostgresAuthorityOptions): Authority {
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
    admit: (connection) => openSchema(connection, options.guard),
    proof: PROOF,
  };
  const links: PrimaryLink[] = [];
  const link = (role: string, changes: Partial<LinkOptions> = {}): PrimaryLink => {
    const made = new PrimaryLink({ ...shared, ...changes, role });
    links.push(made);
    return made;
  };
  const hints: Hints = new Hints(
    link('hints', {
      isSynchronous: false,
      proof: null,
      onConnection: (connection) => hints.prepare(connection),
    }),
  );
  // All connections: each append would otherwise find out for itself, after its commit.
  const listNodes = nodeLister(shared.copies, (reason) => {
    for (const each of links) each.reopen(reason);
  });
  const hint = (groups: readonly AppendGroup[]) => hints.appended(groups.map(lastMark));
  const committer = new Committer(link('appends'), listNodes, hint);
  const largeCommitter = new Committer(link('large appends'), listNodes, hint);
  const turns = new ShopTurns(link('turns'), listNodes, hint);
  const beats = link('beats');
  const membership = new Membership(beats, listNodes);
  const confirmed = new ConfirmedReads(link('reads'), () => membership.run);
  const upkeep = link('upkeep');
  const locks = new WorkLocks(link('locks', { proof: null }));

  type Ask<A extends unknown[], T> = (connection: Connection, ...values: A) => Promise<T>;

  const reading =
    <A extends unknown[], T>(ask: Ask<A, T>) =>
    (...values: A): Promise<T> =>
      confirmed.read((connection) => ask(connection, ...values));

  const writing =
    <A extends unknown[], T>(ask: Ask<A, T>) =>
    (...values: A): Promise<T> =>
      asking(upkeep, (connection) => ask(connection, ...values));
  const deleted = writing(deleteShop);

  return {
    open: () => asking(beats, (connection) => openReadable(connection, options.guard)),
    append: (group) => (groupBytes(group) > LARGE_GROUP_BYTES ? largeCommitter : committer).append(group),
    takeTurn: (shopId, decide) => turns.take(shopId, decide),

    start: reading(reads.readStart),
    tail: reading(reads.readTail),
    hashAt: reading(reads.readHashAt),
    states: reading(reads.readStates),
    statesAfter: reading(reads.readStatesAfter),
    keys: reading(reads.readKeys),

    checkpoint: reading(reads.readCheckpoint),
    writeCheckpoint: writing(writeCheckpoint),
    trim: writing(trimShop),
    async deleteShop(shopId, expected) {
      const isDeleted = await deleted(shopId, expected);
      if (isDeleted) hints.appended([deletionMark(shopId, expected)]);
      return isDeleted;
    },

    join: (self) => membership.join(self),
    beat: () => membership.beat(),
    nodes: reading(listNodes),
    leave: () => membership.leave(),
    removeNode: (seen) => membership.removeNode(seen),
    onHint: (listener) => hints.onHint(listener),
    askForBeats: () => hints.askForBeats(),
    tellShown(shops) {
      const { run } = membership;
      if (run !== null) hints.shown(run, shops);
    },

    writeShopText: writing(writeShopText),
    readShopTexts: reading(readShopTexts),
    writeKeyUse: writing(writeKeyUse),
    readKeyUse: reading(readKeyUse),
    alone: (name, work) => locks.alone(name, work),

    async close() {
      hints.close();
      for (const each of links) each.close();
    },
  };
}
