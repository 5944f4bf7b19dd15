/** All replicas of the process, from their start to their end. */

import type { PlanTable } from '../domain/plan.ts';
import type { HttpSettings } from '../http/dependencies.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { invariant } from '../runtime/invariant.ts';
import type { LogLevel } from '../runtime/logger.ts';
import type { RecentSimulation } from '../shadow/recent-simulations.ts';
import type { SimulationWatch } from '../shop/simulation-watch.ts';
import { PublishedShops } from './published-shops.ts';
import type { Question, ReplicaLimits, ReplicaSettings, Replies } from './replica-message.ts';
import { type OwnerPorts, ReplicaThread } from './replica-thread.ts';
import { SharedBoard } from './shared-board.ts';
import { BORROWS_MAX } from './shop-copies.ts';

/** A thread that is busy for longer is left out of what is asked of all. */
const ASK_MS = 1_000;

export interface GroupSettings extends HttpSettings, Omit<ReplicaLimits, 'shopsMax'> {
  /** With that of the owner: 2 or more. */
  readonly threads: number;
  readonly replicaShopsMax: number;
  readonly dataPath: string;
  readonly secretKey: string | null;
  readonly logLevel: LogLevel;
}

export class ReplicaGroup {
  readonly #settings: GroupSettings;
  readonly #board: SharedBoard;
  #published: PublishedShops | null = null;
  #threads: readonly ReplicaThread[] = [];
  /** What each thread told last. */
  readonly #metrics = new Map<ReplicaThread, MetricsSnapshot>();

  /** No thread exists before `start`. */
  constructor(settings: GroupSettings) {
    this.#settings = settings;
    const { threads, replicaShopsMax } = settings;
    this.#board = new SharedBoard((threads - 1) * (replicaShopsMax + BORROWS_MAX));
  }

  /** What the actors are to tell of the shops in memory, so that replicas see it; `inner` is told as well. */
  watch(inner: SimulationWatch): SimulationWatch {
    this.#published = new PublishedShops(this.#board, inner);
    return this.#published;
  }

  /** A key has become worthless: when this returns no replica takes it any more. */
  forgetKeys(): void {
    this.#board.forgetKeys();
  }

  /** Starts the threads on the port; resolves when all serve, rejects with `ReplicaStartError`. */
  async start(port: number, plans: PlanTable, ports: Omit<OwnerPorts, 'published'>): Promise<void> {
    const published = this.#published;
    invariant(published !== null, 'the shops are watched before a replica can ask for one');
    this.#threads = Array.from({ length: this.#settings.threads - 1 }, (_, index) => {
      return new ReplicaThread(this.#settingsOf(index + 1, port, plans), { ...ports, published });
    });
    await Promise.all(this.#threads.map((thread) => thread.started));
  }

  #settingsOf(thread: number, port: number, plans: PlanTable): ReplicaSettings {
    const { threads, replicaShopsMax, dataPath, secretKey, logLevel, keysCachedMax, heavyMicroseconds } =
      this.#settings;
    const { host, bodyBytesMax, configBodyBytesMax, itemsMax, carrierBudgetMs, overloadMs, slowRequestMs } =
      this.#settings;
    const { console } = this.#settings;
    const share = (max: number): number => Math.floor(max / threads);
    return {
      thread,
      board: this.#board.memory,
      dataFolder: dataPath,
      secretKey,
      plans,
      logLevel,
      http: {
        host,
        port,
        bodyBytesMax,
        configBodyBytesMax,
        itemsMax,
        carrierBudgetMs,
        overloadMs,
        slowRequestMs,
        console,
        logLevel,
      },
      keysCachedMax,
      shopsMax: replicaShopsMax,
      heavyMicroseconds,
      replayBytesMax: share(this.#settings.replayBytesMax),
      shadowQueueMax: share(this.#settings.shadowQueueMax),
      shadowQueueBytesMax: share(this.#settings.shadowQueueBytesMax),
    };
  }

  /** The numbers of each thread; those it told last when it is busy, because counters never go back. */
  async metrics(): Promise<readonly MetricsSnapshot[]> {
    await Promise.all(
      this.#threads.map(async (thread) => {
        const told = await askSoon(thread, { kind: 'metrics' });
        if (told !== null) this.#metrics.set(thread, told);
      }),
    );
    return [...this.#metrics.values()];
  }

  /** What the threads keep for a replay of this shop. */
  async recent(shopId: string): Promise<readonly RecentSimulation[]> {
    const told = await Promise.all(
      this.#threads.map((thread) => askSoon(thread, { kind: 'recent', shopId })),
    );
    return told.flatMap((list) => list ?? []);
  }

  /** They stop accepting connections; resolves when nothing of theirs is in flight. */
  async drain(): Promise<void> {
    await Promise.all(
      this.#threads.map((thread) => Promise.race([thread.ask({ kind: 'drain' }), thread.ended])),
    );
  }

  /** Closes all their connections; resolves when every thread is gone. */
  async close(): Promise<void> {
    for (const thread of this.#threads) thread.close();
    await Promise.all(this.#threads.map((thread) => thread.ended));
  }
}

/** null when there is no answer within `ASK_MS`. */
async function askSoon<Q extends Question>(
  thread: ReplicaThread,
  question: Q,
): Promise<Replies[Q['kind']] | null> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ASK_MS, null);
  });
  const told = await Promise.race([thread.ask(question), isLate]);
  clearTimeout(timer);
  return told;
}
