/**
 * The authority as one node reaches it: the statements that an adapter for PostgreSQL sends on its
 * connections, on simulated servers. One connection for each purpose; a statement that takes too long closes
 * it.
 */

import type { NodeAuthority } from '../../../src/store/cluster/cluster-node.ts';
import type { ClusterClock } from '../../../src/store/cluster/node-ports.ts';
import type {
  AppendGroup,
  Beat,
  GroupResult,
  Hint,
  NodeBeat,
  ShopMark,
  ShopStart,
  ShopState,
  ShopTail,
  TurnResult,
} from '../../../src/store/log/authority.ts';
import { lastMark } from '../../../src/store/log/record-codec.ts';
import type { SimulatedConnection, SimulatedDatabase } from './simulated-database.ts';
import type { SimulatedServer, Snapshot } from './simulated-server.ts';
import type { Owner } from './simulated-time.ts';

const STATEMENT_MS_MAX = 1_500;
/** Most records that one read returns. */
const TAIL_RECORDS_MAX = 4;

/** A turn is a transaction, which needs a connection for itself. */
type Purpose = 'append' | 'beat' | 'read' | `turn of ${string}`;

export interface SimulatedAuthorityPorts {
  readonly database: SimulatedDatabase;
  readonly client: Owner;
  readonly clock: ClusterClock;
  /** A new name for a run of the node. */
  readonly newRun: () => string;
  /** The network of this client leads to the old primary, while that is alive. */
  readonly prefersOld: () => boolean;
  /** Called with the hints for other nodes. */
  readonly onHint: (hint: Hint) => void;
  /** Called after the first attempt to append a group, with whether it lost its race. */
  readonly onTurn: (shopId: string, isStale: boolean) => void;
}

export class SimulatedAuthority implements NodeAuthority {
  readonly #ports: SimulatedAuthorityPorts;
  readonly #connections = new Map<Purpose, Promise<SimulatedConnection>>();
  readonly #hints = new Set<(hint: Hint) => void>();
  readonly #attempted = new WeakSet<AppendGroup>();
  #self: NodeBeat | null = null;
  #beat = 0;

  constructor(ports: SimulatedAuthorityPorts) {
    this.#ports = ports;
  }

  /** The network between the node and the servers breaks. */
  async disconnect(): Promise<void> {
    for (const connection of this.#connections.values()) (await connection.catch(() => null))?.close();
  }

  hint(hint: Hint): void {
    for (const listener of this.#hints) listener(hint);
  }

  async #connection(purpose: Purpose): Promise<SimulatedConnection> {
    const known = await this.#connections.get(purpose)?.catch(() => null);
    if (known?.isOpen === true) return known;
    const { database, client, prefersOld } = this.#ports;
    const opened = database.connect(client, purpose, prefersOld());
    this.#connections.set(purpose, opened);
    return opened;
  }

  /** Resolves with the answer of a statement; rejects when its connection ends. */
  async #timed<T>(connection: SimulatedConnection, answer: Promise<T>): Promise<T> {
    const cancel = this.#ports.clock.after(STATEMENT_MS_MAX, () => connection.close());
    try {
      return await answer;
    } finally {
      cancel();
    }
  }

  /** Reads, then confirms the result by a later commit on the same connection. */
  async #read<T>(read: (server: SimulatedServer) => T): Promise<T> {
    const connection = await this.#connection('read');
    const value = connection.send(read);
    value.catch(() => {});
    const confirmed = connection.send((server) => server.commit(() => {}));
    await this.#timed(connection, confirmed);
    return await value;
  }

  async append(group: AppendGroup): Promise<GroupResult> {
    let connection: SimulatedConnection;
    try {
      connection = await this.#connection('append');
    } catch (error) {
      return { kind: 'unavailable', cause: error as Error };
    }
    const appended = connection.send((server) =>
      server.update(group.shopId, () => server.appendEffect(group)),
    );
    const listed = connection.send((server) => server.nodes());
    appended.catch(() => {});
    const result = await this.#outcome(connection, group, appended, listed);
    if (!this.#attempted.has(group)) this.#ports.onTurn(group.shopId, result.kind === 'staleWriter');
    this.#attempted.add(group);
    return result;
  }

  async #outcome(
    connection: SimulatedConnection,
    group: AppendGroup,
    appended: Promise<boolean>,
    listed: Promise<NodeBeat[]>,
  ): Promise<GroupResult> {
    try {
      const nodes = await this.#timed(connection, listed);
      if (!(await appended)) return { kind: 'staleWriter' };
      this.#ports.onHint({ kind: 'appended', shops: [lastMark(group)] });
      return { kind: 'appended', nodes };
    } catch (error) {
      return { kind: 'outcomeUnknown', cause: error as Error };
    }
  }

  async takeTurn(shopId: string, decide: () => Promise<AppendGroup | null>): Promise<TurnResult> {
    let connection: SimulatedConnection;
    try {
      connection = await this.#connection(`turn of ${shopId}`);
      await this.#timed(
        connection,
        connection.send((server) => lock(server, connection, shopId)),
      );
    } catch (error) {
      return { kind: 'unavailable', cause: error as Error };
    }
    let group: AppendGroup | null;
    try {
      group = await decide();
    } catch (error) {
      connection.close();
      throw error;
    }
    if (group === null) {
      connection.close();
      return { kind: 'nothingToAppend' };
    }
    if (!connection.isOpen) return { kind: 'unavailable', cause: new Error('the connection is lost') };
    const ended = connection.send((server) => commitLocked(server, connection, group));
    const listed = connection.send((server) => server.nodes());
    ended.catch(() => {});
    const result = await this.#outcome(connection, group, ended, listed);
    // A stale result under the lock of a replaced primary is no lost race.
    this.#ports.onTurn(shopId, false);
    return result;
  }

  async tail(shopId: string, after: number): Promise<ShopTail> {
    return await this.#read((server) => tailOf(server, shopId, after));
  }

  start(): Promise<ShopStart> {
    return Promise.reject(new Error('no record is ever removed here'));
  }

  async hashAt(shopId: string, sequenceNumber: number): Promise<Buffer | null> {
    return await this.#read(
      ({ tables }) => tables.shops.get(shopId)?.records[sequenceNumber - 1]?.hash ?? null,
    );
  }

  async states(shopIds: readonly string[]): Promise<readonly ShopState[]> {
    return await this.#read((server) => server.states((shopId) => shopIds.includes(shopId)));
  }

  async nodes(): Promise<readonly NodeBeat[]> {
    return await this.#read((server) => server.nodes());
  }

  async join(self: Pick<NodeBeat, 'node' | 'readsFormat'>): Promise<string> {
    const run = this.#ports.newRun();
    const row: NodeBeat = { ...self, run, beat: 0 };
    const connection = await this.#connection('beat');
    const joined = connection.send((server) =>
      server.update(
        run,
        () =>
          ({ nodes }) =>
            nodes.set(run, row),
      ),
    );
    await this.#timed(connection, joined);
    this.#self = row;
    this.#beat = 0;
    return run;
  }

  async beat(): Promise<Beat | null> {
    const self = this.#self;
    if (self === null) throw new Error('a node joins before it beats');
    const connection = await this.#connection('beat');
    // Each attempt has a number of its own, so that a late one never counts as a later one.
    const row: NodeBeat = { ...self, beat: ++this.#beat };
    const raised = connection.send((server) => raiseBeat(server, row));
    const since = connection.feedFrom;
    const changed = connection.send((server) => changesSince(server, since));
    const listed = connection.send((server) => server.nodes());
    for (const answer of [raised, changed]) answer.catch(() => {});
    const nodes = await this.#timed(connection, listed);
    if (!(await raised)) return null;
    const { from, states } = await changed;
    connection.feedFrom = from;
    return { beat: row.beat, epoch: 1, changed: states, nodes, wallMs: 0 };
  }

  deleteShop(): Promise<boolean> {
    return Promise.reject(new Error('no shop is ever deleted here'));
  }

  async leave(): Promise<void> {
    if (this.#self !== null) await this.removeNode({ ...this.#self, beat: this.#beat });
  }

  async removeNode(seen: Pick<NodeBeat, 'run' | 'beat'>): Promise<void> {
    const connection = await this.#connection('read');
    const removed = connection.send((server) => removeNode(server, seen));
    await this.#timed(connection, removed);
  }

  onHint(listener: (hint: Hint) => void): () => void {
    this.#hints.add(listener);
    return () => this.#hints.delete(listener);
  }

  askForBeats(): void {
    this.#ports.onHint({ kind: 'appended', shops: [] });
  }

  tellShown(shops: readonly ShopMark[]): void {
    if (this.#self !== null) this.#ports.onHint({ kind: 'shown', run: this.#self.run, shops });
  }
}

const raiseBeat = (server: SimulatedServer, row: NodeBeat): Promise<boolean> =>
  server.update(row.run, () => {
    const known = server.tables.nodes.get(row.run);
    if (known === undefined || known.beat >= row.beat) return null;
    return ({ nodes }) => nodes.set(row.run, row);
  });

const removeNode = (
  server: SimulatedServer,
  { run, beat }: Pick<NodeBeat, 'run' | 'beat'>,
): Promise<boolean> =>
  server.update(run, () => {
    const known = server.tables.nodes.get(run);
    if (known === undefined || known.beat > beat) return null;
    return ({ nodes }) => nodes.delete(run);
  });

async function lock(server: SimulatedServer, connection: SimulatedConnection, shopId: string): Promise<void> {
  connection.heldLock = await server.lock(shopId);
}

async function commitLocked(
  server: SimulatedServer,
  connection: SimulatedConnection,
  group: AppendGroup,
): Promise<boolean> {
  const effect = server.appendEffect(group);
  if (effect !== null) await server.commit(effect);
  connection.unlock();
  return effect !== null;
}

/** The changes since the feed was at `since`, and its new position; null when the feed begins here. */
function changesSince(
  server: SimulatedServer,
  since: Snapshot | null,
): { from: Snapshot; states: ShopState[] | null } {
  const isNew = ({ next, underWay }: Snapshot, changed: number) => changed >= next || underWay.has(changed);
  const states = since === null ? null : server.states((_, changed) => isNew(since, changed));
  return { from: server.snapshot, states };
}

function tailOf(server: SimulatedServer, shopId: string, after: number): ShopTail {
  const [state] = server.states((id) => id === shopId);
  const records = server.tables.shops.get(shopId)?.records.slice(after, after + TAIL_RECORDS_MAX) ?? [];
  return { state: state ?? null, records };
}
