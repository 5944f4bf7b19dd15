/**
 * Checks a whole log, in either kind of store: follows the chain of the records of each shop, compares each checkpoint with
 * its record, derives the entries of the indexes from the records, and compares them with those that are stored, in both
 * directions. Reports damage instead of throwing.
 *
 * Bounds: the index of one shop and one line for each live API key in memory; at most DEFECTS_MAX findings.
 */
import { hash } from 'node:crypto';
import { auditNoteOf } from '../../engine/domain/shop-event.ts';
import { batchRunOf, DamagedLogError, type KeyHolder, type LogRecord, versionOf } from './event-log.ts';
import {
  answerEntry,
  auditEntry,
  type IndexEntry,
  keyIdEntry,
  type LogContent,
  type ShopContent,
  versionEntry,
} from './log-content.ts';
import {
  DEFECTS_MAX,
  damageOf,
  followCheckpoint,
  type LogDefect,
  type LogReport,
  RecordChain,
} from './verification.ts';

/** Rejects only when the store cannot be reached. */
export async function verifyContent(content: LogContent): Promise<LogReport> {
  const verification = new Verification(content);
  try {
    await verification.run();
  } catch (error) {
    if (content.isOutage(error)) throw error;
    verification.report('?', 0, `the log cannot be read: ${damageOf(error)}`);
  }
  return verification.result();
}

const holderText = ({ shopId, keyId, permission }: KeyHolder): string => `${shopId} ${keyId} ${permission}`;

class Verification {
  readonly #content: LogContent;
  readonly #defects: LogDefect[] = [];
  readonly #counts = { shops: 0, records: 0, checkpoints: 0, indexEntries: 0 };
  /** Digest of a live key -> those that hold it. When two keys share a secret, the index holds one of them. */
  readonly #holders = new Map<string, KeyHolder[]>();

  constructor(content: LogContent) {
    this.#content = content;
  }

  readonly report = (shopId: string, sequenceNumber: number, what: string): void => {
    if (this.#defects.length < DEFECTS_MAX) this.#defects.push({ shopId, sequenceNumber, what });
  };

  result(): LogReport {
    return { ...this.#counts, defects: this.#defects };
  }

  async run(): Promise<void> {
    for (const what of this.#content.defects) this.report('?', 0, what);
    for await (const shop of this.#content.shops()) await this.#checkShop(shop);
    await this.#checkKeys();
  }

  async #checkShop(shop: ShopContent): Promise<void> {
    const { shopId, isDeleted } = shop.state;
    const report = (sequenceNumber: number, what: string) => this.report(shopId, sequenceNumber, what);
    for (const what of shop.defects) report(0, what);
    // What an interrupted deletion has left is never read.
    if (isDeleted) return;
    this.#counts.shops++;
    const chain = new RecordChain(shopId, report);
    try {
      for await (const checkpoint of shop.checkpoints) {
        this.#counts.checkpoints++;
        followCheckpoint(chain, checkpoint, shop.state.removedUpTo);
      }
      chain.continueAfter(shop.state.removedUpTo);
      const index = await this.#followRecords(shop, chain);
      if (shop.index !== null) await this.#compare(shop, shop.index, index, report);
    } catch (error) {
      if (this.#content.isOutage(error)) throw error;
      const at = error instanceof DamagedLogError ? error.sequenceNumber : chain.last.sequenceNumber + 1;
      report(at, damageOf(error));
    }
    for (const { id: keyId, permission, secretSha256 } of chain.keys.values()) {
      const holders = this.#holders.get(secretSha256) ?? [];
      this.#holders.set(secretSha256, [...holders, { shopId, keyId, permission }]);
    }
  }

  /** Returns the entries of the index that follow from the records. */
  async #followRecords({ state, records, defects }: ShopContent, chain: RecordChain): Promise<DerivedIndex> {
    const index = new DerivedIndex(state.removedUpTo > 0);
    for await (const stored of records) {
      const record = chain.follow(stored);
      if (record !== null) chain.checked(record.sequenceNumber, () => index.add(record));
      this.#counts.records++;
    }
    if (defects.length === 0) chain.endAt(state.head);
    for (const { id, secretSha256 } of chain.keys.values()) index.put(keyIdEntry(id, secretSha256));
    return index;
  }

  async #compare(
    { state }: ShopContent,
    stored: AsyncIterable<IndexEntry>,
    { entries }: DerivedIndex,
    report: (sequenceNumber: number, what: string) => void,
  ): Promise<void> {
    for await (const entry of stored) {
      this.#counts.indexEntries++;
      const derived = entries.get(entry.name);
      // Left by an interrupted removal, or an answer that is not forgotten yet.
      const isOfRemoved = (entry.sequenceNumber ?? 0) > 0 && (entry.sequenceNumber ?? 0) <= state.removedUpTo;
      if (derived === undefined && !isOfRemoved)
        report(entry.sequenceNumber ?? 0, `no record makes its index entry: ${entry.name}`);
      if (derived !== undefined && isSame(derived, entry)) entries.delete(entry.name);
    }
    for (const { name, value, sequenceNumber } of entries.values()) {
      const isForgotten = name.startsWith('answer ') && Number(value) < this.#content.answersSinceMs;
      if (!isForgotten) report(sequenceNumber ?? 0, `its index entry is missing or wrong: ${name}`);
    }
  }

  async #checkKeys(): Promise<void> {
    for await (const { digest, holder } of this.#content.keys()) {
      this.#counts.indexEntries++;
      const [text, name] = [holder && holderText(holder), digest.toString('hex')];
      const known = this.#holders.get(name);
      if (known === undefined)
        this.report(holder?.shopId ?? '?', 0, 'the index of API keys has an entry of a key that no shop has');
      else if (known.some((each) => holderText(each) === text)) this.#holders.delete(name);
    }
    for (const holders of this.#holders.values())
      for (const { shopId, keyId } of holders)
        this.report(shopId, 0, `the entry of ${keyId} in the index of API keys is missing or wrong`);
  }
}

const isSame = (derived: IndexEntry, stored: IndexEntry): boolean =>
  derived.value === stored.value && (derived.batchRun === null || derived.batchRun === stored.batchRun);

/** The entries that follow from the records of one shop. */
class DerivedIndex {
  readonly entries = new Map<string, IndexEntry>();
  /** The run of the first version may have begun in removed records. */
  #isRunKnown: boolean;
  #before: Parameters<typeof batchRunOf>[1] = null;

  constructor(isTrimmed: boolean) {
    this.#isRunKnown = !isTrimmed;
  }

  put(entry: IndexEntry): void {
    this.entries.set(entry.name, entry);
  }

  /** Throws when the version of the record does not follow the one before. */
  add(record: LogRecord): void {
    const { answer, atMs, sequenceNumber } = record;
    if (answer !== undefined)
      this.put(answerEntry(sequenceNumber, hash('sha256', answer.idempotencyKey, 'hex'), atMs));
    if (auditNoteOf(record.event) !== null) this.put(auditEntry(sequenceNumber, true));
    const version = versionOf(record);
    if (version === null) return;
    const before = this.#before;
    const isNext = before === null || version.number === before.version.number + 1;
    if (before !== null && version.batchId !== before.version.batchId) this.#isRunKnown = true;
    const batchRun = batchRunOf(version, before);
    this.#before = { version, batchRun };
    const run = this.#isRunKnown || version.batchId === null ? batchRun : null;
    this.put(versionEntry(version, version, sequenceNumber, run));
    if (!isNext) throw new Error(`its version ${version.number} does not follow the one before it`);
  }
}
