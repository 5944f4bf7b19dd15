/**
 * Shop reader: answers all reads of a shop from one published state. Actors and worker threads use this same
 * code, so that their answers cannot differ.
 */
import { compareConfigs } from '../../engine/change/diff.ts';
import { compileShop } from '../../engine/compile/compiled-shop.ts';
import { localDay } from '../../engine/compile/local-calendar.ts';
import { dayText } from '../../engine/domain/calendar-day.ts';
import { invalid, type Outcome, success } from '../../engine/domain/failure.ts';
import type { LintReport } from '../../engine/domain/finding.ts';
import { ISO_TIME_ACCEPTS, parseIsoTime } from '../../engine/domain/iso-time.ts';
import type { PlanTable } from '../../engine/domain/plan.ts';
import { type StagingState, shopConfigOf } from '../../engine/domain/shop-event.ts';
import type { Comparison } from '../../engine/domain/version.ts';
import { priceCurve, type Sweeping } from '../../engine/explain/price-curve.ts';
import { lintReport } from '../../engine/lint/lint-config.ts';
import { checkProbes, effectsOf } from '../../engine/probes/effects.ts';
import type { BisectAnswer, ComparedVersions, PreviewAnswer } from '../../engine/wire/answer-schemas.ts';
import type { CheckResults } from '../../engine/wire/check-results.ts';
import type { Effects } from '../../engine/wire/effects.ts';
import type { PriceCurve } from '../../engine/wire/price-curve.ts';
import { versionView } from '../../engine/wire/record-view.ts';
import { NO_CHANGESET, type Staging, stagingView } from '../../engine/wire/staging.ts';
import type { ConfigAction } from '../../engine/wire/write-bodies.ts';
import { type AuditPage, type AuditQuery, auditPage } from './audit-page.ts';
import { type BisectedCart, bisect } from './bisect.ts';
import { chosenChecks, runChecks } from './check-run.ts';
import { type KeptCart, keptProbes, type LiveTraffic, liveShown, NO_TRAFFIC } from './live-traffic.ts';
import { previewAnswer, previewConfig } from './preview.ts';
import type { ShopAt } from './recovery.ts';
import { SimulatingShop, type SimulationPorts } from './simulating-shop.ts';
import type { SimulationSource } from './version-cache.ts';

export interface ReaderPorts extends SimulationPorts {
  readonly plans: PlanTable;
  readonly limits: { readonly itemsMax: number };
}

/** The input of a preview: the data and, if a cart is to be tried, the cart and its clock. */
type Previewed = Omit<ConfigAction, 'action'>;

/** The inputs of a preview: an ISO time, and a seed for ids that only the explanation of a cart shows. */
interface PreviewMoment {
  readonly now: string;
  readonly seed: string;
}

/** For so long the effects of a changeset are not evaluated again. */
const EFFECTS_MS = 60_000;

export class ShopReader extends SimulatingShop {
  readonly #ports: ReaderPorts;
  /**
   * The last changeset that was compared with the live configuration, which does not change while the changeset is
   * active.
   */
  #compared: { readonly staging: StagingState; readonly diff: Comparison } | null = null;
  /** The last answer of `effects`. */
  #effects: {
    readonly staging: StagingState;
    readonly nowMs: number;
    /** Carts of live traffic may be among the samples. */
    readonly hasCarts: boolean;
    readonly effects: Effects;
  } | null = null;

  constructor(ports: ReaderPorts, replayed: ShopAt) {
    super(ports, replayed);
    this.#ports = ports;
  }

  /**
   * The changes that execute would make, with the lint findings and checks of the resulting configuration, and with the
   * rates that it offers the cart of `request`. The cart is not counted as a simulation and not kept.
   */
  preview(
    { data, request, at }: Previewed,
    { now, seed }: PreviewMoment,
    traffic = NO_TRAFFIC,
  ): Outcome<PreviewAnswer> {
    const nowMs = Date.parse(now);
    const simulatedMs = at === undefined ? nowMs : parseIsoTime(at);
    if (simulatedMs === null) return invalid(`/at must be ${ISO_TIME_ACCEPTS}`);
    const { plans } = this.#ports;
    const context = { now, seed, keyId: null, batchId: null, plans, findVersion: () => null };
    const previewed = previewConfig(this.state, data, context);
    if (!previewed.ok) return previewed;
    const replaced = this.compiled(this.state.staging === null ? 'live' : 'staged');
    if (!replaced.ok) return replaced;
    return previewAnswer(previewed.value, {
      settings: {
        ...this.state.settings,
        ...this.#lintSettings(nowMs, traffic),
      },
      nowMs,
      replaced: replaced.value,
      explained: request === undefined ? null : (shop) => this.explained(shop, request, simulatedMs),
    });
  }

  /** The differences of two versions and, where a time is given, what they change for probe carts. Fails as `ShopHistory.compare`. */
  compare(
    versionA: string,
    versionB: string,
    effectsAtMs: number | null,
    carts: readonly KeptCart[] = [],
  ): Outcome<ComparedVersions> {
    const diff = this.history.compare(versionA, versionB);
    if (!diff.ok || effectsAtMs === null) return diff as Outcome<ComparedVersions>;
    const [before, after] = [this.history.comparedConfig(versionA), this.history.comparedConfig(versionB)];
    if (!before.ok) return before;
    if (!after.ok) return after;
    const { settings } = this.state;
    const was = compileShop(shopConfigOf(before.value), settings);
    const is = compileShop(shopConfigOf(after.value), settings, was);
    const given = [...checkProbes(is.config, effectsAtMs), ...keptProbes(carts)];
    const effects = effectsOf(was, is, diff.value, given, effectsAtMs);
    return success({ ...(diff.value as ComparedVersions), effects });
  }

  /**
   * What the changeset changes for carts; CONFLICT without one. `carts` are those of live traffic, none for a key that may not
   * see them. The last answer is given again for a while, as carts that were kept meanwhile seldom show anything new.
   */
  effects(nowMs: number, carts: readonly KeptCart[]): Outcome<Effects> {
    const { staging } = this.state;
    const known = this.#effects;
    const hasCarts = carts.length > 0;
    const isLate = known?.staging !== staging || Math.abs(nowMs - known.nowMs) >= EFFECTS_MS;
    if (!isLate && known.hasCarts === hasCarts) return success(known.effects);
    const [live, staged] = [this.compiled('live'), this.compiled('staged')];
    if (staging === null || !staged.ok) return NO_CHANGESET;
    if (!live.ok) return live;
    const given = [...checkProbes(staged.value.config, nowMs), ...keptProbes(carts)];
    const effects = effectsOf(live.value, staged.value, this.#diffOf(staging), given, nowMs);
    this.#effects = { staging, nowMs, hasCarts, effects };
    return success(effects);
  }

  /** The lint findings in a configuration at this time. CONFLICT without a changeset. */
  lint(view: 'live' | 'staged', nowMs: number, traffic = NO_TRAFFIC): Outcome<LintReport> {
    const compiled = this.compiled(view);
    if (!compiled.ok) return compiled;
    const { config, settings } = compiled.value;
    const lintSettings = { ...settings, ...this.#lintSettings(nowMs, traffic) };
    return success(lintReport(config, lintSettings, compiled.value));
  }

  #lintSettings(nowMs: number, traffic: LiveTraffic) {
    const { itemsMax } = this.#ports.limits;
    const kept = keptProbes(traffic.carts);
    return { itemsMax, today: this.#today(nowMs), kept, ...liveShown(traffic, this.state.config) };
  }

  /** The local day of the shop, `YYYY-MM-DD`. */
  #today(nowMs: number): string {
    return dayText(localDay(this.state.settings.timezone, nowMs));
  }

  /**
   * Runs checks against a configuration: the checks of the changeset against it, else those of the live configuration.
   * `ids` chooses among them. CONFLICT without a changeset, NOT_FOUND for an unknown version or check.
   */
  runChecks(
    source: SimulationSource,
    ids: readonly string[] | undefined,
    nowMs: number,
  ): Outcome<CheckResults> {
    const shop = this.compiled(source);
    if (!shop.ok) return shop;
    const { config, staging, version } = this.state;
    const checks = chosenChecks(
      (source === 'staged' ? (staging ?? { config }) : { config }).config.checks,
      ids,
    );
    if (!checks.ok) return checks;
    const versionId = source === 'staged' ? null : source === 'live' ? version.id : source.versionId;
    return success(runChecks({ shop: shop.value, versionId, nowMs }, checks.value));
  }

  /** The rates of a cart while its total, weight or a quantity varies. Fails as `compiled`. */
  sweep(source: SimulationSource, sweeping: Sweeping): Outcome<PriceCurve> {
    const shop = this.compiled(source);
    return shop.ok ? priceCurve(shop.value, sweeping) : shop;
  }

  /**
   * The versions from `fromId`, or the oldest one when it is null, to `toId` at which the answer to a cart changed.
   * Fails as `ShopHistory.walk`.
   */
  bisect(cart: BisectedCart, fromId: string | null, toId: string): Outcome<BisectAnswer> {
    const { settings, keys } = this.state;
    return this.history.walk(fromId, toId, ({ from, to, config, changes }) => {
      const { flips, ...counts } = bisect(cart, settings, config, changes());
      return {
        from: versionView(from, keys),
        to: versionView(to, keys),
        ...counts,
        flips: flips.map(({ version, ...flip }) => ({ version: versionView(version, keys), ...flip })),
      } as BisectAnswer;
    });
  }

  /** A page of the audit. NOT_FOUND for an unknown cursor. Throws `DamagedLogError`. */
  audit(query: AuditQuery): Outcome<AuditPage> {
    return auditPage(this.#ports.log, this.shopId, this.sequenceNumber, query);
  }

  /** The current changeset as clients see it; null when there is none. */
  staging(): Staging | null {
    const { staging, keys } = this.state;
    return staging === null ? null : stagingView(staging, this.#diffOf(staging), keys);
  }

  #diffOf(staging: StagingState): Comparison {
    const known = this.#compared?.staging === staging ? this.#compared.diff : null;
    const diff = known ?? compareConfigs(this.state.config, staging.config);
    this.#compared = { staging, diff };
    return diff;
  }
}
