/**
 * Three simulated servers as clients see them: a primary, which fails over, and connections to any server
 * that takes itself for the primary, also the old one that was cut off. A statement that was sent is executed
 * even when its client has gone.
 */
import { AuthorityUnavailableError } from '../../../src/store/log/authority.ts';
import { type Release, SimulatedServer, type Snapshot } from './simulated-server.ts';
import type { Owner, SimulatedTime } from './simulated-time.ts';

export class SimulatedDatabase {
  readonly #time: SimulatedTime;
  readonly #connections = new Set<SimulatedConnection>();
  /** Null while a standby is being promoted. */
  #primary: SimulatedServer | null;
  /** The previous primary, cut off from its standbys and from clients of the new one, until it dies. */
  #isolated: SimulatedServer | null = null;
  #last: SimulatedServer;
  failovers = 0;

  constructor(time: SimulatedTime) {
    this.#time = time;
    this.#primary = new SimulatedServer('server 1', time);
    this.#last = this.#primary;
  }

  get primary(): SimulatedServer | null {
    return this.#primary;
  }

  get isolated(): SimulatedServer | null {
    return this.#isolated;
  }

  /** The server whose history survives: the primary, or the one whose standby will be promoted. */
  get last(): SimulatedServer {
    return this.#last;
  }

  /** Opens a connection. `prefersOld`: the client reaches the old primary while that is alive. */
  async connect(client: Owner, purpose: string, prefersOld: boolean): Promise<SimulatedConnection> {
    await this.#time.step(client, 'travel');
    const server = (prefersOld ? this.#isolated : null) ?? this.#primary;
    if (server === null) throw new AuthorityUnavailableError('no server is a primary');
    const connection = new SimulatedConnection(this.#time, client, purpose, server, () => {
      this.#connections.delete(connection);
    });
    this.#connections.add(connection);
    return connection;
  }

  /**
   * Both standbys stop receiving, so the old primary completes no more commits. It may stay alive and answer
   * reads.
   */
  isolate(): void {
    if (this.#primary === null) return;
    this.kill(this.#isolated);
    this.loseStandbys();
    this.#isolated = this.#primary;
    this.#primary = null;
  }

  loseStandbys(): void {
    if (this.#primary !== null) this.#primary.hasStandby = false;
  }

  /** Promotes a standby that has `ghosts` of the commits that were not waited for. */
  promote(ghosts: number): void {
    const { copied, all } = this.#last.commits;
    this.failovers++;
    const name = `server ${this.failovers + 1}`;
    this.#last = new SimulatedServer(name, this.#time, all.slice(0, copied + ghosts));
    this.#primary = this.#last;
  }

  kill(server: SimulatedServer | null): void {
    if (server === null) return;
    server.isDead = true;
    if (this.#isolated === server) this.#isolated = null;
    this.#dropConnections(server);
  }

  /**
   * The primary crashes and restarts in place: its connections break, and waiting commits become visible.
   */
  crashInPlace(): void {
    if (this.#primary === null) return;
    this.#dropConnections(this.#primary);
    this.#primary.cutWaits();
  }

  #dropConnections(server: SimulatedServer): void {
    for (const connection of [...this.#connections]) if (connection.server === server) connection.close();
  }
}

/** Statements of one client to one server, in order; the answers come back in the same order. */
export class SimulatedConnection {
  readonly server: SimulatedServer;
  readonly #time: SimulatedTime;
  readonly #client: Owner;
  readonly #name: string;
  readonly #onClose: () => void;
  /** Rejects when the connection is closed. */
  readonly #closed: Promise<never>;
  #close: (error: Error) => void = () => {};
  #arrived: Promise<unknown> = Promise.resolve();
  #executed: Promise<unknown> = Promise.resolve();
  #answered: Promise<unknown> = Promise.resolve();
  isOpen = true;
  /** Position of the feed of changes, once it has begun on this connection. */
  feedFrom: Snapshot | null = null;
  /** The lock of the open transaction. */
  heldLock: Release | null = null;

  constructor(
    time: SimulatedTime,
    client: Owner,
    purpose: string,
    server: SimulatedServer,
    onClose: () => void,
  ) {
    this.#time = time;
    this.#client = client;
    this.#name = `${client.name} ${purpose}`;
    this.server = server;
    this.#onClose = onClose;
    this.#closed = new Promise((_, reject) => {
      this.#close = reject;
    });
    this.#closed.catch(() => {});
  }

  /** Rejects with `AuthorityUnavailableError` when the connection breaks before the answer. */
  send<T>(statement: (server: SimulatedServer) => T | Promise<T>): Promise<T> {
    if (!this.isOpen) return Promise.reject(lost());
    const arrived = this.#arrived.then(() => this.#time.step(this.server, 'travel', this.#name));
    const executed = Promise.all([arrived, this.#executed])
      .then(() => this.#time.step(this.server, 'execute', this.#name))
      .then(() => statement(this.server));
    const answered = Promise.all([executed, this.#answered]).then(async ([value]) => {
      await this.#time.step(this.#client, 'answer', this.#name);
      return value;
    });
    // The server ends a connection whose wait was cut short.
    const settled = answered.catch(() => {
      this.close();
      throw lost();
    });
    this.#arrived = arrived;
    this.#executed = executed.catch(() => {});
    this.#answered = answered.catch(() => {});
    return Promise.race([settled, this.#closed]);
  }

  /** Statements that were sent still run; no answer arrives any more. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#close(lost());
    this.#onClose();
    // The server executes the statements that were sent before it notices that the client has gone.
    void this.#executed.then(() => this.unlock());
  }

  unlock(): void {
    this.heldLock?.();
    this.heldLock = null;
  }
}

const lost = (): Error => new AuthorityUnavailableError('the connection is lost');
