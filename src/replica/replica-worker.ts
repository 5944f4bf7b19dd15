/**
 * A replica: one more thread that serves the port. It answers live simulations from copies of the shops that it
 * reads from the log itself, and forwards every other request to the owner of the shops. It writes nothing.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type RunningServer, startServer } from '../http/server.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import { systemClock } from '../runtime/clock.ts';
import { createIdSource } from '../runtime/id-source.ts';
import { invariant } from '../runtime/invariant.ts';
import { LOG_LEVELS, type Logger } from '../runtime/logger.ts';
import { closeObjectPrototype, refuseCodeFromText } from '../runtime/process-guard.ts';
import { asError } from '../runtime/thrown-error.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { VersionCache } from '../shop/version-cache.ts';
import { Forwarder, type Post } from './forwarder.ts';
import { HeavyRelay } from './heavy-relay.ts';
import { ReplicaKeys } from './replica-keys.ts';
import type { LineLevel, Question, ReplicaSettings, ToReplica } from './replica-message.ts';
import { SharedBoard } from './shared-board.ts';
import { ShopCopies } from './shop-copies.ts';
import { SimulationOutbox } from './simulation-outbox.ts';
import { UseOutbox } from './use-outbox.ts';

/** How far the owner's knowledge of when keys were last used may be behind. */
const KEY_USE_MS = 1_000;

class Replica {
  readonly #settings: ReplicaSettings;
  readonly #post: Post;
  readonly #log: LmdbEventLog;
  readonly #metrics = createMetrics();
  readonly #keys: ReplicaKeys;
  readonly #outbox: SimulationOutbox;
  readonly #uses: UseOutbox;
  readonly #copies: ShopCopies;
  readonly #forwarder: Forwarder;
  readonly #heavy: HeavyRelay;
  readonly #keyTimer: NodeJS.Timeout;
  #server: RunningServer | null = null;

  constructor(settings: ReplicaSettings, post: Post) {
    this.#settings = settings;
    this.#post = post;
    const clock = systemClock;
    const logger = this.#logger();
    const log = openLmdbEventLog({ path: settings.dataFolder, arePagesChecked: true });
    const board = new SharedBoard(settings.board);
    this.#log = log;
    this.#keys = new ReplicaKeys({
      log,
      clock,
      logger,
      limits: settings,
      board,
      tellUses: (uses) => post({ kind: 'keyUse', uses }),
    });
    this.#keyTimer = setInterval(() => void this.#keys.flush(), KEY_USE_MS).unref();
    const watch = new SimulationOutbox(settings, clock.nowMs, (batch) => post({ kind: 'simulated', batch }));
    this.#outbox = watch;
    const uses = new UseOutbox(clock.nowMs, (shopId, sent) => post({ kind: 'used', shopId, uses: sent }));
    this.#uses = uses;
    this.#copies = new ShopCopies({
      log,
      board,
      clock,
      logger,
      metrics: this.#metrics,
      watch,
      uses,
      slices: new WorkSlices(clock),
      plans: settings.plans,
      limits: settings.http,
      versionCache: new VersionCache({ versionCacheBytesMax: 0 }),
      shopsMax: settings.shopsMax,
      borrow: (shopId) => post({ kind: 'borrow', shopId }),
      release: (shopId, slot) => post({ kind: 'release', shopId, slot }),
    });
    this.#heavy = new HeavyRelay(settings.heavyMicroseconds, (number, shopId, question) =>
      post({ kind: 'heavy', number, shopId, question }),
    );
    const { bodyBytesMax, configBodyBytesMax } = settings.http;
    this.#forwarder = new Forwarder(post, Math.max(bodyBytesMax, configBodyBytesMax), this.#metrics);
  }

  async start(): Promise<void> {
    const { plans, secretKey, dataFolder, http } = this.#settings;
    const clock = systemClock;
    const ids = createIdSource(clock);
    const elsewhere = (): never => invariant(false, 'another thread answers this') as never;
    this.#server = await startServer(
      {
        keys: this.#keys,
        shops: this.#copies,
        plans,
        heavy: this.#heavy,
        shadow: { results: elsewhere, elsewhere, resultsSinceEdit: elsewhere, replay: elsewhere },
        coverage: { results: elsewhere },
        clock,
        logger: this.#logger(),
        secrets: createSecretBox({ keyText: secretKey, dataFolder }),
        requestIds: () => ids.next(),
        metrics: this.#metrics,
        metricsText: elsewhere,
        relay: this.#forwarder,
        phase: elsewhere,
      },
      http,
      'joining',
    );
    refuseCodeFromText();
    this.#post({ kind: 'listening' });
  }

  receive(message: ToReplica): void {
    switch (message.kind) {
      case 'answer':
        this.#forwarder.answer(message.id, message.answer);
        break;
      case 'lent':
        this.#copies.lent(message.shopId, message.loan);
        break;
      case 'gone':
        this.#copies.gone(message.shopId, message.slot);
        break;
      case 'taken':
        this.#outbox.taken(message.requests, message.bytes);
        break;
      case 'ask':
        this.#answer(message.number, message.question);
        break;
      case 'heavyAnswer':
        this.#heavy.answered(message.number, message.answer);
        break;
      case 'close':
        break;
    }
  }

  #answer(number: number, question: Question): void {
    const reply = (value: unknown): void => this.#post({ kind: 'reply', number, value });
    switch (question.kind) {
      case 'metrics':
        this.#metrics.values.replica_simulations = this.#metrics.values.simulations;
        reply(this.#metrics);
        break;
      case 'recent':
        // What may be kept of a request follows from the rules of now.
        this.#copies.loaded(question.shopId);
        void this.#outbox.recent(question.shopId).then(reply);
        break;
      case 'drain':
        void (this.#server?.drain() ?? Promise.resolve()).then(() => reply(null));
        break;
    }
  }

  /** Closes every connection, tells the owner what it does not know yet, lets go of the log. */
  async close(): Promise<void> {
    clearInterval(this.#keyTimer);
    this.#server?.close();
    this.#outbox.flush();
    this.#uses.flush();
    await this.#keys.flush();
    await this.#log.close();
  }

  /** Lines are written by one thread, so that they stay whole. */
  #logger(): Logger {
    const { logLevel, thread } = this.#settings;
    const last = LOG_LEVELS.indexOf(logLevel);
    const write =
      (level: LineLevel): Logger[LineLevel] =>
      (event, fields = {}) => {
        if (LOG_LEVELS.indexOf(level) > last) return;
        this.#post({ kind: 'line', level, event, fields: { ...fields, thread } });
      };
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      fatal: write('fatal'),
    };
  }
}

function run(): void {
  closeObjectPrototype();
  const port = parentPort;
  invariant(port !== null, 'a replica runs in a thread of its own');
  const post: Post = (message, transfer = []) => port.postMessage(message, transfer);
  let isFailed = false;
  let replica: Replica | null = null;
  // A thread that ends with an open server takes the process with it; the owner ends it in order.
  const fail = (cause: unknown, isStarting: boolean): void => {
    if (!isFailed) post({ kind: 'failed', error: asError(cause), isStarting });
    isFailed = true;
  };
  process.on('uncaughtException', (error) => fail(error, false));
  process.on('unhandledRejection', (reason) => fail(reason, false));
  port.on('message', (message: ToReplica) => {
    if (message.kind !== 'close') {
      replica?.receive(message);
      return;
    }
    void (replica?.close() ?? Promise.resolve())
      .catch((error: unknown) => fail(error, false))
      .then(() => port.close());
  });
  try {
    replica = new Replica(workerData as ReplicaSettings, post);
    replica.start().catch((error: unknown) => fail(error, true));
  } catch (error) {
    fail(error, true);
  }
}

run();
