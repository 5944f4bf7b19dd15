/**
 * The shops that a worker thread keeps, each as of a record of its log. To reach a later record, the thread reads the
 * records in between and reuses the unchanged compiled parts; to reach an earlier record, it replays the log.
 *
 * Bounds: `shopsMax` shops; the least recently used is evicted.
 */
import { type ReadableLog, readShop, type ShopAt } from '../reader/recovery.ts';
import { type ReaderPorts, ShopReader } from '../reader/shop-reader.ts';

export interface ReadersPorts extends ReaderPorts {
  readonly log: ReaderPorts['log'] & ReadableLog;
}

export class ShopReaders {
  readonly #ports: ReadersPorts;
  readonly #shopsMax: number;
  /** Least recently used first. */
  readonly #readers = new Map<string, ShopReader>();

  constructor(ports: ReadersPorts, shopsMax: number) {
    this.#ports = ports;
    this.#shopsMax = shopsMax;
  }

  get size(): number {
    return this.#readers.size;
  }

  /** The reader at this record, valid until the next call; null when the log has no such record. Throws `DamagedLogError`. */
  at(shopId: string, sequenceNumber: number): ShopReader | null {
    const known = this.#readers.get(shopId);
    this.#readers.delete(shopId);
    const reader =
      known?.sequenceNumber === sequenceNumber ? known : this.#open(shopId, sequenceNumber, known);
    if (reader === null) return null;
    this.#readers.set(shopId, reader);
    for (const oldest of this.#readers.keys()) {
      if (this.#readers.size <= this.#shopsMax) break;
      this.#readers.delete(oldest);
    }
    return reader;
  }

  #open(shopId: string, sequenceNumber: number, known: ShopReader | undefined): ShopReader | null {
    const nearest = known !== undefined && known.sequenceNumber <= sequenceNumber ? known : undefined;
    const replayed = this.#read(shopId, sequenceNumber, nearest);
    if (replayed?.sequenceNumber !== sequenceNumber) return null;
    known?.publish(replayed.state, sequenceNumber);
    return known ?? new ShopReader(this.#ports, replayed);
  }

  #read(shopId: string, sequenceNumber: number, nearest: ShopReader | undefined): ShopAt | null {
    const { log } = this.#ports;
    try {
      return readShop(log, shopId, sequenceNumber, nearest);
    } catch {
      // Old records that were removed since the last read look like damage; a checkpoint is behind them.
      return readShop(log, shopId, sequenceNumber);
    }
  }
}
