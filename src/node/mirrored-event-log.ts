/**
 * The `EventLog` of a node: the authority decides what is appended, and the mirror holds it before the append is
 * reported. All reads are from the mirror, which the node keeps up to date (`cluster/follower.ts`).
 */
import type { ClusterNode, WriteOutcome } from '../cluster/cluster-node.ts';
import { encodeGroup } from '../log/append-group.ts';
import { type Authority, AuthorityUnavailableError, type RecordHead } from '../log/authority.ts';
import type {
  AppendResult,
  Checkpoint,
  EventLog,
  KeyHolder,
  LogRecord,
  NewCheckpoint,
  NewRecord,
  ReadImage,
  ShopTextKind,
  StoredAnswer,
  VersionEntry,
} from '../log/event-log.ts';
import { asError } from '../runtime/thrown-error.ts';

export interface MirroredLogPorts {
  /** The log that holds the mirror. */
  readonly copy: EventLog;
  readonly head: (shopId: string) => RecordHead;
  /** The authority keeps what this node counts under this id. */
  readonly mirrorId: string;
  readonly authority: Pick<
    Authority,
    'writeKeyUse' | 'readKeyUse' | 'states' | 'writeCheckpoint' | 'trim' | 'writeShopText' | 'readShopTexts'
  >;
  /** Its turns leave the mirror up to date, whoever won. */
  readonly node: Pick<ClusterNode, 'append' | 'appendAlone' | 'seenEverywhere'>;
  readonly storedCheckpoint: (shopId: string, sequenceNumber: number) => Buffer | null;
}

const CLOSED: AppendResult = { kind: 'unavailable', cause: new Error('the log is closed') };

export class MirroredEventLog implements EventLog {
  readonly #ports: MirroredLogPorts;
  readonly #copy: EventLog;
  #isClosed = false;

  constructor(ports: MirroredLogPorts) {
    this.#ports = ports;
    this.#copy = ports.copy;
  }

  async append(
    shopId: string,
    expectedSequenceNumber: number,
    records: readonly NewRecord[],
  ): Promise<AppendResult> {
    if (records.length === 0) throw new RangeError('an append has at least one record');
    if (this.#isClosed) return CLOSED;
    const head = this.#ports.head(shopId);
    if (head.sequenceNumber !== expectedSequenceNumber) return this.#stale(shopId);
    const group = encodeGroup(shopId, head, records);
    const result = await this.#resultOf(shopId, this.#ports.node.append(group));
    if (result === null) throw new RangeError('an append has at least one record');
    return result;
  }

  async appendAlone(
    shopId: string,
    decide: () => Promise<readonly NewRecord[]>,
  ): Promise<AppendResult | null> {
    if (this.#isClosed) return CLOSED;
    const { node, head } = this.#ports;
    return this.#resultOf(
      shopId,
      node.appendAlone(shopId, async () => {
        const records = await decide();
        return records.length === 0 ? null : encodeGroup(shopId, head(shopId), records);
      }),
    );
  }

  async #resultOf(shopId: string, turn: Promise<WriteOutcome>): Promise<AppendResult | null> {
    try {
      const result = await turn;
      switch (result.kind) {
        case 'appended':
          return { kind: 'appended', position: 0, seenEverywhere: result.seenEverywhere };
        case 'staleWriter':
          return this.#stale(shopId);
        case 'outcomeUnknown':
          return { kind: 'outcomeUnknown', cause: result.cause };
        case 'unavailable':
          return { kind: 'unreachable', cause: result.cause };
        case 'nothingToAppend':
          return null;
      }
    } catch (error) {
      // The mirror could not be brought up to date: nothing was appended.
      if (error instanceof AuthorityUnavailableError) return { kind: 'unreachable', cause: asError(error) };
      throw error;
    }
  }

  #stale(shopId: string): AppendResult {
    return { kind: 'staleWriter', sequenceNumber: this.#ports.head(shopId).sequenceNumber };
  }

  seenEverywhere(): Promise<void> {
    return this.#ports.node.seenEverywhere();
  }

  lastSequenceNumber(shopId: string): number {
    return this.#copy.lastSequenceNumber(shopId);
  }

  read(shopId: string, afterSequenceNumber: number, upTo?: number): Iterable<LogRecord> {
    return this.#copy.read(shopId, afterSequenceNumber, upTo);
  }

  readInSteps(shopId: string, afterSequenceNumber: number, upTo?: number): AsyncIterable<LogRecord> {
    return this.#copy.readInSteps(shopId, afterSequenceNumber, upTo);
  }

  /** The shops in the mirror: those that this node has ever loaded. */
  shopIds(): Iterable<string> {
    return this.#copy.shopIds();
  }

  latestCheckpoint(shopId: string, atMost?: number): Checkpoint | null {
    return this.#copy.latestCheckpoint(shopId, atMost);
  }

  latestImage(shopId: string, atMost?: number): Promise<ReadImage | null> {
    return this.#copy.latestImage(shopId, atMost);
  }

  writeCheckpoint(shopId: string, checkpoint: NewCheckpoint): Promise<void> {
    return this.#copy.writeCheckpoint(shopId, checkpoint);
  }

  versionAt(shopId: string, number: number): VersionEntry | null {
    return this.#copy.versionAt(shopId, number);
  }

  findVersion(shopId: string, versionId: string): VersionEntry | null {
    return this.#copy.findVersion(shopId, versionId);
  }

  oldestVersion(shopId: string): VersionEntry | null {
    return this.#copy.oldestVersion(shopId);
  }

  /** Copies the checkpoints at the new beginning from the mirror to the authority, and trims the authority first. */
  async trim(shopId: string, upTo: number, keptVersion?: number): Promise<number> {
    const { authority, storedCheckpoint } = this.#ports;
    const keptRecord = keptVersion === undefined ? 0 : this.#newestUpTo(shopId, keptVersion, upTo);
    const [state] = await authority.states([shopId]);
    const removedUpTo = state?.removedUpTo ?? 0;
    for (const sequenceNumber of [upTo, keptRecord - 1]) {
      // The checkpoint of an earlier beginning is there already.
      const stored = sequenceNumber <= removedUpTo ? null : storedCheckpoint(shopId, sequenceNumber);
      if (stored !== null) await authority.writeCheckpoint(shopId, { sequenceNumber, stored });
    }
    if (upTo >= removedUpTo) await authority.trim(shopId, upTo, keptRecord);
    return this.#copy.trim(shopId, upTo, keptVersion);
  }

  /** Number of the record of a version, which must be the newest version up to `upTo`. */
  #newestUpTo(shopId: string, number: number, upTo: number): number {
    const recordOf = (version: number) => this.#copy.versionAt(shopId, version)?.sequenceNumber;
    const [record, next = upTo + 1] = [recordOf(number), recordOf(number + 1)];
    if (record !== undefined && record <= upTo && next > upTo) return record;
    throw new RangeError('what is kept is the newest version up to there');
  }

  removedUpTo(shopId: string): number {
    return this.#copy.removedUpTo(shopId);
  }

  findKey(secretSha256: Uint8Array): KeyHolder | null {
    return this.#copy.findKey(secretSha256);
  }

  findAnswer(shopId: string, idempotencyKey: string, sinceMs: number): StoredAnswer | null {
    return this.#copy.findAnswer(shopId, idempotencyKey, sinceMs);
  }

  forgetAnswers(beforeMs: number): Promise<number> {
    return this.#copy.forgetAnswers(beforeMs);
  }

  async writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.#copy.writeKeyUse(uses);
    await this.#ports.authority.writeKeyUse(uses);
  }

  readKeyUse(keyId: string): number | null {
    return this.#copy.readKeyUse(keyId);
  }

  async refreshKeyUse(keyIds: readonly string[]): Promise<void> {
    await this.#copy.writeKeyUse(await this.#ports.authority.readKeyUse(keyIds));
  }

  async writeShopText(kind: ShopTextKind, shopId: string, text: string | null): Promise<void> {
    const { authority, mirrorId } = this.#ports;
    await this.#copy.writeShopText(kind, shopId, text);
    await authority.writeShopText(kind, shopId, mirrorId, text);
  }

  readShopText(kind: ShopTextKind, shopId: string): string | null {
    return this.#copy.readShopText(kind, shopId);
  }

  async textsElsewhere(kind: ShopTextKind, shopId: string): Promise<readonly string[]> {
    const { authority, mirrorId } = this.#ports;
    const texts = await authority.readShopTexts(kind, shopId);
    return [...texts].filter(([id]) => id !== mirrorId).map(([, text]) => text);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#copy.close();
  }
}
