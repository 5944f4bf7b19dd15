/**
 * One simulated run of a seed, in one thread: clients write, stage, roll back, read, repeat requests and send old
 * versions; the clock jumps; the log is slow and fails; processes die and restart, and a second process writes to the
 * same shops. Small limits make full mailboxes, full groups, evictions and checkpoints common. `Witness` checks the
 * promises.
 */

import { createHash } from 'node:crypto';
import { joinedText } from '../../src/base/bytes/answer-text.ts';
import type { Command } from '../../src/engine/change/command.ts';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { ShopState } from '../../src/engine/domain/shop-event.ts';
import { viewTagOf } from '../../src/engine/domain/view-tag.ts';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import type { ShopActor } from '../../src/shop/actor/shop-actor.ts';
import { recoverShop } from '../../src/shop/reader/recovery.ts';
import type { WriteRequest } from '../../src/shop/reader/shop-access.ts';
import { SeededRandom } from './seeded-random.ts';
import { type DiskTroubles, SimulatedDisk } from './simulated-disk.ts';
import { digestOf, type ProcessParts, type SimulatedClock, SimulatedProcess } from './simulated-process.ts';
import { TaskQueue } from './task-queue.ts';
import { type Asked, Witness } from './witness.ts';

const START_MS = Date.UTC(2026, 0, 1);
const SHOPS = ['shop_a', 'shop_b', 'shop_c'] as const;
const STEPS = 60;
const TASKS_AT_END_MAX = 5_000;
const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };

export interface RunReport {
  readonly steps: number;
  readonly records: number;
  readonly deaths: number;
  /** Digest of all stored records and answers in order; equal in two runs of a seed. */
  readonly digest: string;
}

/** Runs one seed to its end. Throws `Violation` after the first step that broke a promise. */
export async function runSeed(seed: number): Promise<RunReport> {
  const random = new SeededRandom(seed);
  const queue = new TaskQueue(random);
  return queue.inCharge(() => new SimulatedRun(random, queue).run());
}

class SimulatedRun {
  readonly #random: SeededRandom;
  readonly #queue: TaskQueue;
  readonly #disk = new SimulatedDisk();
  readonly #witness = new Witness();
  readonly #clock: SimulatedClock;
  readonly #parts: ProcessParts;
  readonly #trail = createHash('sha256');
  readonly #shopIds: readonly string[];
  /** Requests with an Idempotency-Key that may be sent again. */
  readonly #repeatable: { readonly shopId: string; readonly request: WriteRequest }[] = [];
  #server: SimulatedProcess;
  /** The command line, which is a separate process. */
  #commands: SimulatedProcess;
  #asked = 0;
  #records = 0;
  #deaths = 0;
  #driftMs = 0;

  constructor(random: SeededRandom, queue: TaskQueue) {
    this.#random = random;
    this.#queue = queue;
    const clock: SimulatedClock = { ms: START_MS, nowMs: () => clock.ms, monotonicMs: () => clock.ms };
    this.#clock = clock;
    this.#shopIds = SHOPS.slice(0, random.between(1, SHOPS.length));
    const limits = {
      mailboxLengthMax: random.between(1, 6),
      groupWritesMax: random.between(1, 5),
      groupBytesMax: random.pick([1, 500, 1_000_000]) ?? 1,
      checkpointRecords: random.between(1, 6),
      checkpointBytes: 1_000_000,
      versionCacheBytesMax: 100_000,
      itemsMax: ITEMS_MAX_DEFAULT,
      shopsLoadedMax: random.between(1, 3),
      keysCachedMax: random.between(2, 6),
    };
    this.#parts = { disk: this.#disk, queue, random, clock, limits, troubles: troublesOf(random) };
    this.#disk.onStored = (shopId, records) => {
      this.#records += records.length;
      for (const record of records) this.#trail.update(`${shopId} ${JSON.stringify(record)}\n`);
      this.#witness.stored(shopId, records);
    };
    this.#server = new SimulatedProcess('server', this.#parts);
    this.#commands = new SimulatedProcess('commands', this.#parts);
  }

  async run(): Promise<RunReport> {
    await this.#createShops();
    let steps = 0;
    for (; steps < STEPS; steps++) {
      await this.#step();
      if (this.#server.fatal !== null) await this.#maybeRestart();
      this.#witness.look([this.#server]);
    }
    for (let left = TASKS_AT_END_MAX; left > 0 && (await this.#queue.runOne()); left--) {
      this.#witness.look([this.#server]);
    }
    this.#witness.hold(this.#queue.length === 0, 'a run comes to rest');
    this.#witness.settled();
    await this.#restart();
    await this.#checkRecovery();
    return { steps, records: this.#records, deaths: this.#deaths, digest: this.#trail.digest('hex') };
  }

  async #createShops(): Promise<void> {
    const calm = {
      ...this.#parts,
      troubles: { unavailable: 0, unknownStored: 0, unknownLost: 0, rejected: 0 },
    };
    const setup = new SimulatedProcess('setup', calm);
    for (const id of this.#shopIds) {
      await this.#queue.act(setup, () => {
        void setup.directory.createShop({
          id,
          name: id,
          currency: 'USD',
          timezone: 'UTC',
          plan: 'open',
          promotionGate: null,
        });
      });
      while (await this.#queue.runOne());
    }
  }

  async #step(): Promise<void> {
    const random = this.#random;
    this.#clock.ms += random.below(50);
    const dice = random.below(100);
    if (dice < 42) await this.#queue.runOne();
    else if (dice < 78) await this.#write(this.#server);
    else if (dice < 84) await this.#repeat();
    else if (dice < 89) await this.#read();
    else if (dice < 93) await this.#write(this.#commands);
    else if (dice < 96) this.#jump();
    else if (dice < 98) await this.#refresh();
    else await this.#restart();
  }

  /** Moves the clock by at most half an hour from the true time, so that no idempotency key expires. */
  #jump(): void {
    const driftMs = this.#random.between(-1_800_000, 1_800_000);
    this.#clock.ms += driftMs - this.#driftMs;
    this.#driftMs = driftMs;
  }

  /** Calls the service, which must not throw even when its disk fails. */
  #watch<T>(promise: Promise<T>, take: (value: T) => void): void {
    promise.then(take).catch((error: Error) => this.#witness.hold(false, `nothing throws: ${error.stack}`));
  }

  #shopId(): string {
    return this.#random.pick(this.#shopIds) ?? SHOPS[0];
  }

  async #write(process: SimulatedProcess): Promise<void> {
    const shopId = this.#shopId();
    await this.#queue.act(process, () => {
      this.#watch(process.actorOf(shopId), (actor) => {
        const tag = `w${++this.#asked}`;
        const request = this.#newRequest(actor.state, tag);
        if (request.idempotency !== null) this.#repeatable.push({ shopId, request });
        this.#send(process, actor, request, tag);
      });
    });
  }

  /** The same request again, or another one under its key. */
  async #repeat(): Promise<void> {
    const earlier = this.#random.pick(this.#repeatable);
    if (earlier === undefined) return;
    const { shopId, request } = earlier;
    const key = request.idempotency?.key ?? '';
    const requestDigest = this.#random.chance(80) ? key : 'another';
    const process = this.#server;
    await this.#queue.act(process, () => {
      this.#watch(process.actorOf(shopId), (actor) => {
        const tag = `w${++this.#asked}`;
        // Its write has a new tag, so that a second record can be distinguished from the first.
        const again = { ...request, ...retagged(request, tag), idempotency: { key, requestDigest } };
        this.#send(process, actor, again, tag);
      });
    });
  }

  #send(process: SimulatedProcess, actor: ShopActor, request: WriteRequest, tag: string): void {
    const { command, keyId, ifMatch, idempotency } = request;
    const asked: Asked = {
      tag,
      shopId: actor.shopId,
      process,
      keyId,
      ifMatch,
      idempotencyKey: idempotency?.key ?? null,
      digest: idempotency?.requestDigest ?? '',
      ...(command.kind === 'createKey' && { madeSecret: secretOf(tag) }),
      ...(command.kind === 'revokeKey' && { revokes: command.id }),
      ...(command.kind === 'rollback' && { restores: command.targetVersionId }),
      actor: null,
      order: 0,
      outcome: 'waiting',
      sequenceNumber: null,
    };
    this.#witness.ask(asked);
    const send = () => {
      this.#witness.enqueue(asked, actor);
      this.#watch(actor.write(request), (outcome) => {
        this.#trail.update(`${tag} ${JSON.stringify(outcome)}\n`);
        this.#witness.answered(asked, outcome);
      });
    };
    // Some clients keep the actor for a while, like a request whose body is still arriving.
    if (this.#random.chance(25)) this.#queue.add(process, send);
    else send();
  }

  #newRequest(state: ShopState, tag: string): WriteRequest {
    const random = this.#random;
    const command = this.#newCommand(state, tag);
    return {
      command,
      keyId: random.chance(50) ? (random.pick(state.keys)?.id ?? null) : null,
      batchId: tag,
      ifMatch: random.pick([state.version.id, viewTagOf(state), null, null, null, null, null]) ?? null,
      idempotency: NAMELESS.has(command.kind) || random.chance(40) ? { key: tag, requestDigest: tag } : null,
      render: random.chance(4) ? broken : rendered(tag),
    };
  }

  #newCommand(state: ShopState, tag: string): Command {
    const random = this.#random;
    const { productGroups } = (state.staging ?? state).config;
    const groupId = random.pick(productGroups)?.id ?? '';
    if (random.chance(14)) return this.#newHistoryCommand(state);
    const dice = random.below(100);
    if (dice < 35) return { kind: 'createGroup', body: { name: tag } };
    if (dice < 50) return { kind: 'updateGroup', id: groupId, body: { name: tag } };
    if (dice < 62) return { kind: 'deleteGroup', id: groupId };
    if (dice < 72) return { kind: 'updateShop', body: { name: tag } };
    if (dice < 82) return { kind: 'createKey', label: tag, permission: 'write', ...printOf(tag) };
    if (dice < 90) return { kind: 'revokeKey', id: random.pick(state.keys)?.id ?? 'key_none' };
    const zone = { id: 'zone_us', name: tag, countries: ['US'] };
    const config = { price: random.below(1_000) };
    const method = { id: 'method_us', name: tag, zoneId: zone.id, rateType: 'flat' as const, config };
    return { kind: 'executeConfig', data: { zones: [zone], methods: [method] } };
  }

  #newHistoryCommand({ settings, staging }: ShopState): Command {
    const random = this.#random;
    if (random.chance(30)) {
      const [targetVersionId] = random.pick(this.#witness.versionsOf(settings.id)) ?? ['version_none'];
      return { kind: 'rollback', targetVersionId };
    }
    if (staging === null || random.chance(20)) return { kind: 'enterStaging' };
    return { kind: random.chance(60) ? 'promoteStaging' : 'discardStaging' };
  }

  /** Simulations use the published configuration, versions are unchanged, and live keys are known. */
  async #read(): Promise<void> {
    const process = this.#server;
    const shopId = this.#shopId();
    await this.#queue.act(process, () => {
      this.#watch(process.actorOf(shopId), (actor) => {
        const { config, settings } = actor.state;
        const answer = actor.simulate(CART, START_MS);
        const plain = evaluate(compileShop(config as ShopConfig, settings), CART, START_MS);
        this.#witness.hold(
          answer.ok && plain.ok && joinedText(answer.value) === plain.value,
          'a simulation answers from the published configuration',
        );
        const [versionId, text] = this.#random.pick(this.#witness.versionsOf(shopId)) ?? ['', ''];
        const version = actor.history.configOf(versionId);
        this.#witness.hold(JSON.stringify(version?.config) === text, 'a version is read as it was');
      });
      for (const { keyId, secret } of this.#witness.liveKeysOf(shopId)) {
        const grant = process.keys.find(`Bearer ${secret}`);
        this.#witness.hold(grant?.keyId === keyId, 'a key that is not revoked opens its shop');
      }
    });
  }

  /** The other process reports its write. */
  async #refresh(): Promise<void> {
    const shopId = this.#shopId();
    await this.#queue.act(this.#server, () => {
      const { directory, keys } = this.#server;
      const written = this.#disk.length(shopId);
      this.#watch(
        directory.refresh(shopId).finally(() => keys.forgetShop(shopId)),
        () => {
          const actor = directory.loaded(shopId);
          if (actor !== undefined) this.#witness.hasSeen(actor, written);
        },
      );
    });
  }

  /** After a failed append the process ends soon, but not at once. */
  async #maybeRestart(): Promise<void> {
    if (this.#random.chance(30)) await this.#restart();
  }

  /** Both processes die at once; new ones start from the disk. */
  async #restart(): Promise<void> {
    this.#deaths++;
    for (const process of [this.#server, this.#commands]) {
      this.#queue.drop(process);
      process.log.die();
      process.isDead = true;
    }
    this.#server = new SimulatedProcess('server', this.#parts);
    this.#commands = new SimulatedProcess('commands', this.#parts);
    for (const shopId of this.#shopIds) {
      await this.#queue.act(this.#server, () => {
        this.#watch(this.#server.actorOf(shopId), (actor) => this.#witness.recovered(actor));
      });
    }
    this.#witness.look([this.#server]);
  }

  /** All records from the first on, and a checkpoint with the records after it, give the same state. */
  async #checkRecovery(): Promise<void> {
    const { log } = this.#server;
    const allRecords = {
      read: log.read.bind(log),
      latestCheckpoint: () => null,
      removedUpTo: () => 0,
    };
    for (const shopId of this.#shopIds) {
      const texts = [];
      for (const source of [log, allRecords]) {
        const recovered = await recoverShop(source, shopId);
        texts.push(JSON.stringify(recovered?.state));
      }
      this.#witness.hold(texts[0] === texts[1], 'a checkpoint stands for the records before it');
      const live = JSON.stringify(this.#witness.stateOf(shopId));
      this.#witness.hold(texts[1] === live, 'replay gives the live state');
    }
    this.#witness.look([]);
  }
}

/** A third of all seeds have a log that never fails. */
function troublesOf(random: SeededRandom): DiskTroubles {
  const most = random.pick([0, 2, 6]) ?? 0;
  const percent = () => random.between(0, most);
  return { unavailable: percent(), unknownStored: percent(), unknownLost: percent(), rejected: percent() };
}

/** Commands without a tag in their event; their stored answer has the tag. */
const NAMELESS: ReadonlySet<Command['kind']> = new Set([
  'revokeKey',
  'deleteGroup',
  'enterStaging',
  'promoteStaging',
  'discardStaging',
  'rollback',
]);

const secretOf = (tag: string): string => `secret_${tag}`;
const printOf = (tag: string) => ({ prefix: 'secret', secretSha256: digestOf(secretOf(tag)) });

const rendered =
  (tag: string): WriteRequest['render'] =>
  (result) => ({ status: 201, body: JSON.stringify({ tag, result }) });

/** A simulated bug in the rendering of one answer. */
const broken: WriteRequest['render'] = () => {
  throw new Error('a bug');
};

/** The same command with another tag. */
function retagged(
  { command }: WriteRequest,
  tag: string,
): Pick<WriteRequest, 'command' | 'batchId' | 'render'> {
  const labels = { batchId: tag, render: rendered(tag) };
  switch (command.kind) {
    case 'createKey':
      return { ...labels, command: { ...command, label: tag, ...printOf(tag) } };
    case 'updateShop':
      return { ...labels, command: { ...command, body: { name: tag } } };
    default:
      return { ...labels, command };
  }
}
