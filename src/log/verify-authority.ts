/**
 * Checks the whole content of an authority: checksum, number and place in the chain of every record, every checkpoint,
 * every head, and every live key against the index. Records may be written and removed during the check: a shop with a
 * defect is checked again when it has changed meanwhile.
 *
 * Bounds: one page of records, one checkpoint and the keys of one shop in memory; at most DEFECTS_MAX findings.
 */
import type { ApiKey } from '../domain/api-key.ts';
import { parseShopImage } from '../domain/shop-event.ts';
import {
  type Authority,
  AuthorityUnavailableError,
  liveShops,
  type RecordHead,
  recordsOf,
  type ShopState,
} from './authority.ts';
import { decodeCheckpoint } from './checkpoint-codec.ts';
import {
  DEFECTS_MAX,
  damageOf,
  type LogDefect,
  type LogReport,
  type OnProgress,
  RecordChain,
} from './verification.ts';

/** Maximum number of checks of a shop that changes meanwhile. */
const CHECKS_MAX = 3;

/** Reports damage instead of throwing; rejects only with `AuthorityUnavailableError`. */
export async function verifyAuthority(
  authority: Authority,
  onProgress: OnProgress = () => {},
): Promise<LogReport> {
  let total = 0;
  for await (const state of liveShops(authority)) total += recordsOf(state);
  const report = { shops: 0, records: 0, checkpoints: 0, indexEntries: 0, defects: [] as LogDefect[] };
  for await (const state of liveShops(authority)) {
    const walk = await verifyShop(authority, state.shopId);
    report.shops++;
    report.records += walk.records;
    report.checkpoints += walk.checkpoints;
    report.indexEntries += walk.chain.keys.size;
    report.defects.push(...walk.defects.slice(0, DEFECTS_MAX - report.defects.length));
    onProgress(report.records, total);
  }
  return report;
}

async function verifyShop(authority: Authority, shopId: string): Promise<ShopWalk> {
  for (let check = 1; ; check++) {
    const [before] = await authority.states([shopId]);
    const walk = new ShopWalk(authority, shopId);
    if (before?.isDeleted === false) await walk.run(before);
    if (walk.defects.length === 0 || check === CHECKS_MAX) return walk;
    const [after] = await authority.states([shopId]);
    if (isSame(before, after)) return walk;
  }
}

const isSame = (one: ShopState | undefined, other: ShopState | undefined): boolean =>
  one?.head.sequenceNumber === other?.head.sequenceNumber &&
  one?.removedUpTo === other?.removedUpTo &&
  one?.isDeleted === other?.isDeleted;

/** Checks the records and checkpoints of one shop. */
class ShopWalk {
  readonly #authority: Authority;
  readonly #shopId: string;
  readonly chain: RecordChain;
  readonly defects: LogDefect[] = [];
  records = 0;
  checkpoints = 0;

  constructor(authority: Authority, shopId: string) {
    this.#authority = authority;
    this.#shopId = shopId;
    this.chain = new RecordChain(shopId, this.#report);
  }

  /** Ends at a missing record, because after it there is nothing to compare with. */
  async run(state: ShopState): Promise<void> {
    try {
      await this.#check(state);
    } catch (error) {
      if (error instanceof AuthorityUnavailableError) throw error;
      this.#report(this.chain.last.sequenceNumber + 1, damageOf(error));
    }
  }

  async #check(state: ShopState): Promise<void> {
    const { chain } = this;
    const { removedUpTo, head } = state;
    await this.#readCheckpoints(state);
    chain.continueAfter(removedUpTo);
    await this.#followUpTo(undefined, head);
    const missing = await this.#keysMissing();
    // Keys that were revoked while the index was read are found in the newest records.
    const last = await this.#followUpTo(undefined, head);
    for (const id of missing) {
      if (chain.keys.has(id))
        this.#report(0, `the entry of ${id} in the index of API keys is missing or wrong`);
    }
    chain.endAt(last);
  }

  /** Newest first. The checkpoint at the beginning of a trimmed log also holds the keys. */
  async #readCheckpoints({ removedUpTo }: ShopState): Promise<void> {
    const { chain } = this;
    for (let at: number | undefined; ; ) {
      const checkpoint = await this.#authority.checkpoint(this.#shopId, at);
      if (checkpoint === null) return;
      const { sequenceNumber, stored } = checkpoint;
      at = sequenceNumber - 1;
      this.checkpoints++;
      chain.checked(sequenceNumber, () => {
        const { recordHash, image } = decodeCheckpoint(stored, this.#shopId, sequenceNumber);
        // A copy, because the hash is a view into the checkpoint.
        chain.checkpointHashes.set(sequenceNumber, Buffer.from(recordHash));
        if (sequenceNumber !== removedUpTo) return;
        for (const key of parseShopImage(image).keys) chain.keys.set(key.id, key);
      });
    }
  }

  /** Follows the records up to this one (default: the last); resolves with the head of the last read. */
  async #followUpTo(upTo: number | undefined, known: RecordHead): Promise<RecordHead> {
    const { chain } = this;
    let head = known;
    for (;;) {
      const tail = await this.#authority.tail(this.#shopId, chain.last.sequenceNumber, upTo);
      head = tail.state?.head ?? head;
      for (const record of tail.records) chain.follow(record);
      this.records += tail.records.length;
      const last = Math.min(upTo ?? head.sequenceNumber, head.sequenceNumber);
      if (tail.records.length === 0 || chain.last.sequenceNumber >= last) return head;
    }
  }

  /** Ids of live keys whose index entries are missing or wrong. */
  async #keysMissing(): Promise<readonly string[]> {
    const keys = [...this.chain.keys.values()];
    const holders = await this.#authority.keys(
      keys.map(({ secretSha256 }) => Buffer.from(secretSha256, 'hex')),
    );
    const isHeld = ({ id, permission }: ApiKey, index: number) => {
      const holder = holders[index] ?? null;
      // When two keys share a secret, the index holds the later key, which may belong to another shop.
      return holder !== null && (holder.keyId !== id || holder.permission === permission);
    };
    return keys.filter((key, index) => !isHeld(key, index)).map(({ id }) => id);
  }

  readonly #report = (sequenceNumber: number, what: string): void => {
    if (this.defects.length < DEFECTS_MAX) this.defects.push({ shopId: this.#shopId, sequenceNumber, what });
  };
}
