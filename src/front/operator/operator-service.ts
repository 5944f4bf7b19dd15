/** What operators do besides the routes of a shop: the service as a whole, and the existence of shops. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/runtime/clock.ts';
import { packageVersion } from '../../base/runtime/package-files.ts';
import { conflict, notFound, type Outcome, success } from '../../engine/domain/failure.ts';
import { ID_PREFIXES } from '../../engine/domain/id.ts';
import type { PlanTable } from '../../engine/domain/plan.ts';
import type { LiveKeyRing } from '../../shop/actor/key-ring.ts';
import { type LiveShopDirectory, UnknownShopError } from '../../shop/actor/shop-directory.ts';
import { answerToKeep, IDEMPOTENCY_MS, replay } from '../../shop/actor/write-group.ts';
import type { Idempotency } from '../../shop/reader/shop-access.ts';
import type { EventLog } from '../../store/log/event-log.ts';
import { dataFileIn, readDiskUse } from '../../store/log/lmdb/data-file.ts';
import { CopyRefusedError } from '../../store/log/log-copy.ts';
import type { LogReport } from '../../store/log/verification.ts';
import { type LogTask, LogTasks } from '../../store/node/log-task.ts';
import type { OpenLog } from '../../store/node/open-log.ts';
import type { NewShopRequest, OperatorAccess, ProcessPhase } from '../http/dependencies.ts';
import type { StreamedBody } from '../http/output.ts';
import type { Settings } from '../settings.ts';

/** The copy of a backup that is sent, in the data folder; the next one removes what a killed process has left. */
const COPY = 'backup.unfinished';

const BUSY = conflict('a backup or a check of the log is under way: try again when it has ended');
const IN_DATABASE = conflict(
  'the log is in the database: back that up, with pg_dump or with base backups (pg_basebackup)',
);

interface OperatorPorts {
  readonly log: OpenLog;
  readonly shops: LiveShopDirectory;
  readonly keys: LiveKeyRing;
  readonly clock: Clock;
  readonly plans: PlanTable;
  readonly settings: Pick<Settings, 'dataPath' | 'databaseUrl' | 'databaseCopies'>;
  readonly phase: () => ProcessPhase;
}

export class OperatorService implements OperatorAccess {
  readonly #ports: OperatorPorts;
  readonly #tasks = new LogTasks();
  readonly #startMs: number;

  constructor(ports: OperatorPorts) {
    this.#ports = ports;
    this.#startMs = ports.clock.monotonicMs();
  }

  async shopIdsAfter(shopId: string, most: number): Promise<readonly string[]> {
    const { copy, shared } = this.#ports.log;
    return shared === null ? copy.shopIdsAfter(shopId, most) : shared.shopIdsAfter(shopId, most);
  }

  /** Each in a turn of its own: a page reads hundreds of shops from the log. */
  async stateOf(shopId: string) {
    await nextTurn();
    return this.#ports.shops.glance(shopId);
  }

  /**
   * Without an id of its own a shop gets one that follows from the idempotency key, so that a repeated request finds the
   * shop and the answer in its first records.
   */
  async createShop({ settings, key, idempotency, render }: NewShopRequest): Promise<Outcome<string>> {
    const id = settings.id ?? (idempotency === null ? undefined : shopIdOf(idempotency));
    let body = '';
    const made = await this.#ports.shops.createShop(id === undefined ? settings : { ...settings, id }, {
      key,
      answer: (state, firstKey) => {
        body = render(state, firstKey);
        return answerToKeep(idempotency, 201, body);
      },
    });
    if (made.ok) return success(body);
    if (made.code !== 'CONFLICT' || id === undefined || idempotency === null) return made;
    return (await this.#earlierAnswer(id, idempotency)) ?? made;
  }

  /** The answer to the request that made the shop, if that was an equal one; null when nothing is kept of it. */
  async #earlierAnswer(shopId: string, idempotency: Idempotency): Promise<Outcome<string> | null> {
    const { shops, clock } = this.#ports;
    try {
      await shops.load(shopId);
    } catch (error) {
      if (error instanceof UnknownShopError) return null;
      throw error;
    }
    const { copy, shared } = this.#ports.log;
    const log: EventLog = shared?.log ?? copy;
    const earlier = log.findAnswer(shopId, idempotency.key, clock.nowMs() - IDEMPOTENCY_MS);
    if (earlier === null) return null;
    await log.seenEverywhere?.(shopId);
    const answer = replay(earlier, idempotency, '');
    return answer.ok ? success(answer.value.body) : answer;
  }

  async deleteShop(shopId: string): Promise<Outcome<null>> {
    const { log, shops, keys, clock } = this.#ports;
    if (shops.peek(shopId)?.isBusy === true) {
      return conflict(`writes of shop ${shopId} are waiting: try again`);
    }
    if (log.shared !== null) {
      const result = await log.shared.deleteShop(shopId);
      if (result === 'unknown') return notFound('shop', shopId);
      return result === 'deleted' ? success(null) : writtenMeanwhile(shopId);
    }
    const { deletions } = log.copy;
    if (deletions.wasDeleted(shopId)) {
      await deletions.removeRemains();
      return success(null);
    }
    const last = log.copy.lastSequenceNumber(shopId);
    if (last === 0) return notFound('shop', shopId);
    if (!(await deletions.delete(shopId, last, clock.nowMs()))) return writtenMeanwhile(shopId);
    keys.forgetShop(shopId);
    await shops.refresh(shopId);
    return success(null);
  }

  async status() {
    const { settings, log, clock, plans, phase } = this.#ports;
    const cluster = log.shared === null ? null : await log.shared.status();
    const { fileBytes, freeBytes } = await readDiskUse(settings.dataPath);
    return {
      version: packageVersion(),
      phase: phase(),
      uptimeSeconds: Math.floor((clock.monotonicMs() - this.#startMs) / 1_000),
      dataFolder: resolve(settings.dataPath),
      ...{ fileBytes, freeBytes },
      shops: log.shared === null ? log.copy.shopCount() : null,
      plans: Object.keys(plans),
      isDatabaseReached: log.shared === null ? null : cluster !== null,
      cluster: cluster === null ? null : { ...cluster, nodes: [...cluster.nodes] },
    };
  }

  async verify(): Promise<Outcome<LogReport>> {
    const { databaseUrl: url, databaseCopies: copies, dataPath: dataFolder } = this.#ports.settings;
    return this.#run(url === null ? { kind: 'verify', dataFolder } : { kind: 'verifyDatabase', url, copies });
  }

  async backup(): Promise<Outcome<StreamedBody>> {
    const { databaseUrl, dataPath: dataFolder } = this.#ports.settings;
    if (databaseUrl !== null) return IN_DATABASE;
    if (this.#tasks.isBusy) return BUSY;
    const to = join(dataFolder, COPY);
    const remove = () => rmSync(to, { recursive: true, force: true });
    remove();
    mkdirSync(to, { mode: 0o700 });
    try {
      const report = await this.#run({ kind: 'backup', dataFolder, to });
      // The content stays until the file is closed, although it has no name any more.
      return report.ok ? success(await streamedFile(await open(dataFileIn(to), 'r'))) : report;
    } finally {
      remove();
    }
  }

  async #run(task: LogTask): Promise<Outcome<LogReport>> {
    if (this.#tasks.isBusy) return BUSY;
    try {
      return success(await this.#tasks.run(task));
    } catch (error) {
      if (error instanceof CopyRefusedError) return conflict(error.message);
      throw error;
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.#tasks.close();
  }
}

const writtenMeanwhile = (shopId: string) =>
  conflict(`shop ${shopId} was written to at the same time: try again`);

/** Long enough that no two requests share it. */
const ID_DIGITS = 26;

const shopIdOf = ({ key }: Idempotency): string =>
  `${ID_PREFIXES.shop}${createHash('sha256').update(key).digest('hex').slice(0, ID_DIGITS)}`;

async function streamedFile(file: FileHandle): Promise<StreamedBody> {
  const { size } = await file.stat();
  return {
    byteLength: size,
    async read(offset, length) {
      const bytes = Buffer.allocUnsafe(Math.min(length, size - offset));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      if (bytesRead === 0) throw new Error('the copy of the log is shorter than it was');
      return bytes.subarray(0, bytesRead);
    },
    close: () => void file.close(),
  };
}
