/**
 * The results of one changeset, in memory, stored and shown: the sum over the live simulations that were evaluated while it
 * was active. Results from before the last staged write stay in the sum until the changeset ends. Replays have sums of
 * their own: the same carts may be replayed again and again.
 */

import { valueAt } from '../../base/runtime/map-entries.ts';
import type { PlacedConfig } from '../../engine/domain/shop-event.ts';
import { EVIDENCE_MAX } from '../../engine/wire/gate-report.ts';
import {
  type EditShadowResults,
  MISSING_PAIRS_MAX,
  REPLAY_SAMPLES_MAX,
  SAMPLES_MAX,
  type ShadowResults,
  type ShadowSample,
} from '../../engine/wire/shadow-results.ts';
import type { CartComparison, MethodMove } from './cart-comparer.ts';
import type { ReplayResult } from './replay-carts.ts';
import { SeenPairs, type StoredPairs } from './seen-pairs.ts';

/** Version of the stored form; results of another version are ignored. */
const FORMAT = 2;

const noCounts = () => ({ evaluated: 0, identical: 0, different: 0, dropped: 0, lost: 0, gained: 0 });
const noReplays = () => ({ runs: 0, evaluated: 0, different: 0, lost: 0, gained: 0 });
const noEditCounts = () => ({ evaluated: 0, different: 0, lost: 0 });
/** How the price of one method differs; `differenceCents` is the sum over carts with both prices, rounded as a double. */
const noShift = () => ({ priceUp: 0, priceDown: 0, appeared: 0, disappeared: 0, differenceCents: 0 });
/** The carts of one zone or product group (contract section 10.6). */
const noImpact = () => ({ evaluated: 0, different: 0, differenceCents: 0 });

type Shift = ReturnType<typeof noShift>;
type Impact = ReturnType<typeof noImpact>;
type Sums<T> = readonly (readonly [id: string, sum: T])[];

/** The results since a staged write. The gate uses them: carts that were evaluated earlier say nothing about that write. */
interface EditResults {
  /** Number of staged writes of the evaluated changeset. */
  readonly writes: number;
  readonly counts: ReturnType<typeof noEditCounts>;
  readonly pairs: SeenPairs;
  /** Of the last lost carts, oldest first: kept apart from the other samples, among which later ones would replace them. */
  lostSamples: readonly KeptSample[];
}

/** A sample, or what makes it: most are replaced by later ones before anybody reads them. */
type KeptSample = ShadowSample | (() => ShadowSample);

const made = (samples: readonly KeptSample[]): readonly ShadowSample[] =>
  samples.map((sample) => (typeof sample === 'function' ? sample() : sample));

const noEditResults = (writes: number): EditResults => ({
  writes,
  counts: noEditCounts(),
  pairs: new SeenPairs(),
  lostSamples: [],
});

interface StoredTally {
  readonly format: number;
  readonly stagingId: string;
  readonly counts: ReturnType<typeof noCounts>;
  readonly replayed: ReturnType<typeof noReplays>;
  readonly pairs: StoredPairs;
  readonly methods: Sums<Shift>;
  readonly zones: Sums<Impact>;
  readonly groups: Sums<Impact>;
  readonly sinceEdit: Pick<EditResults, 'writes' | 'counts'> & {
    readonly pairs: StoredPairs;
    readonly lostSamples: readonly ShadowSample[];
  };
  readonly samples: readonly ShadowSample[];
  readonly replaySamples: readonly ShadowSample[];
}

export class ShadowTally {
  readonly shopId: string;
  readonly stagingId: string;
  readonly #counts = noCounts();
  readonly #replayed = noReplays();
  readonly #pairs = new SeenPairs();
  readonly #methods = new Map<string, Shift>();
  readonly #zones = new Map<string, Impact>();
  readonly #groups = new Map<string, Impact>();
  #sinceEdit = noEditResults(0);
  /** Of live simulations, oldest first, at most `SAMPLES_MAX`. */
  #samples: readonly KeptSample[] = [];
  /** Of the last replay, oldest first, at most `REPLAY_SAMPLES_MAX`. */
  #replaySamples: readonly ShadowSample[] = [];

  constructor(shopId: string, stagingId: string) {
    this.shopId = shopId;
    this.stagingId = stagingId;
  }

  /** Sets the number of staged writes of the changeset; the results since the last write restart when it changes. */
  edited(writes: number): void {
    if (this.#sinceEdit.writes !== writes) this.#sinceEdit = noEditResults(writes);
  }

  /** Adds a live simulation; `writes` is the number of staged writes of the changeset that it was compared with. */
  add(comparison: CartComparison, writes: number): void {
    const { difference, zoneId, groupIds, isPlaced, moves } = comparison;
    const counts = this.#counts;
    counts.evaluated++;
    if (difference === null) counts.identical++;
    else {
      counts.different++;
      if (difference.isLost) counts.lost++;
      if (difference.isGained) counts.gained++;
      this.#samples = newest([...this.#samples, difference.sample], SAMPLES_MAX);
    }
    for (const move of moves) addMove(valueAt(this.#methods, move.methodId, noShift), move);
    if (zoneId !== null) addImpact(valueAt(this.#zones, zoneId, noImpact), comparison);
    for (const groupId of groupIds) addImpact(valueAt(this.#groups, groupId, noImpact), comparison);
    const seenIn = isPlaced ? zoneId : null;
    if (seenIn !== null) this.#pairs.add(seenIn, groupIds);
    if (writes !== this.#sinceEdit.writes) return;
    const edit = this.#sinceEdit;
    edit.counts.evaluated++;
    if (seenIn !== null) edit.pairs.add(seenIn, groupIds);
    if (difference === null) return;
    edit.counts.different++;
    if (!difference.isLost) return;
    edit.counts.lost++;
    edit.lostSamples = newest([...edit.lostSamples, difference.sample], EVIDENCE_MAX);
  }

  /** Counts a live simulation that was not evaluated. */
  drop(): void {
    this.#counts.dropped++;
  }

  /** Adds a replay. Its samples take the place of those of the replay before. */
  addReplay({ samples, ...counts }: ReplayResult): void {
    addAll(this.#replayed, { runs: 1, ...counts });
    this.#replaySamples = newest(samples, REPLAY_SAMPLES_MAX);
  }

  /** The sum with what other nodes stored of the same changeset; texts of another one are left out. */
  plus(texts: readonly string[]): ShadowTally {
    const others = texts.flatMap((text) => ShadowTally.read(text, this.shopId, this.stagingId) ?? []);
    if (others.length === 0) return this;
    const sum = new ShadowTally(this.shopId, this.stagingId);
    sum.#sinceEdit = noEditResults(this.#sinceEdit.writes);
    for (const part of [this, ...others]) sum.#addStored(part.#stored());
    sum.#samples = newest([...made(sum.#samples)].sort(byTime), SAMPLES_MAX);
    sum.#replaySamples = newest([...sum.#replaySamples].sort(byTime), REPLAY_SAMPLES_MAX);
    sum.#sinceEdit.lostSamples = newest([...made(sum.#sinceEdit.lostSamples)].sort(byTime), EVIDENCE_MAX);
    return sum;
  }

  #addStored(stored: StoredTally): void {
    addAll(this.#counts, stored.counts);
    addAll(this.#replayed, stored.replayed);
    this.#pairs.addAll(stored.pairs);
    for (const [id, shift] of stored.methods) addAll(valueAt(this.#methods, id, noShift), shift);
    for (const [id, impact] of stored.zones) addAll(valueAt(this.#zones, id, noImpact), impact);
    for (const [id, impact] of stored.groups) addAll(valueAt(this.#groups, id, noImpact), impact);
    this.#samples = [...this.#samples, ...stored.samples];
    this.#replaySamples = [...this.#replaySamples, ...stored.replaySamples];
    const { writes, counts, pairs, lostSamples } = stored.sinceEdit;
    // What another node evaluated after an earlier write says nothing about the last one.
    if (writes !== this.#sinceEdit.writes) return;
    addAll(this.#sinceEdit.counts, counts);
    this.#sinceEdit.pairs.addAll(pairs);
    this.#sinceEdit.lostSamples = [...this.#sinceEdit.lostSamples, ...lostSamples];
  }

  #makeSamples(): {
    readonly samples: readonly ShadowSample[];
    readonly lostSamples: readonly ShadowSample[];
  } {
    const samples = made(this.#samples);
    const lostSamples = made(this.#sinceEdit.lostSamples);
    this.#samples = samples;
    this.#sinceEdit.lostSamples = lostSamples;
    return { samples, lostSamples };
  }

  #stored(): StoredTally {
    const { samples, lostSamples } = this.#makeSamples();
    const { writes, counts, pairs } = this.#sinceEdit;
    return {
      format: FORMAT,
      stagingId: this.stagingId,
      counts: this.#counts,
      replayed: this.#replayed,
      pairs: this.#pairs.stored(),
      methods: [...this.#methods],
      zones: [...this.#zones],
      groups: [...this.#groups],
      sinceEdit: { writes, counts, pairs: pairs.stored(), lostSamples },
      samples,
      replaySamples: this.#replaySamples,
    };
  }

  /** The text for `read`. */
  text(): string {
    return JSON.stringify(this.#stored());
  }

  /** Reads a stored text; null when it belongs to another changeset or has another format version. */
  static read(text: string, shopId: string, stagingId: string): ShadowTally | null {
    const stored = JSON.parse(text) as StoredTally;
    if (stored.format !== FORMAT || stored.stagingId !== stagingId) return null;
    const tally = new ShadowTally(shopId, stagingId);
    tally.edited(stored.sinceEdit.writes);
    tally.#addStored(stored);
    return tally;
  }

  /** Removes sums of records that are in neither configuration any more, so that a long changeset stays bounded. */
  prune(live: PlacedConfig, staged: PlacedConfig): void {
    keepOnly(this.#methods, idsOf(live.methods, staged.methods));
    keepOnly(this.#zones, idsOf(live.zones, staged.zones));
    keepOnly(this.#groups, idsOf(live.productGroups, staged.productGroups));
    this.#pairs.keepOnly(idsOf(staged.zones), idsOf(staged.productGroups));
  }

  /** The view for clients, with the current names of the records. */
  view(live: PlacedConfig, staged: PlacedConfig): ShadowResults {
    const { evaluated, dropped } = this.#counts;
    const { samples } = this.#makeSamples();
    return {
      simulations: evaluated + dropped,
      ...this.#counts,
      replayed: { ...this.#replayed },
      coverage: coverageOf(this.#pairs, staged),
      byMethod: named(this.#methods, live.methods, staged.methods),
      byZone: named(this.#zones, live.zones, staged.zones),
      byGroup: named(this.#groups, live.productGroups, staged.productGroups),
      samples: [...this.#replaySamples.toReversed(), ...samples.toReversed()].slice(0, SAMPLES_MAX),
    };
  }

  /** The results since the last staged write, of live simulations only. */
  sinceEdit(staged: PlacedConfig): EditShadowResults {
    const { writes, counts, pairs } = this.#sinceEdit;
    const { samples, lostSamples } = this.#makeSamples();
    return {
      ...counts,
      dropped: this.#counts.dropped,
      writes,
      coverage: coverageOf(pairs, staged),
      // Samples are in the order of evaluation, so those since the last write are at the end.
      samples: newest(samples, Math.min(SAMPLES_MAX, counts.different)).toReversed(),
      lostSamples: lostSamples.toReversed(),
    };
  }
}

const newest = <T>(list: readonly T[], max: number): readonly T[] =>
  list.slice(Math.max(0, list.length - max));

const byTime = (a: ShadowSample, b: ShadowSample): number => Date.parse(a.at) - Date.parse(b.at);

/** Adds the numbers of `more` to those of `sum`, field by field. */
function addAll<T extends Record<keyof T, number>>(sum: T, more: Readonly<Record<keyof T, number>>): void {
  for (const name of Object.keys(sum) as (keyof T)[]) (sum[name] as number) += more[name];
}

function addMove(shift: Shift, { before, after }: MethodMove): void {
  if (before === null) shift.appeared++;
  else if (after === null) shift.disappeared++;
  else {
    shift[after > before ? 'priceUp' : 'priceDown']++;
    shift.differenceCents += after - before;
  }
}

function addImpact(impact: Impact, { difference, differenceCents }: CartComparison): void {
  impact.evaluated++;
  if (difference !== null) impact.different++;
  impact.differenceCents += differenceCents;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const idsOf = (...lists: readonly (readonly { readonly id: string }[])[]): ReadonlySet<string> =>
  new Set(lists.flatMap((records) => records.map(({ id }) => id)));

function keepOnly(sums: Map<string, unknown>, known: ReadonlySet<string>): void {
  for (const id of sums.keys()) if (!known.has(id)) sums.delete(id);
}

/** The sums by id, each with the current name of its record; the staged name if both configurations have the record. */
function named<T extends object>(
  sums: ReadonlyMap<string, T>,
  live: readonly Named[],
  staged: readonly Named[],
): Record<string, T & Pick<Named, 'name'>> {
  const names = new Map([...live, ...staged].map(({ id, name }) => [id, name]));
  const entries = Array.from(sums, ([id, sum]) => [id, { name: names.get(id) ?? '', ...sum }] as const);
  return Object.fromEntries(entries);
}

function coverageOf(pairs: SeenPairs, { zones, productGroups }: PlacedConfig): ShadowResults['coverage'] {
  const missing: ShadowResults['coverage']['missing'] = [];
  const groupIds = idsOf(productGroups);
  let seen = 0;
  for (const { id: zoneId, name: zoneName } of zones) {
    const groups = pairs.in(zoneId);
    let seenHere = 0;
    for (const groupId of groups) if (groupIds.has(groupId)) seenHere++;
    seen += seenHere;
    if (seenHere === productGroups.length) continue;
    for (const { id: productGroupId, name: productGroupName } of productGroups) {
      if (missing.length === MISSING_PAIRS_MAX) break;
      if (!groups.has(productGroupId)) missing.push({ zoneId, zoneName, productGroupId, productGroupName });
    }
  }
  const possible = zones.length * productGroups.length;
  return { seen, possible, percent: possible === 0 ? 0 : Math.floor((1000 * seen) / possible) / 10, missing };
}

/** The empty results of a new changeset on `config`. */
export const emptyResults = (config: PlacedConfig): ShadowResults =>
  new ShadowTally('', '').view(config, config);
