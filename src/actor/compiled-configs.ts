/**
 * What is compiled of one shop: the live configuration, the changeset, earlier versions. A compiled form is
 * made when it is first needed, and takes over from the one before it what did not change.
 */
import { type CompiledShop, compileShop } from '../compile/compiled-shop.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { notFound, type Outcome, success } from '../domain/failure.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { NO_CHANGESET } from '../domain/staging.ts';
import { failpoint } from '../runtime/failpoint.ts';
import type { WorkSteps } from '../runtime/work-steps.ts';
import type { SimulationSource } from './shop-access.ts';
import type { CachedVersion } from './version-cache.ts';

export class CompiledConfigs {
  readonly #configOf: (versionId: string) => CachedVersion | null;
  #live: CompiledShop | undefined;
  #staged: CompiledShop | undefined;

  /** `configOf` finds an earlier version; null when it is unknown. */
  constructor(configOf: (versionId: string) => CachedVersion | null) {
    this.#configOf = configOf;
  }

  live({ config, settings }: ShopState): CompiledShop {
    this.#live = compiled(config, settings, this.#live);
    return this.#live;
  }

  /** Steps that a simulation for this destination would otherwise take at once; null when they are few. */
  preparation(
    source: SimulationSource,
    state: ShopState,
    { country, postalCode }: SimulateRequest['destination'],
  ): WorkSteps<unknown> | null {
    if (source === 'live') return this.live(state).preparation(country, postalCode ?? '');
    const shop = this.of(source, state);
    return shop.ok ? shop.value.preparation(country, postalCode ?? '') : null;
  }

  /** CONFLICT without a changeset, NOT_FOUND for an unknown version. Settings are those of now. */
  of(source: SimulationSource, state: ShopState): Outcome<CompiledShop> {
    if (source === 'live') return success(this.live(state));
    if (source === 'staged') return this.#ofChangeset(state);
    const { versionId } = source;
    if (versionId === state.version.id) return success(this.live(state));
    const version = this.#configOf(versionId);
    if (version === null) return notFound('version', versionId);
    version.compiled = compiled(version.config, state.settings, version.compiled);
    return success(version.compiled);
  }

  #ofChangeset({ staging, settings }: ShopState): Outcome<CompiledShop> {
    if (staging === null) {
      this.#staged = undefined;
      return NO_CHANGESET;
    }
    this.#staged = compiled(staging.config, settings, this.#staged ?? this.#live);
    return success(this.#staged);
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
