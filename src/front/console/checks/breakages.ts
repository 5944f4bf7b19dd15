/** What broke a check: the newest saved version before which it passed, or the open draft. */
import type { CallOutcome } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import type { Reads } from '../guarded-calls.ts';
import { NOTHING } from '../parts/record-kind.ts';
import { momentOf } from '../tester/cart.ts';

type Check = Schemas['Check'];
type Flip = Schemas['Flip'];

export type Breakage =
  | { readonly by: 'draft' }
  /** `before`: the number of the version before it, or before the batch that it is the last version of. */
  | { readonly by: 'version'; readonly version: Schemas['VersionRow']; readonly before: number }
  /** It passes with none of these many versions that changed its rates. */
  | { readonly by: 'none'; readonly tried: number };

/** By the id of the check. */
export type Breakages = ReadonlyMap<string, Breakage>;

/** Versions with which one check is run, the newest first. */
const RUNS_MAX = 20;
/** Rows of the history that are looked at for the batch of a version. */
const ROWS = 100;

/** `failing`: checks that fail in the view. */
export async function readBreakages(
  calls: Reads,
  view: 'live' | 'staged',
  failing: readonly Check[],
  signal: AbortSignal,
): Promise<CallOutcome<Breakages>> {
  const found = new Map<string, Breakage>();
  if (failing.length === 0) return { ...NOTHING, value: found };
  const [live, history] = await Promise.all([
    view === 'live' ? null : readLive(calls, signal),
    calls.listVersions({ query: { limit: ROWS }, signal }),
  ]);
  if (live?.ok === false) return live;
  if (!history.ok) return history;
  for (const check of failing) {
    const { id } = check;
    const { passes = false, saved } = live === null ? { saved: check } : (live.value.get(id) ?? {});
    if (passes) found.set(id, { by: 'draft' });
    else if (saved === undefined) found.set(id, { by: 'none', tried: 0 });
    else {
      const breakage = await breakageOf(calls, saved, history.value.versions, signal);
      if (!breakage.ok) return breakage;
      found.set(id, breakage.value);
    }
  }
  return { ...history, value: found };
}

interface LiveCheck {
  readonly passes: boolean;
  readonly saved: Check;
}

/** The checks that were run live, as they are saved. */
async function readLive(
  calls: Reads,
  signal: AbortSignal,
): Promise<CallOutcome<ReadonlyMap<string, LiveCheck>>> {
  const [run, listed] = await Promise.all([
    calls.createOrRunChecks({ action: 'run' }, { signal }),
    calls.listChecks({ query: { view: 'live' }, signal }),
  ]);
  if (!run.ok) return run;
  if (!listed.ok) return listed;
  const passed = new Map(run.value.results.map((result) => [result.checkId, result.passed]));
  const value = new Map<string, LiveCheck>();
  for (const saved of listed.value.checks) {
    const passes = passed.get(saved.id);
    if (passes !== undefined) value.set(saved.id, { passes, saved });
  }
  return { ...listed, value };
}

/** The rates of the cart change at flips only, so that a check can begin to fail at these alone. */
async function breakageOf(
  calls: Reads,
  check: Check,
  rows: readonly Schemas['VersionRow'][],
  signal: AbortSignal,
): Promise<CallOutcome<Breakage>> {
  const flips = await flipsOf(calls, check, signal);
  if (!flips.ok) return flips;
  const tried = new Set<number>();
  for (const { version } of flips.value.toReversed()) {
    const { number } = version;
    const row = rows.find((each) => each.number >= number && numberBefore(each) < number) ?? version;
    const before = numberBefore(row);
    if (tried.has(before)) continue;
    if (tried.size === RUNS_MAX) break;
    tried.add(before);
    const run = await calls.createOrRunChecks(
      { action: 'run', ids: [check.id], version: String(before) },
      { signal },
    );
    if (!run.ok) return run;
    if (run.value.failed === 0) return { ...run, value: { by: 'version', version: row, before } };
  }
  return { ...flips, value: { by: 'none', tried: tried.size } };
}

const numberBefore = ({ number, batch }: Schemas['VersionRow']): number => number - (batch?.size ?? 1);

/** All flips of the cart, the oldest first. */
async function flipsOf(
  calls: Reads,
  { request, at }: Check,
  signal: AbortSignal,
): Promise<CallOutcome<readonly Flip[]>> {
  const flips: Flip[] = [];
  for (;;) {
    const last = flips.at(-1);
    const body = { action: 'bisect', request, ...momentOf(at ?? '') } as const;
    const found = await calls.changeVersion(last === undefined ? body : { ...body, from: last.version.id }, {
      signal,
    });
    if (!found.ok) return found;
    flips.push(...found.value.flips);
    if (!found.value.limited) return { ...found, value: flips };
  }
}
