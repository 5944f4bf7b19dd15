/**
 * What answering would cost, in microseconds of one thread: a guess that tells what is worth a worker thread.
 * Costs of reading and comparing configurations were measured over shops of 120 to 48,000 records; they grow
 * in proportion to the records.
 */
import type { PlacedConfig } from '../domain/shop-event.ts';

/** What a client asks for, as far as its cost depends on it. */
export type Work =
  /** A simulation of which only the length of its body is known. */
  | { readonly kind: 'unreadSimulation'; readonly bytes: number }
  | { readonly kind: 'preview'; readonly bytes: number }
  | { readonly kind: 'readVersion'; readonly versionId: string }
  | { readonly kind: 'compare'; readonly versionA: string; readonly versionB: string }
  | { readonly kind: 'lint' };

/** To parse a cart takes 4.5 ns per byte, to check and evaluate it in a zone of a few methods as much again. */
const CART_BYTE_US = 0.01;
/** 7 to 30 in shops of 21,000 to 120,000 records; up to four times as much in small ones. */
const LINT_RECORD_US = 30;
/** To parse, check and compare with what is there, and to look for defects in what would be. */
const PREVIEW_BYTE_US = 0.06 + 0.1;
const PREVIEW_RECORD_US = 4 + LINT_RECORD_US;
/** From the image of a checkpoint. */
const READ_RECORD_US = 8;
const COMPARE_RECORD_US = 12;
const VIEW_RECORD_US = 10;
/** To read and apply one record of the log. */
const REPLAY_RECORD_US = 5;
/** Measured: 10 to 900 times the plain answer, mostly about this. */
export const EXPLAINED_FACTOR = 150;
/** Characters of postal patterns, or of the value of a condition, that take as long as a record. */
const RECORD_CHARACTERS = 100;

/** What the cost of work depends on in a shop. */
export interface CostedShop {
  readonly config: PlacedConfig;
  /** Records to replay before the configuration of a version is there; null when it is in memory. */
  readonly replayedFor: (versionId: string) => number | null;
}

export function workMicroseconds(shop: CostedShop, work: Work): number {
  switch (work.kind) {
    case 'unreadSimulation':
      return CART_BYTE_US * work.bytes;
    case 'preview':
      return PREVIEW_BYTE_US * work.bytes + PREVIEW_RECORD_US * recordsIn(shop.config);
    case 'lint':
      return LINT_RECORD_US * recordsIn(shop.config);
    case 'readVersion':
      return readingMicroseconds(shop, work.versionId) + VIEW_RECORD_US * recordsIn(shop.config);
    default: {
      const { versionA, versionB } = work;
      const readingUs = readingMicroseconds(shop, versionA) + readingMicroseconds(shop, versionB);
      return readingUs + COMPARE_RECORD_US * recordsIn(shop.config);
    }
  }
}

/** Microseconds until the configuration of a version is there. */
export function readingMicroseconds({ config, replayedFor }: CostedShop, versionId: string): number {
  const records = replayedFor(versionId);
  return records === null ? 0 : READ_RECORD_US * recordsIn(config) + REPLAY_RECORD_US * records;
}

const counts = new WeakMap<PlacedConfig, number>();

/** More are not counted: everything that looks at so many is heavy, and to count 200,000 takes 10 to 40 ms itself. */
const RECORDS_COUNTED_MAX = 20_000;

/** How many records a configuration has, up to a bound; counted once per configuration. */
function recordsIn(config: PlacedConfig): number {
  const known = counts.get(config);
  if (known !== undefined) return known;
  const { zones, productGroups, methods, blendedRates } = config;
  let count = zones.length + productGroups.length + methods.length + blendedRates.length;
  for (const { rules } of methods) {
    if (count >= RECORDS_COUNTED_MAX) break;
    count += rules.length;
    for (const { conditions } of rules) {
      for (const { value } of conditions) count += value.length / RECORD_CHARACTERS;
    }
  }
  for (const { subzones } of zones) {
    if (count >= RECORDS_COUNTED_MAX) break;
    count += subzones.length;
    for (const { postalCodes } of subzones) count += postalCodes.length / RECORD_CHARACTERS;
  }
  counts.set(config, count);
  return count;
}
