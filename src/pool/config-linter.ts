/**
 * Looks for defects in the configurations of shops, live ones and previewed ones: small ones here and now,
 * others in the worker pool, so that no answer waits for them.
 *
 * Who asks while the same report is being made shares it. Bounds: those of the pool; what it cannot take is
 * refused with RATE_LIMITED.
 */
import type { PreviewedConfig } from '../change/preview.ts';
import type { PreviewAnswer } from '../domain/answer-schemas.ts';
import { failure, type Outcome, success } from '../domain/failure.ts';
import type { LintReport, PreviewWarnings } from '../domain/finding.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { valueBytes } from '../domain/value-size.ts';
import type { ConfigData } from '../domain/write-bodies.ts';
import { lintReport } from '../lint/lint-config.ts';
import { previewWarnings } from '../lint/preview-warnings.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { LintTask } from './pool-task.ts';
import { PoolError } from './worker-pool.ts';

/** Measured: a configuration of so many bytes takes about as long as a simulation of its largest cart. */
const INLINE_BYTES_MAX = 16_384;

export interface LinterPorts {
  readonly pool: { run(task: LintTask): Promise<string> };
  readonly logger: Logger;
  /** A seed that no other call has had. */
  readonly newSeed: () => string;
}

/** The part of a shop that is looked at. */
export interface LintedShop {
  readonly shopId: string;
  readonly state: ShopState;
  /** The record as of which `state` is. */
  readonly sequenceNumber: number;
}

export class ConfigLinter {
  readonly #ports: LinterPorts;
  /** Reports in the making. */
  readonly #underWay = new WeakMap<ShopState, Map<PlacedConfig, Promise<Outcome<LintReport>>>>();

  constructor(ports: LinterPorts) {
    this.#ports = ports;
  }

  /** The findings about one of the shop's configurations. RATE_LIMITED when too many wait. */
  async report(shop: LintedShop, config: PlacedConfig): Promise<Outcome<LintReport>> {
    const { shopId, state, sequenceNumber } = shop;
    if (isSmall(config)) return success(lintReport(config as ShopConfig, state.settings));
    const known = this.#underWay.get(state)?.get(config);
    if (known !== undefined) return known;
    const view = config === state.config ? 'live' : 'staged';
    const task = { kind: 'lint', shopId, sequenceNumber, view, replacement: null } as const;
    const underWay = this.#underWay.get(state) ?? new Map();
    const report = this.#run<LintReport>(task).finally(() => underWay.delete(config));
    this.#underWay.set(state, underWay.set(config, report));
    return report;
  }

  /** The answer of a preview: what `data` would change in the shop, and what there is to warn of then. */
  async preview(
    shop: LintedShop,
    previewed: PreviewedConfig,
    data: ConfigData,
  ): Promise<Outcome<PreviewAnswer>> {
    const { shopId, state, sequenceNumber } = shop;
    if (isSmall(previewed.config)) return success(lintedPreview(previewed, state.settings));
    const warnings = await this.#run<PreviewWarnings>({
      kind: 'lint',
      shopId,
      sequenceNumber,
      view: state.staging === null ? 'live' : 'staged',
      replacement: { data: JSON.stringify(data), seed: this.#ports.newSeed() },
    });
    return warnings.ok ? success(previewAnswer(previewed.preview, warnings.value)) : warnings;
  }

  async #run<T>(task: LintTask): Promise<Outcome<T>> {
    try {
      return success(JSON.parse(await this.#ports.pool.run(task)) as T);
    } catch (error) {
      if (error instanceof PoolError && error.reason === 'full') return busy();
      this.#ports.logger.error('lint.failed', { shopId: task.shopId, error: asError(error) });
      return failure('INTERNAL_ERROR', 'the configuration could not be checked');
    }
  }
}

/** The answer of a preview, worked out here and now. */
export const lintedPreview = (
  { preview, config, madeIds }: PreviewedConfig,
  settings: ShopSettings,
): PreviewAnswer =>
  previewAnswer(preview, previewWarnings(lintReport(config as ShopConfig, settings), madeIds));

const isSmall = (config: PlacedConfig): boolean => valueBytes(config, INLINE_BYTES_MAX) <= INLINE_BYTES_MAX;

const busy = (): Outcome<never> => ({
  ...failure('RATE_LIMITED', 'too many configurations are being checked'),
  retryAfterSeconds: 1,
});

const previewAnswer = (
  preview: PreviewedConfig['preview'],
  { warnings, warningsOmitted }: PreviewWarnings,
): PreviewAnswer =>
  // Sound: the schema's arrays are the same ones, only not readonly.
  ({ ...preview, warnings, warningsOmitted }) as unknown as PreviewAnswer;
