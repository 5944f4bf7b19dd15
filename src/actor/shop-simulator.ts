/**
 * Simulations of one shop, and what is compiled for them: the live configuration, the changeset, an earlier
 * version. Compiled forms are made when first needed and take over from the one before what did not change.
 */
import { type CompiledShop, compileShop } from '../compile/compiled-shop.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { notFound, type Outcome } from '../domain/failure.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { NO_CHANGESET } from '../domain/staging.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { failpoint } from '../runtime/failpoint.ts';
import type { LiveShopHistory } from './shop-history.ts';

export class ShopSimulator {
  readonly #history: Pick<LiveShopHistory, 'configOf'>;
  #live: CompiledShop | undefined;
  #staged: CompiledShop | undefined;

  constructor(history: Pick<LiveShopHistory, 'configOf'>) {
    this.#history = history;
  }

  /** The answer as JSON text, ASCII only. */
  simulate({ config, settings }: ShopState, request: SimulateRequest, nowMs: number): Outcome<string> {
    this.#live = compiled(config, settings, this.#live);
    return evaluate(this.#live, request, nowMs);
  }

  /** CONFLICT without a changeset. */
  simulateStaged(state: ShopState, request: SimulateRequest, nowMs: number): Outcome<string> {
    const { staging, settings } = state;
    if (staging === null) {
      this.#staged = undefined;
      return NO_CHANGESET;
    }
    this.#staged = compiled(staging.config, settings, this.#staged ?? this.#live);
    return evaluate(this.#staged, request, nowMs);
  }

  /** NOT_FOUND for a version that is unknown. Time zone and currency are the shop's as they are now. */
  simulateVersion(
    state: ShopState,
    versionId: string,
    request: SimulateRequest,
    nowMs: number,
  ): Outcome<string> {
    if (versionId === state.version.id) return this.simulate(state, request, nowMs);
    const version = this.#history.configOf(versionId);
    if (version === null) return notFound('version', versionId);
    version.compiled = compiled(version.config, state.settings, version.compiled);
    return evaluate(version.compiled, request, nowMs);
  }
}

/** `known` if it is of this configuration and these settings, else a new one. */
function compiled(
  config: PlacedConfig,
  settings: ShopSettings,
  known: CompiledShop | undefined,
): CompiledShop {
  if (known !== undefined && known.config === config && known.settings === settings) return known;
  failpoint('before-compile');
  // A stored method's type does not say that its rate config fits its rate type; deciding it checked that.
  const shop = compileShop(config as ShopConfig, settings, known);
  failpoint('after-compile');
  return shop;
}
