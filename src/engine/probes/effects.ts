/** What a change of the configuration changes for carts: probe carts evaluated before and after (contract section 12.7). */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { parseIsoTime } from '../domain/iso-time.ts';
import { splitPostalPatterns } from '../domain/postal-code.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { Comparison } from '../domain/version.ts';
import { comparedRate, ratesOf, sameRates } from '../evaluate/compared-rates.ts';
import { evaluateCart } from '../evaluate/evaluate.ts';
import type { Effects, ProbedRate } from '../wire/effects.ts';
import { CartFinder } from './cart-finder.ts';
import type { Probe } from './draft-cart.ts';
import { inTurns, ProbeCarts, type ProbeFocus } from './probe-carts.ts';
import { PROBES_MAX, WORK_MAX, workOf } from './probe-run.ts';

const SAMPLES_MAX = 20;

/** The carts of the enabled checks; `nowMs` is the clock of those that name no time. */
export const checkProbes = ({ checks = [] }: ShopConfig, nowMs: number): readonly Probe[] =>
  checks
    .filter(({ enabled }) => enabled)
    .map(({ request, at }) => ({ request, nowMs: (at === null ? null : parseIsoTime(at)) ?? nowMs }));

/** Rates of a probe; null when a total of the cart is too large. */
interface Answer {
  readonly rates: readonly ProbedRate[];
  /** How many methods and rules were evaluated. */
  readonly work: number;
}

function answerOf(shop: CompiledShop, { request, nowMs }: Probe): Answer | null {
  const evaluation = evaluateCart(shop, request, nowMs, 'rates');
  if (evaluation === null) return null;
  return { rates: ratesOf(evaluation).map(comparedRate), work: workOf(evaluation) };
}

/**
 * Evaluates `given` carts (those of checks and of live traffic) and probe carts of both configurations, whose differences
 * are `diff`. `limited` is true when there are more probe carts than were evaluated. Without a difference none are.
 */
export function effectsOf(
  before: CompiledShop,
  after: CompiledShop,
  diff: Comparison,
  given: readonly Probe[],
  nowMs: number,
): Effects {
  const counts = { probes: 0, changed: 0, lost: 0, gained: 0 };
  /** Each distinct change of rates -> its smallest cart. */
  const changes = new Map<
    string,
    {
      readonly probe: Probe;
      readonly size: number;
      readonly rates: readonly [readonly ProbedRate[], readonly ProbedRate[]];
    }
  >();
  const seen = new Set<string>();
  let work = 0;
  let limited = false;
  for (const probe of probesOf(before, after, diff, given, nowMs)) {
    const text = JSON.stringify([probe.request, probe.nowMs]);
    if (seen.has(text)) continue;
    if (counts.probes >= PROBES_MAX || work >= 2 * WORK_MAX) {
      limited = true;
      break;
    }
    seen.add(text);
    const [was, is] = [answerOf(before, probe), answerOf(after, probe)];
    if (was === null || is === null) continue;
    work += was.work + is.work;
    counts.probes++;
    if (sameRates(was.rates, is.rates)) continue;
    const change = JSON.stringify([was.rates, is.rates]);
    counts.changed++;
    if (is.rates.length === 0) counts.lost++;
    if (was.rates.length === 0) counts.gained++;
    const known = changes.get(change);
    if (known === undefined || text.length < known.size) {
      changes.set(change, { probe, size: text.length, rates: [was.rates, is.rates] });
    }
  }
  const samples = [...changes.values()]
    .sort((a, b) => a.size - b.size)
    .slice(0, SAMPLES_MAX)
    .map(({ probe, rates: [was, is] }) => ({
      request: probe.request,
      at: new Date(probe.nowMs).toISOString(),
      before: was,
      after: is,
    }));
  return { ...counts, samples, limited } as Effects;
}

/** The carts of the later configuration and of the earlier one in turn, after the given ones. */
function* probesOf(
  before: CompiledShop,
  after: CompiledShop,
  diff: Comparison,
  given: readonly Probe[],
  nowMs: number,
): Generator<Probe> {
  const entries = [...diff.added, ...diff.modified, ...diff.removed];
  if (entries.length === 0) return;
  // A method is changed with its rules, a zone with its subzones.
  const ids = new Set(entries.flatMap(({ id, parentId }) => [id, parentId]));
  const focusOn = (other: ShopConfig): ProbeFocus => {
    const patterns = new Map(
      other.zones.flatMap(({ subzones }) =>
        subzones.map(({ id, postalCodes }) => [id, new Set(splitPostalPatterns(postalCodes))] as const),
      ),
    );
    return {
      isChanged: ({ id }) => ids.has(id),
      patternsOf: (subzoneId) => patterns.get(subzoneId) ?? new Set(),
    };
  };
  yield* given;
  yield* inTurns([
    new ProbeCarts(after.config, new CartFinder(after, nowMs), focusOn(before.config)).all(),
    new ProbeCarts(before.config, new CartFinder(before, nowMs), focusOn(after.config)).all(),
  ]);
}
