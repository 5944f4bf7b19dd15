/** Compiles beside other work what a simulation needs, where that takes long. */

import type { SimulateRequest } from '../domain/cart.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import type { WorkSteps } from '../pace/work-steps.ts';
import type { CompiledConfigs } from './compiled-configs.ts';
import type { SimulationSource } from './shop-access.ts';
import type { LiveShopHistory } from './shop-history.ts';

/** How often in a row a simulation waits for its zone to be compiled, when writes change it meanwhile. */
const PREPARATIONS_MAX = 4;

/** A shop and what is compiled of it. */
export interface PreparedShop {
  readonly state: ShopState;
  readonly compiled: CompiledConfigs;
}

/** A simulation that is asked for. */
export interface Asked {
  readonly source: SimulationSource;
  readonly request: SimulateRequest;
  /** True when another thread will answer it: asked once its estimate finds what it needs. */
  readonly isElsewhere: () => boolean;
}

/** For those who answer every simulation themselves. */
export const NEVER_ELSEWHERE = (): boolean => false;

/** Null when nothing takes long; else what compiles it, and resolves when the simulation is worth asking for. */
export function prepareSimulation(
  shop: PreparedShop,
  slices: WorkSlices,
  asked: Asked,
): (() => Promise<void>) | null {
  const steps = preparationOf(shop, asked);
  return steps === null ? null : () => prepareInSlices(shop, slices, asked, steps);
}

const preparationOf = (
  { compiled, state }: PreparedShop,
  { source, request, isElsewhere }: Asked,
): WorkSteps<unknown> | null => compiled.preparation(source, state, request.destination, isElsewhere);

/** True for a simulation of an earlier version that is not in memory. */
export const isToBeRead = (
  history: Pick<LiveShopHistory, 'replayedFor'>,
  source: SimulationSource,
): source is { readonly versionId: string } =>
  typeof source !== 'string' && history.replayedFor(source.versionId) !== null;

/** Of an earlier version that is not in memory: reads it, and then prepares the simulation; null as above. */
export function prepareEarlier(
  shop: PreparedShop & { readonly history: Pick<LiveShopHistory, 'replayedFor'> },
  read: (versionId: string) => Promise<unknown>,
  slices: WorkSlices,
  asked: Asked & { readonly source: { readonly versionId: string } },
): (() => Promise<void>) | null {
  const { source, request, isElsewhere } = asked;
  const estimation = shop.compiled.estimation(source, shop.state, request.destination);
  if (estimation === null && isElsewhere()) return null;
  return async () => {
    if (estimation !== null) await slices.run(shop, estimation);
    if (isElsewhere()) return;
    await read(source.versionId);
    // One that is too large to be kept is read once more by whoever answers: to compile it here would be for nothing.
    if (shop.history.replayedFor(source.versionId) !== null) return;
    await prepareSimulation(shop, slices, asked)?.();
  };
}

/** A write may come in between; after a few of them the rest is compiled by whoever answers. */
async function prepareInSlices(
  shop: PreparedShop,
  slices: WorkSlices,
  asked: Asked,
  first: WorkSteps<unknown>,
): Promise<void> {
  let steps: WorkSteps<unknown> | null = first;
  for (let round = 0; steps !== null && round < PREPARATIONS_MAX; round++) {
    await slices.run(shop, steps);
    steps = preparationOf(shop, asked);
  }
}
