/**
 * The shops that a worker keeps compiled, live configuration and changeset, each as of a record of its log.
 * A later record is reached by reading the tail; what it did not touch stays compiled. An earlier one is
 * rebuilt from a checkpoint.
 *
 * Bounds: `shopsMax` shops, least recently used first.
 */
import { applyEvent } from '../change/apply.ts';
import { readImage } from '../change/state-image.ts';
import { type CompiledShop, compileShop } from '../compile/compiled-shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import type { EventLog } from '../log/event-log.ts';
import { replayShop } from '../log/replay.ts';

/** One shop as of one record. */
export interface ShelvedShop {
  readonly sequenceNumber: number;
  readonly state: ShopState;
  readonly live: CompiledShop;
  /** null when no changeset is active there. */
  readonly staged: CompiledShop | null;
}

type ReadableLog = Pick<EventLog, 'read' | 'latestCheckpoint'>;

export class CompiledShelf {
  readonly #log: ReadableLog;
  readonly #shopsMax: number;
  /** Least recently used first. */
  readonly #shops = new Map<string, ShelvedShop>();

  constructor(log: ReadableLog, shopsMax: number) {
    this.#log = log;
    this.#shopsMax = shopsMax;
  }

  get size(): number {
    return this.#shops.size;
  }

  /** Throws when the log has no such record, or `DamagedLogError`. */
  shopAt(shopId: string, sequenceNumber: number): ShelvedShop {
    const known = this.#shops.get(shopId);
    this.#shops.delete(shopId);
    const shop =
      known?.sequenceNumber === sequenceNumber
        ? known
        : compile(this.#stateAt(shopId, sequenceNumber, known), sequenceNumber, known);
    this.#shops.set(shopId, shop);
    for (const oldest of this.#shops.keys()) {
      if (this.#shops.size <= this.#shopsMax) break;
      this.#shops.delete(oldest);
    }
    return shop;
  }

  #stateAt(shopId: string, sequenceNumber: number, known: ShelvedShop | undefined): ShopState {
    if (known === undefined || known.sequenceNumber > sequenceNumber) {
      const replayed = replayShop<ShopState, null>(this.#log, shopId, {
        initial: null,
        fromImage: readImage,
        apply: applyEvent,
        upTo: sequenceNumber,
      });
      if (replayed?.sequenceNumber !== sequenceNumber) throw missing(shopId, sequenceNumber);
      return replayed.state;
    }
    let { state, sequenceNumber: last } = known;
    for (const record of this.#log.read(shopId, last, sequenceNumber)) {
      state = applyEvent(state, record.event);
      last = record.sequenceNumber;
    }
    if (last !== sequenceNumber) throw missing(shopId, sequenceNumber);
    return state;
  }
}

const missing = (shopId: string, sequenceNumber: number): RangeError =>
  new RangeError(`the log of shop ${shopId} has no record ${sequenceNumber}`);

function compile(state: ShopState, sequenceNumber: number, known: ShelvedShop | undefined): ShelvedShop {
  const { config, settings, staging } = state;
  // A stored method's type does not say that its rate config fits its rate type; deciding it checked that.
  const compiled = (from: PlacedConfig, previous: CompiledShop | undefined): CompiledShop =>
    previous !== undefined && previous.config === from && previous.settings === settings
      ? previous
      : compileShop(from as ShopConfig, settings, previous);
  const live = compiled(config, known?.live);
  const staged = staging === null ? null : compiled(staging.config, known?.staged ?? live);
  return { sequenceNumber, state, live, staged };
}
