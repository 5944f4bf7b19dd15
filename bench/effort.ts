/** How long and how far a run measures. A quick run shows that everything works; its figures are rough. */
import { SHOP_MAX } from '../src/engine/domain/plan.ts';

export interface Effort {
  /** Rounds of every comparison; within a round each variant is measured once, in turn. */
  readonly rounds: number;
  /** One micro measurement of one round, and its warm-up before the first. */
  readonly microMs: number;
  readonly microWarmupMs: number;
  /** Sizes of the postal zone, in patterns. */
  readonly postalPatterns: readonly number[];
  /** Methods in zones that the cart does not go to. */
  readonly otherMethods: readonly number[];
  /** Methods of the largest shop that is compiled; each has five rules. */
  readonly hugeMethods: number;
  /** Postal patterns of its largest zone. */
  readonly hugePatterns: number;
  readonly rulesPerMethod: readonly number[];
  readonly shopsInMemory: readonly number[];
  readonly versions: readonly number[];
  /** Versions of the shops whose history is read, in a shop of 12 methods and in one of 1,000. */
  readonly versionsRead: readonly number[];
  readonly versionsReadOfLarge: readonly number[];
  /** Closed loop over HTTP: one measurement of one round. */
  readonly closedLoopSeconds: number;
  readonly warmupSeconds: number;
  /** Open loop over HTTP: one measurement of one round. */
  readonly openLoopSeconds: number;
  readonly shopsOnDisk: readonly number[];
  /** One measurement of one round at one number of writes in flight. */
  readonly writeSeconds: number;
  /** Records that the log is measured with. */
  readonly logRecords: number;
}

export const FULL_EFFORT: Effort = {
  rounds: 7,
  microMs: 40,
  microWarmupMs: 120,
  postalPatterns: [10, 100, 1_000, 10_000, 100_000, SHOP_MAX.postalPatterns.most],
  otherMethods: [0, 100, 1_000, 4_000],
  hugeMethods: SHOP_MAX.methods.most,
  hugePatterns: 100_000,
  rulesPerMethod: [0, 1, 2, 4, 8, 16],
  shopsInMemory: [1, 10, 100, 1_000],
  versions: [1, 100, 1_000, 10_000],
  versionsRead: [100, 10_000, 100_000],
  versionsReadOfLarge: [100, 10_000],
  closedLoopSeconds: 2,
  warmupSeconds: 2,
  openLoopSeconds: 4,
  shopsOnDisk: [1, 1_000, 100_000],
  writeSeconds: 2,
  logRecords: 2_560,
};

export const QUICK_EFFORT: Effort = {
  rounds: 5,
  microMs: 5,
  microWarmupMs: 20,
  postalPatterns: [10, 1_000, 100_000],
  otherMethods: [0, 100, 1_000],
  hugeMethods: 2_000,
  hugePatterns: 10_000,
  rulesPerMethod: [0, 2, 4],
  shopsInMemory: [1, 10, 100],
  versions: [1, 100],
  versionsRead: [100, 1_000],
  versionsReadOfLarge: [100],
  closedLoopSeconds: 1,
  warmupSeconds: 1,
  openLoopSeconds: 1,
  shopsOnDisk: [1, 1_000],
  writeSeconds: 0.5,
  logRecords: 512,
};
