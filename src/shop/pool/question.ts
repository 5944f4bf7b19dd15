/**
 * The questions that the pool of worker threads answers, and their answers as they come from a thread: plain data. A cart
 * travels as the JSON text of its request, and a configuration not at all: a question names a record of the log of its
 * shop, and the thread reads the shop as of that record itself.
 */
import type { Failure } from '../../engine/domain/failure.ts';
import type { PlanTable } from '../../engine/domain/plan.ts';
import type { Sweeping } from '../../engine/explain/price-curve.ts';
import type { BisectedCart } from '../reader/bisect.ts';
import type { KeptCart, LiveTraffic } from '../reader/live-traffic.ts';
import type { SimulationView } from '../reader/simulating-shop.ts';
import type { Uses } from '../reader/simulation-watch.ts';
import type { SimulationSource } from '../reader/version-cache.ts';

interface Simulated extends SimulationView {
  /** The body of the request. */
  readonly text: string;
  /** The clock of time conditions, ms since the epoch. */
  readonly nowMs: number;
}

/** The questions that read the shop and need nothing else. A new one needs a case in `readAnswer`. */
interface Reads {
  preview: {
    /** The checked body of `/api/config`. */
    readonly text: string;
    /** ISO time of the decision. */
    readonly now: string;
    /** Seed of ids that only the explanation of a cart shows. */
    readonly seed: string;
    readonly traffic: LiveTraffic;
  };
  readVersion: { readonly versionId: string };
  compare: {
    readonly versionA: string;
    readonly versionB: string;
    /** The clock of probe carts, in ms since the epoch; null when their rates are not compared. */
    readonly effectsAtMs: number | null;
    /** Carts that were kept of live traffic. */
    readonly carts: readonly KeptCart[];
  };
  /** What the changeset changes for probe carts, whose clock is `nowMs`. */
  effects: { readonly nowMs: number; readonly carts: readonly KeptCart[] };
  /** Findings about past dates depend on the time, in ms since the epoch. */
  lint: { readonly view: 'live' | 'staged'; readonly nowMs: number; readonly traffic: LiveTraffic };
  runChecks: {
    readonly source: SimulationSource;
    readonly ids: readonly string[] | undefined;
    /** The clock of checks that name no time, ms since the epoch. */
    readonly nowMs: number;
  };
  sweep: { readonly source: SimulationSource; readonly sweeping: Sweeping };
  /** Ids of the first and the last version; the oldest version when `from` is null. */
  bisect: { readonly cart: BisectedCart; readonly from: string | null; readonly to: string };
}

interface Questions extends Reads {
  /** The body has been checked. */
  simulate: Simulated;
  /** The requests in the body are checked by the thread; unknown fields in them are refused when `isStrict`. */
  simulateBatch: Simulated & { readonly isStrict: boolean };
  /** Compares kept carts with the changeset; the answer is a `ReplayResult`. */
  replay: { readonly carts: readonly KeptCart[] };
}

type OfKind<K extends keyof Questions> = { [E in K]: Questions[E] & { readonly kind: E } }[K];

export type Question = OfKind<keyof Questions>;
export type ReadQuestion = OfKind<keyof Reads>;

/** A question about one shop as a thread receives it. */
export type AskedQuestion = Question & {
  readonly shopId: string;
  /** The record as of which the shop is read. */
  readonly sequenceNumber: number;
};

/** What a thread makes of a question. */
export type ThreadAnswer =
  | {
      readonly kind: 'answered';
      /** JSON text. */
      readonly body: Uint8Array;
      /** Indexes of the carts of a simulation that were answered. */
      readonly answered: readonly number[];
      /** What live simulations used, for `UseWatch.add`. */
      readonly uses: Uses | null;
    }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The log of the shop is damaged at this record. */
  | { readonly kind: 'damaged'; readonly sequenceNumber: number; readonly what: string }
  /** A bug. */
  | { readonly kind: 'thrown'; readonly error: Error };

/** The settings that a thread receives at its start. */
export interface ThreadSettings {
  readonly dataFolder: string;
  /** Shops that a thread keeps compiled. */
  readonly shopsKeptMax: number;
  /** Approximate size limit of the cache of earlier versions in a thread. */
  readonly versionCacheBytesMax: number;
  readonly itemsMax: number;
  readonly plans: PlanTable;
}
