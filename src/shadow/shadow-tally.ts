/**
 * The results of one changeset: the sum over its batches, in memory, stored and shown. Results from before the last
 * staged write stay in the sum until the changeset ends.
 */
import { textOf } from '../bytes/answer-text.ts';
import { setField } from '../bytes/json-reading.ts';
import { jsonSteps } from '../bytes/json-steps.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import { finishSteps, mapSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { EVIDENCE_MAX } from '../wire/gate-report.ts';
import {
  type EditShadowResults,
  MISSING_PAIRS_MAX,
  SAMPLES_MAX,
  type ShadowResults,
  type ShadowSample,
} from '../wire/shadow-results.ts';
import { SeenPairs, type StoredPairs } from './seen-pairs.ts';
import {
  addTo,
  type CartImpact,
  type MethodShift,
  type ShadowBatchResult,
  type ShadowFindings,
  sumOf,
} from './shadow-batch.ts';

/** Version of the stored form; results of another version are ignored. */
const FORMAT = 1;

interface StoredTally {
  readonly format: number;
  readonly stagingId: string;
  readonly counts: Counts;
  readonly pairs: StoredPairs;
  readonly methods: readonly (readonly [methodId: string, shift: MethodShift])[];
  /** Absent in texts of earlier releases, as are `lost` and `gained` and the request of a sample. */
  readonly zones?: readonly (readonly [zoneId: string, impact: CartImpact])[];
  readonly groups?: readonly (readonly [groupId: string, impact: CartImpact])[];
  readonly sinceEdit?: StoredEditResults;
  /** Oldest first. */
  readonly samples: readonly ShadowSample[];
}

type Counts = Readonly<typeof NO_COUNTS>;

const NO_COUNTS = {
  evaluated: 0,
  identical: 0,
  different: 0,
  dropped: 0,
  lost: 0,
  gained: 0,
  replayed: 0,
};

/**
 * The results since the last staged write. The gate uses them, because carts that were evaluated earlier say nothing
 * about that write.
 */
interface EditResults {
  /** Number of staged writes of the evaluated changeset. */
  readonly writes: number;
  readonly pairs: SeenPairs;
  counts: EditCounts;
  /**
   * Samples of the last lost carts as JSON texts, oldest first, at most `EVIDENCE_MAX`: kept apart from the other
   * samples, among which later differences would replace them.
   */
  lostSamples: readonly string[];
}

interface EditCounts {
  readonly evaluated: number;
  readonly different: number;
  readonly lost: number;
}

interface StoredEditResults extends EditCounts {
  readonly writes: number;
  readonly pairs: StoredPairs;
  /** Absent in texts of earlier releases. */
  readonly lostSamples?: readonly ShadowSample[];
}

const noEditResults = (writes: number): EditResults => ({
  writes,
  pairs: new SeenPairs(),
  counts: { evaluated: 0, different: 0, lost: 0 },
  lostSamples: [],
});

function addToEdit(edit: EditResults, counts: EditCounts, lostSamples: readonly string[]): void {
  const { evaluated, different, lost } = counts;
  edit.counts = sumOf(edit.counts, { evaluated, different, lost });
  edit.lostSamples = [...edit.lostSamples, ...lostSamples].slice(-EVIDENCE_MAX);
}

export class ShadowTally {
  readonly shopId: string;
  readonly stagingId: string;
  #counts: Counts = NO_COUNTS;
  #pairs = new SeenPairs();
  #sinceEdit = noEditResults(0);
  readonly #methods = new Map<string, MethodShift>();
  readonly #zones = new Map<string, CartImpact>();
  readonly #groups = new Map<string, CartImpact>();
  /** JSON texts, oldest first, at most `SAMPLES_MAX`: newer samples replace most of them before they are parsed. */
  #samples: readonly string[] = [];

  constructor(shopId: string, stagingId: string) {
    this.shopId = shopId;
    this.stagingId = stagingId;
  }

  /** Sets the number of staged writes of the changeset; the results since the last write restart when it changes. */
  edited(writes: number): void {
    if (this.#sinceEdit.writes !== writes) this.#sinceEdit = noEditResults(writes);
  }

  /** `isCurrent` is true when the batch was evaluated after the last staged write. */
  add({ findings, samples }: ShadowBatchResult, isReplay: boolean, isCurrent: boolean): void {
    const found = JSON.parse(findings) as ShadowFindings;
    const { pairs, methods, zones, groups } = found;
    if (isCurrent) {
      addToEdit(this.#sinceEdit, found, found.lostSamples);
      for (const pair of pairs) this.#sinceEdit.pairs.add(pair);
    }
    const { evaluated, identical, different, lost, gained } = found;
    const replayed = isReplay ? evaluated : 0;
    const counts = { evaluated, identical, different, dropped: 0, lost, gained, replayed };
    this.#counts = sumOf(this.#counts, counts);
    for (const pair of pairs) this.#pairs.add(pair);
    for (const [methodId, shift] of Object.entries(methods)) addTo(this.#methods, methodId, shift);
    for (const [zoneId, impact] of Object.entries(zones)) addTo(this.#zones, zoneId, impact);
    for (const [groupId, impact] of Object.entries(groups)) addTo(this.#groups, groupId, impact);
    if (samples.length === 0) return;
    this.#samples = [...this.#samples, ...textOf(samples).split('\n')].slice(-SAMPLES_MAX);
  }

  /** The sum with what other nodes stored of the same changeset; texts of another one are left out. */
  plus(texts: readonly string[]): ShadowTally {
    const others = texts.flatMap((text) => ShadowTally.read(text, this.shopId, this.stagingId) ?? []);
    if (others.length === 0) return this;
    const sum = new ShadowTally(this.shopId, this.stagingId);
    sum.#sinceEdit = noEditResults(this.#sinceEdit.writes);
    for (const part of [this, ...others]) sum.#addCounts(part);
    sum.#samples = [this, ...others]
      .flatMap((part) => part.#samples)
      .map((text) => ({ text, atMs: Date.parse(readSample(text).at) }))
      .sort((a, b) => a.atMs - b.atMs)
      .map(({ text }) => text)
      .slice(-SAMPLES_MAX);
    return sum;
  }

  #addCounts(part: ShadowTally): void {
    this.#counts = sumOf(this.#counts, part.#counts);
    this.#pairs.addAll(part.#pairs);
    // The results of another node count if it evaluated the changeset after the same write.
    const { writes, pairs, counts, lostSamples } = part.#sinceEdit;
    if (writes === this.#sinceEdit.writes) {
      addToEdit(this.#sinceEdit, counts, lostSamples);
      this.#sinceEdit.pairs.addAll(pairs);
    }
    for (const [id, shift] of part.#methods) addTo(this.#methods, id, shift);
    for (const [id, impact] of part.#zones) addTo(this.#zones, id, impact);
    for (const [id, impact] of part.#groups) addTo(this.#groups, id, impact);
  }

  /** Counts simulations that were not evaluated. */
  drop(count: number): void {
    this.#counts = { ...this.#counts, dropped: this.#counts.dropped + count };
  }

  /** Removes sums of records that are in neither configuration any more, so that a long changeset stays bounded. */
  prune(live: PlacedConfig, staged: PlacedConfig): void {
    if (this.#pairs.size > staged.zones.length + staged.productGroups.length) {
      this.#pairs = this.#pairs.restrictedTo(idsOf(staged.zones), idsOf(staged.productGroups));
    }
    pruneSums(this.#methods, live.methods, staged.methods);
    pruneSums(this.#zones, live.zones, staged.zones);
    pruneSums(this.#groups, live.productGroups, staged.productGroups);
  }

  /** Makes the text for `read`, as of the first step. */
  *textSteps(shouldYield: ShouldYield): WorkSteps<string> {
    const { writes, counts, pairs, lostSamples } = this.#sinceEdit;
    const stored: Omit<StoredTally, 'samples'> = {
      format: FORMAT,
      stagingId: this.stagingId,
      counts: this.#counts,
      pairs: this.#pairs.stored(),
      methods: Array.from(this.#methods),
      zones: Array.from(this.#zones),
      groups: Array.from(this.#groups),
      sinceEdit: { ...counts, writes, pairs: pairs.stored(), lostSamples: lostSamples.map(readSample) },
    };
    // The samples are JSON already.
    const samples = this.#samples.join(',');
    const parts = yield* jsonSteps(stored, shouldYield);
    return `${parts.join('').slice(0, -1)},"samples":[${samples}]}`;
  }

  /** Reads a stored text; null when it belongs to another changeset or has another format version. */
  static read(text: string, shopId: string, stagingId: string): ShadowTally | null {
    const stored = JSON.parse(text) as StoredTally;
    if (stored.format !== FORMAT || stored.stagingId !== stagingId) return null;
    const tally = new ShadowTally(shopId, stagingId);
    tally.#counts = { ...NO_COUNTS, ...stored.counts };
    tally.#pairs = SeenPairs.of(stored.pairs);
    for (const [methodId, shift] of stored.methods) tally.#methods.set(methodId, shift);
    for (const [zoneId, impact] of stored.zones ?? []) tally.#zones.set(zoneId, impact);
    for (const [groupId, impact] of stored.groups ?? []) tally.#groups.set(groupId, impact);
    if (stored.sinceEdit !== undefined) {
      const { writes, pairs, lostSamples = [], ...counts } = stored.sinceEdit;
      const texts = lostSamples.map((sample) => JSON.stringify(sample));
      tally.#sinceEdit = { writes, pairs: SeenPairs.of(pairs), counts, lostSamples: texts };
    }
    tally.#samples = stored.samples.map((sample) =>
      JSON.stringify({ ...sample, request: sample.request ?? null }),
    );
    return tally;
  }

  /**
   * The view for clients, with the current names of the records. The numbers are as of the first step; pairs that are
   * seen during the steps may be included.
   */
  *viewSteps(live: PlacedConfig, staged: PlacedConfig, shouldYield: ShouldYield): WorkSteps<ShadowResults> {
    const counts = this.#counts;
    const [methods, zones, groups] = [new Map(this.#methods), new Map(this.#zones), new Map(this.#groups)];
    const samples = this.#samples;
    return {
      ...counts,
      coverage: yield* coverageSteps(this.#pairs, staged, shouldYield),
      byMethod: yield* namedSteps(methods, live.methods, staged.methods, shouldYield),
      byZone: yield* namedSteps(zones, live.zones, staged.zones, shouldYield),
      byGroup: yield* namedSteps(groups, live.productGroups, staged.productGroups, shouldYield),
      samples: (yield* mapSteps(samples, readSample, shouldYield)).reverse(),
    };
  }

  /** The results since the last staged write, as of the first step. */
  *editSteps(staged: PlacedConfig, shouldYield: ShouldYield): WorkSteps<EditShadowResults> {
    const { writes, counts, pairs, lostSamples } = this.#sinceEdit;
    // Samples are in the order of evaluation, so those since the last write are at the end.
    const samples = this.#samples.slice(-Math.min(SAMPLES_MAX, counts.different));
    return {
      ...counts,
      writes,
      coverage: yield* coverageSteps(pairs, staged, shouldYield),
      samples: counts.different === 0 ? [] : (yield* mapSteps(samples, readSample, shouldYield)).reverse(),
      lostSamples: (yield* mapSteps(lostSamples, readSample, shouldYield)).reverse(),
    };
  }
}

/** The sums by id, each with the current name of its record; the staged name if both configurations have the record. */
function* namedSteps<T extends object>(
  sums: ReadonlyMap<string, T>,
  live: readonly Named[],
  staged: readonly Named[],
  shouldYield: ShouldYield,
): WorkSteps<Record<string, T & Pick<Named, 'name'>>> {
  const byId: Record<string, T & Pick<Named, 'name'>> = {};
  if (sums.size === 0) return byId;
  const names = new Map<string, string>();
  for (const records of [live, staged]) {
    for (const { id, name } of records) {
      if (sums.has(id)) names.set(id, name);
      if (shouldYield()) yield;
    }
  }
  for (const [id, sum] of sums) {
    setField(byId, id, { name: names.get(id) ?? '', ...sum });
    if (shouldYield()) yield;
  }
  return byId;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Removes the sums of records that are in neither list. */
function pruneSums(sums: Map<string, unknown>, live: readonly Named[], staged: readonly Named[]): void {
  if (sums.size <= live.length) return;
  const known = new Set([...idsOf(live), ...idsOf(staged)]);
  for (const id of sums.keys()) if (!known.has(id)) sums.delete(id);
}

const readSample = (text: string): ShadowSample => JSON.parse(text);

const idsOf = (records: readonly { readonly id: string }[]): readonly string[] => records.map(({ id }) => id);

function* coverageSteps(
  pairs: SeenPairs,
  { zones, productGroups }: PlacedConfig,
  shouldYield: ShouldYield,
): WorkSteps<ShadowResults['coverage']> {
  const groupIds = idsOf(productGroups);
  const missing: ShadowResults['coverage']['missing'] = [];
  const mask = pairs.maskOf(groupIds);
  let seen = 0;
  for (const zone of zones) {
    const seenHere = pairs.countIn(zone.id, mask);
    seen += seenHere;
    if (shouldYield()) yield;
    if (seenHere === productGroups.length || missing.length === MISSING_PAIRS_MAX) continue;
    for (const group of productGroups) {
      if (shouldYield()) yield;
      if (pairs.has(zone.id, group.id)) continue;
      missing.push({
        zoneId: zone.id,
        zoneName: zone.name,
        productGroupId: group.id,
        productGroupName: group.name,
      });
      if (missing.length === MISSING_PAIRS_MAX) break;
    }
  }
  const possible = zones.length * productGroups.length;
  return { seen, possible, percent: possible === 0 ? 0 : Math.floor((1000 * seen) / possible) / 10, missing };
}

/** The empty results of a new changeset on `config`. The cost does not depend on the size of the configuration. */
export const emptyResults = (config: PlacedConfig): ShadowResults =>
  finishSteps(new ShadowTally('', '').viewSteps(config, config, NEVER));
